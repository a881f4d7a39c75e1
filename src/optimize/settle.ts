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
  const gradients = gradientsOf(leaves, loss);
  evaluate([...gradients, ...others.filter((value) => value instanceof Node)]);
  return byName(
    leaves,
    gradients.map((node) => node.elements()),
  );
}

/** Gradients of a table's leaves as gradients of its parameters; zeros if there are none. */
export function byName(leaves: LeafTable, gradients: readonly (number | Data)[]): Map<string, Float64Array> {
  const named = new Map<string, Float64Array>();
  leaves.blocks.forEach(({ names, tensors }, i) => {
    const [{ length }] = tensors;
    const given = gradients[i] ?? 0;
    names.forEach((name, k) => {
      const own = new Float64Array(length);
      if (typeof given === 'number') own.fill(given);
      else for (let j = 0; j < length; j++) own[j] = given[k * length + j];
      named.set(name, own);
    });
  });
  return named;
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
