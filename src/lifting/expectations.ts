/** Library functions on distributions whose probabilities may be nodes. */
import * as plain from '../library/index.ts';
import { machine } from '../runtime/machine.ts';
import * as ops from '../tensor/ops.ts';
import { Tensor } from '../tensor/tensor.ts';
import { LiftedCollector, LiftedMarginal } from './enumeration.ts';
import { averageOf, entropyOf, liftedValues, mostProbable, numberOf } from './weighed-values.ts';

type Plain = (...args: unknown[]) => unknown;

export function expectation(dist: unknown, fn?: (value: unknown) => unknown): unknown {
  const weighed = liftedValues(dist);
  if (weighed === undefined || (fn !== undefined && typeof fn !== 'function')) {
    return (plain.expectation as Plain)(dist, fn);
  }
  const own = machine.address;
  const terms = weighed.values.map((value, i) => {
    machine.address = own.index(i);
    const term = fn === undefined ? value : fn(value);
    return term instanceof Tensor ? term : numberOf('expectation', term);
  });
  machine.address = own;
  return averageOf({ values: terms, weights: weighed.scores.map((score) => ops.exp(score)) });
}

export function MAP(dist: unknown): unknown {
  const weighed = liftedValues(dist);
  return weighed === undefined ? (plain.MAP as Plain)(dist) : mostProbable(weighed.values, weighed.scores);
}

export function entropy(dist: unknown): unknown {
  const weighed = liftedValues(dist);
  return weighed === undefined ? (plain.entropy as Plain)(dist) : entropyOf(weighed.scores);
}

export function marginalize(dist: unknown, projection: unknown): unknown {
  const weighed = typeof projection === 'symbol' ? undefined : liftedValues(dist);
  if (weighed === undefined) return (plain.marginalize as Plain)(dist, projection);
  const own = machine.address;
  const { effects } = machine;
  const collector = new LiftedCollector<unknown>();
  const logZ = dist instanceof LiftedMarginal ? dist.logZ : 0;
  weighed.values.forEach((value, i) => {
    machine.address = own.index(i);
    const projected =
      typeof projection === 'function'
        ? projection(value)
        : (value as Record<string, unknown> | null)?.[projection as string];
    collector.add(projected, ops.add(weighed.scores[i], logZ) as number);
  });
  machine.address = own;
  // A function that makes choices needs an inference of its own.
  return machine.effects === effects ? collector.build() : (plain.marginalize as Plain)(dist, projection);
}
