import { evaluate } from '../tensor/evaluate.ts';
import { gradient } from '../tensor/gradient/gradient.ts';
import { toNode } from '../tensor/leaves.ts';
import { type Data, Node, type Value } from '../tensor/node.ts';
import { add } from '../tensor/ops.ts';
import type { StepValues } from './compiled-step.ts';
import type { LeafTable } from './leaves.ts';
import type { Gradients } from './packed-parameters.ts';
import type { Loss } from './sampled/losses.ts';

/** Gradients of a table's leaves as gradients of its parameters, in the leaves' precision; zeros if there are none. */
export function byName(leaves: LeafTable, gradients: readonly (number | Data)[]): Gradients {
  const named = new Map<string, Float64Array | Float32Array>();
  leaves.blocks.forEach(({ names, tensors, node }, i) => {
    const [{ length }] = tensors;
    const given = gradients[i] ?? 0;
    names.forEach((name, k) => {
      const own = node.dtype === 'f32' ? new Float32Array(length) : new Float64Array(length);
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

/** The same of several losses, each for some of the parameters. */
export function gradientsOfAll(leaves: LeafTable, losses: readonly Loss[]): Node[] {
  const all = leaves.leaves;
  const sums = new Array<Value>(all.length).fill(0);
  for (const { loss, isFor } of losses) {
    const places = all.flatMap((leaf, i) => (isFor(leaf) ? [i] : []));
    const gradients = gradient(
      toNode(loss),
      places.map((i) => all[i]),
    );
    places.forEach((i, k) => {
      sums[i] = add(sums[i], gradients[k]);
    });
  }
  return sums.map((sum) => toNode(sum));
}

/** The values of a step's nodes, computed together. */
export function evaluated({ cost, gradients, weights }: StepValues<Node>): StepValues<number | Data> {
  evaluate([cost, ...gradients, ...weights]);
  const numbersOf = (node: Node): number | Data => (node.dims.length === 0 ? Number(node.value()) : node.elements());
  return { cost: numbersOf(cost), gradients: gradients.map(numbersOf), weights: weights.map(numbersOf) };
}
