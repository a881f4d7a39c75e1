/** Library functions on distributions whose probabilities may be nodes. */
import * as plain from '../library/index.ts';
import type { Distribution } from '../runtime/handler.ts';
import { machine } from '../runtime/machine.ts';
import { isDistribution } from '../runtime/primitives.ts';
import { Node, type Value } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import { LiftedCollector, LiftedMarginal } from './enumeration.ts';

type Plain = (...args: unknown[]) => unknown;
type Any = Distribution<unknown>;

/** The values of a distribution over finitely many, if nodes are among their scores. */
function liftedValues(dist: unknown): { value: unknown; score: Value }[] | undefined {
  if (!isDistribution(dist) || dist.isContinuous) return undefined;
  const support = (dist as Any).support?.();
  if (!Array.isArray(support)) return undefined;
  const weighed = support.map((value: unknown) => ({ value, score: dist.score(value) as Value }));
  return weighed.some(({ score }) => score instanceof Node) ? weighed : undefined;
}

export function expectation(dist: unknown, fn?: (value: unknown) => unknown): unknown {
  const weighed = liftedValues(dist);
  if (weighed === undefined || (fn !== undefined && typeof fn !== 'function')) {
    return (plain.expectation as Plain)(dist, fn);
  }
  const own = machine.address;
  let total: Value = 0;
  weighed.forEach(({ value, score }, i) => {
    machine.address = own.index(i);
    const term = fn === undefined ? value : fn(value);
    total = ops.add(total, ops.mul(ops.exp(score), typeof term === 'boolean' ? Number(term) : (term as Value)));
  });
  machine.address = own;
  return total;
}

export function marginalize(dist: unknown, projection: unknown): unknown {
  if (!(dist instanceof LiftedMarginal) || typeof projection === 'symbol') {
    return (plain.marginalize as Plain)(dist, projection);
  }
  const own = machine.address;
  const { effects } = machine;
  const collector = new LiftedCollector<unknown>();
  for (const [i, value] of dist.support().entries()) {
    machine.address = own.index(i);
    const projected =
      typeof projection === 'function'
        ? projection(value)
        : (value as Record<string, unknown> | null)?.[projection as string];
    collector.add(projected, ops.add(dist.score(value), dist.logZ) as number);
  }
  machine.address = own;
  // A function that makes choices needs an inference of its own.
  return machine.effects === effects ? collector.build() : (plain.marginalize as Plain)(dist, projection);
}
