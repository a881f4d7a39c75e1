import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import type { Distribution } from '../runtime/handler.ts';
import { machine } from '../runtime/machine.ts';
import { isDistribution } from '../runtime/primitives.ts';
import { Tensor } from '../tensor/tensor.ts';
import { checkFunction } from './arguments.ts';
import { weightedValues } from './weighted.ts';

const FORM = 'expectation(dist, fn)';

/** What an average of values is: numbers, booleans (as 0 and 1) and tensors have one. */
export type Averaged<R> = R extends number | boolean ? number : R;

/**
 * The expected value of a function of a distribution's value, or of the value itself: a sum over finitely many
 * values, an average over samples, or the mean where the family knows it.
 *
 *     const dice = Infer(() => randomInteger(6) + randomInteger(6) + 2);
 *     [expectation(dice), expectation(dice, (n) => n > 9)]
 */
export function expectation<V extends number | boolean | Tensor>(dist: Distribution<V>): Averaged<V>;
export function expectation<V, R extends number | boolean | Tensor>(
  dist: Distribution<V>,
  fn: (value: V) => R,
): Averaged<R>;
export function expectation(dist: Distribution<unknown>, fn?: (value: unknown) => unknown): unknown {
  if (!isDistribution(dist)) {
    throw new WaymarkError(`expectation needs a distribution, as in ${FORM}; got ${describe(dist)}.`);
  }
  if (fn !== undefined && typeof fn !== 'function') checkFunction(FORM, fn);
  const weighted = weightedValues(dist);
  if (weighted === undefined) return closedForm(dist, fn !== undefined);
  const own = machine.address;
  const average = new Average();
  for (let i = 0; i < weighted.values.length; i++) {
    if (weighted.weights[i] === 0) continue;
    if (fn === undefined) average.add(weighted.weights[i], weighted.values[i]);
    else {
      machine.address = own.index(i);
      average.add(weighted.weights[i], fn(weighted.values[i]));
    }
  }
  machine.address = own;
  return average.result();
}

function closedForm(dist: Distribution<unknown>, ofFunction: boolean): unknown {
  const { mean } = dist as { mean?(): unknown };
  if (mean !== undefined && !ofFunction) return mean.call(dist);
  const what = ofFunction ? 'The expectation of a function' : 'The expectation';
  throw new WaymarkError(
    `${what} is not known in closed form for ${dist.name}. Draw samples first: ` +
      `expectation(Infer({method: 'forward', samples: 10000, model: () => sample(dist)}), fn).`,
  );
}

/** A weighted sum of numbers or of tensors. */
class Average {
  private total = 0;
  private entries: { dims: readonly number[]; data: Float64Array } | null = null;

  add(weight: number, value: unknown): void {
    if (typeof value === 'number') this.total += weight * value;
    else if (typeof value === 'boolean') this.total += value ? weight : 0;
    else if (value instanceof Tensor) this.addTensor(weight, value);
    else if (value === undefined) this.addNothing(weight);
    else {
      throw new WaymarkError(
        `expectation needs numbers to average, got ${describe(value)}. Give it a function that makes a number of ` +
          `each value, as in ${FORM}.`,
      );
    }
  }

  /** As in WebPPL, where functions of values are easily without a result, and averages of them that are not used. */
  private addNothing(weight: number): void {
    machine.run.warn(
      'expectation was given undefined as a value to average, and is NaN. Does the model, or the function, return a number?',
    );
    this.total += weight * Number.NaN;
  }

  private addTensor(weight: number, { dims, data }: Tensor): void {
    if (this.entries === null) this.entries = { dims, data: new Float64Array(data.length) };
    const total = this.entries.data;
    if (total.length !== data.length) {
      throw new WaymarkError(
        `expectation needs tensors of one shape, got dims [${this.entries.dims.join(', ')}] and [${dims.join(', ')}].`,
      );
    }
    for (let i = 0; i < total.length; i++) total[i] += weight * data[i];
  }

  result(): number | Tensor {
    return this.entries === null ? this.total : new Tensor(this.entries.dims, this.entries.data);
  }
}
