import { inView } from '../guides/datum-in-view.ts';
import { eachApart } from '../guides/joint/preceding-choices.ts';
import { atDatum } from '../runtime/datum-error.ts';
import { describe } from '../runtime/describe.ts';
import { didYouMean, WaymarkError } from '../runtime/errors.ts';
import type { DataPass } from '../runtime/handler.ts';
import { Iterations } from '../runtime/iteration.ts';
import { machine } from '../runtime/machine.ts';
import { isVector, Tensor } from '../tensor/tensor.ts';
import { checkFunction, itemsOf, type List } from './arguments.ts';

const FORM = 'mapData({data}, fn)';
const OPTIONS = ['data', 'batchSize', 'dreamBatchSize'];

/** First argument of `mapData`. */
export interface MapDataOptions<A> {
  /** The items: an array, a vector, or a matrix for its rows. */
  data: List<A>;
  /** How many items one step of an optimisation looks at; other methods look at all of them. */
  batchSize?: number;
  /** How many items a dream makes up, each with another item for its example. */
  dreamBatchSize?: number;
}

function checkOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null) {
    throw new WaymarkError(`mapData takes its data in an object, as in ${FORM}; got ${describe(options)}.`);
  }
  if (!('data' in options)) {
    const got = Array.isArray(options) ? 'an array. Write mapData({data: array}, fn)' : describe(options);
    throw new WaymarkError(`mapData takes its data in an object, as in ${FORM}; got ${got}.`);
  }
  for (const name in options) {
    if (!OPTIONS.includes(name)) {
      throw new WaymarkError(
        `mapData has no option '${name}'; it takes ${OPTIONS.join(', ')}.${didYouMean(name, OPTIONS)}`,
      );
    }
  }
}

function checkBatchSize(size: number | undefined, length: number): void {
  if (size === undefined) return;
  const least = length === 0 ? 0 : 1;
  if (Number.isInteger(size) && size >= least && size <= length) return;
  throw new WaymarkError(
    `mapData: batchSize must be a whole number from ${least} to the number of items, ${length}; got ${describe(size)}.`,
  );
}

/** That it is no more than there are data is a matter for dreams. */
function checkDreamBatchSize(size: number | undefined): void {
  if (size === undefined || (Number.isInteger(size) && size >= 1)) return;
  throw new WaymarkError(`mapData: dreamBatchSize must be a whole number of at least 1, got ${describe(size)}.`);
}

/** The rows of a matrix as vectors, the slices of a larger tensor along its first axis; other data as they are. */
export function rowsOf<A>(data: List<A>): List<A> {
  const tensor: unknown = data;
  if (!(tensor instanceof Tensor) || isVector(tensor) || (tensor as Tensor).rank < 2) return data;
  const { dims, data: numbers } = tensor as Tensor;
  const [count, ...rest] = dims;
  const size = numbers.length / count;
  const rowDims = rest.length === 1 ? [rest[0], 1] : rest;
  const row = (i: number): Tensor => new Tensor(rowDims, numbers.slice(i * size, (i + 1) * size));
  return Array.from({ length: count }, (_, i) => row(i)) as A[];
}

/**
 * `map` over data that are independent given what was chosen before: `fn(datum, index)`. Optimisation relies on the
 * independence to look at a few items per step.
 *
 *     const model = () => {
 *       const mu = modelParam({name: 'mu'});
 *       mapData({data: [1, 2, 3, 4], batchSize: 2}, (y) => observe(Gaussian({mu, sigma: 1}), y));
 *     };
 *     Optimize(model, {steps: 100, optMethod: {adam: {stepSize: 0.1}}});
 */
export function mapData<A, B>(
  options: MapDataOptions<A> & { batchSize?: undefined },
  fn: (datum: A, index: number) => B,
): B[];
/** With a minibatch there are results of some of the data alone: `Optimize` then gives undefined in their place. */
export function mapData<A, B>(options: MapDataOptions<A>, fn: (datum: A, index: number) => B): B[] | undefined;
export function mapData<A, B>(options: MapDataOptions<A>, given: (datum: A, index: number) => B): B[] | undefined {
  checkOptions(options);
  if (typeof given !== 'function') checkFunction(FORM, given);
  const fn = eachApart(inView(given));
  if (machine.handler.guided !== true) return mapped(options, fn);
  // `guide(fn)` may ask for the datum.
  const { item } = machine;
  try {
    return mapped(options, (datum, index) => {
      machine.item = { datum };
      return fn(datum, index);
    });
  } finally {
    machine.item = item;
  }
}

function mapped<A, B>(options: MapDataOptions<A>, fn: (datum: A, index: number) => B): B[] | undefined {
  const data = itemsOf(FORM, rowsOf(options.data));
  checkBatchSize(options.batchSize, data.length);
  checkDreamBatchSize(options.dreamBatchSize);
  // (Of no data, none are all: each would stand for 0 / 0.)
  const batchSize = data.length === 0 ? undefined : options.batchSize;
  const pass = machine.handler.mapData?.(data.length, batchSize, machine.address, options);
  const atOnce = pass?.together?.(data, fn);
  // (The results of a minibatch must not be taken for those of all data.)
  if (atOnce !== undefined) return handedOn(pass, atOnce);
  const indices = pass?.indices;
  const count = indices?.length ?? data.length;
  const result = new Array<B>(count);
  const iterations = new Iterations();
  let i = 0;
  try {
    for (let k = 0; k < count; k++) {
      i = indices === undefined ? k : indices[k];
      pass?.enter(i);
      iterations.enter(i);
      result[k] = fn(pass?.datum === undefined ? data[i] : (pass.datum(i, data[i]) as A), i);
      pass?.leave();
    }
  } catch (thrown) {
    throw atDatum(thrown, i);
  } finally {
    iterations.leave();
  }
  pass?.finish();
  return handedOn(pass, result);
}

/** The results as the program gets them; undefined in place of those of a minibatch. */
function handedOn<B>(pass: DataPass | undefined, results: B[]): B[] | undefined {
  if (pass?.withheld !== undefined) return pass.withheld as B[];
  return pass?.indices === undefined ? results : undefined;
}
