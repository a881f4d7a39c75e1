/** Moments, quantiles and tables of finitely many values with probabilities, any of which may be nodes. */
import type { Scored } from '../distributions/distribution.ts';
import type { Entry } from '../distributions/tabulated.ts';
import { holdsNode } from '../lanes/value.ts';
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { settled } from '../runtime/force.ts';
import type { Distribution } from '../runtime/handler.ts';
import { isDistribution } from '../runtime/primitives.ts';
import { valueKey } from '../runtime/values.ts';
import { isTruth, Node, type Value } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import { Tensor } from '../tensor/tensor.ts';
import * as conditions from './conditions.ts';
import { meetsNode } from './tensor-nodes.ts';

export interface Weighed {
  readonly values: readonly unknown[];
  /** Log-probabilities. */
  readonly scores: readonly Value[];
}

/** The values of a distribution over finitely many with their scores, if nodes are among them. */
export function liftedValues(dist: unknown): Weighed | undefined {
  if (!isDistribution(dist) || dist.isContinuous) return undefined;
  const values = (dist as Distribution<unknown>).support?.();
  if (!Array.isArray(values)) return undefined;
  const scores = values.map((value: unknown) => dist.score(value) as Value);
  return holdsNode(values) || meetsNode(scores) ? { values, scores } : undefined;
}

export interface WeighedNumbers {
  readonly values: readonly Value[];
  /** Probabilities. */
  readonly weights: readonly Value[];
}

const total = (terms: readonly Value[]): Value => terms.reduce((a, b) => ops.add(a, b), 0);

/** A number to calculate with: truth values count as 0 and 1. */
export function numberOf(caller: string, value: unknown): Value {
  if (isTruth(value)) return ops.select(value as Value, 1, 0);
  if (typeof value === 'number' || value instanceof Node) return value;
  throw new WaymarkError(`${caller} needs numbers, and here is ${describe(value)}.`);
}

export function numbersOf(caller: string, { values, scores }: Weighed): WeighedNumbers {
  return {
    values: values.map((value) => numberOf(caller, value)),
    weights: scores.map((score) => ops.exp(score)),
  };
}

/** A sum of terms, of numbers or of tensors. */
export function averageOf({ values, weights }: WeighedNumbers): Value {
  return total(values.map((value, i) => ops.mul(weights[i], value)));
}

export function varianceOf(numbers: WeighedNumbers): Value {
  const mean = averageOf(numbers);
  return averageOf({ ...numbers, values: numbers.values.map((value) => ops.square(ops.sub(value, mean))) });
}

/** In nats; what has no probability adds nothing. */
export function entropyOf(scores: readonly Value[]): Value {
  const finite = (score: Value): Value => ops.select(ops.gt(score, -Infinity), score, 0);
  return ops.neg(total(scores.map((score) => ops.mul(ops.exp(score), finite(score)))));
}

export function cdfOf({ values, weights }: WeighedNumbers, x: Value): Value {
  return ops.min(1, total(values.map((value, i) => ops.select(ops.le(value, x), weights[i], 0))));
}

/** The places of numbers in ascending order: they are looked at. */
export function ascendingPlaces(values: readonly Value[]): number[] {
  const numbers = values.map((value) => settled(value) as number);
  return numbers.map((_, i) => i).sort((i, j) => numbers[i] - numbers[j]);
}

/** The smallest value with at least probability p at or below it. */
export function quantileOf({ values, weights }: WeighedNumbers, p: number): Value {
  // (As for plain numbers: a sum that is p on paper may fall short of it by rounding.)
  const enough = p - 1e-12;
  const order = ascendingPlaces(values);
  let sum = 0;
  for (const place of order) {
    const weight = settled(weights[place]) as number;
    sum += weight;
    if (weight > 0 && sum >= enough) return values[place];
  }
  return values[order[order.length - 1]];
}

/** The most probable value; the first of them on a tie. */
export function mostProbable<V>(values: readonly V[], scores: readonly Value[]): Scored<V> {
  let best = 0;
  for (let i = 1; i < scores.length; i++) if (conditions.truth(ops.gt(scores[i], scores[best]))) best = i;
  return { val: values[best], score: scores[best] as number };
}

/** Values by their JSON text, with their probabilities. */
export function listed<V>(values: readonly V[], scores: readonly Value[]): Record<string, Entry<V>> {
  const list: Record<string, Entry<V>> = {};
  values.forEach((val, i) => {
    const plain = settled(val);
    const text = plain instanceof Tensor || typeof plain === 'function' ? undefined : JSON.stringify(plain);
    list[text === undefined || text in list ? String(valueKey(plain)) : text] = {
      val,
      prob: ops.exp(scores[i]) as number,
    };
  });
  return list;
}
