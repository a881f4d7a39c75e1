import { evaluate } from '../tensor/evaluate.ts';
import { gradient } from '../tensor/gradient/gradient.ts';
import { type Data, Node, type Value } from '../tensor/node.ts';
import type { StepValues } from './compiled-step.ts';
import type { LeafTable } from './leaves.ts';

/** A recorded number, computed if it has not been yet. */
export function numberOf(value: Value): number {
  return Number(value instanceof Node ? value.value() : value);
}

/**
 * The gradients of a loss with respect to the parameters met, by name. They are computed together with `others`,
 * values that will be asked for next.
 */
export function settle(leaves: LeafTable, loss: Value, others: readonly Value[]): Map<string, Float64Array> {
  const gradients = loss instanceof Node ? gradient(loss, leaves.leaves) : [];
  evaluate([...gradients, ...others.filter((value) => value instanceof Node)]);
  const byName = new Map<string, Float64Array>();
  leaves.names.forEach((name, i) => {
    const own = gradients.length === 0 ? leaves.tensor(name).length : gradients[i].elements();
    byName.set(name, typeof own === 'number' ? new Float64Array(own) : Float64Array.from(own));
  });
  return byName;
}

/** The gradients of a loss with respect to the parameters met, in their order: none if it depends on none. */
export function gradientsOf(leaves: LeafTable, loss: Value): Node[] {
  return loss instanceof Node ? gradient(loss, leaves.leaves) : [];
}

/** The values of a step's nodes, computed together. */
export function evaluated({ cost, gradients, weights }: StepValues<Node>): StepValues<number | Data> {
  evaluate([cost, ...gradients, ...weights]);
  const numbersOf = (node: Node): number | Data => (node.dims.length === 0 ? Number(node.value()) : node.elements());
  return { cost: numbersOf(cost), gradients: gradients.map(numbersOf), weights: weights.map(numbersOf) };
}
