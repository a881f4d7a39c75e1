import { atDatum } from '../runtime/datum-error.ts';
import { describe } from '../runtime/describe.ts';
import { didYouMean, WaymarkError } from '../runtime/errors.ts';
import { Iterations } from '../runtime/iteration.ts';
import { checkFunction, itemsOf, type List } from './arguments.ts';
import { rowsOf } from './map-data.ts';

const FORM = 'foldData({data, init}, fn)';
const OPTIONS = ['data', 'init'];

/** First argument of `foldData`. */
export interface FoldDataOptions<A, S> {
  /** The items, in their order: an array, a vector, or a matrix for its rows. */
  data: List<A>;
  /** The state before the first of them. */
  init: S;
}

/** Checks the first argument; gives what the second must be. */
export function checkFoldData(options: unknown, fn: unknown): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new WaymarkError(
      `foldData takes its data and its first state in an object, as in ${FORM}; got ${describe(options)}.`,
    );
  }
  for (const name of OPTIONS) {
    if (!(name in options)) throw new WaymarkError(`foldData needs ${name}, as in ${FORM}.`);
  }
  for (const name in options) {
    if (!OPTIONS.includes(name)) {
      throw new WaymarkError(
        `foldData has no option '${name}'; it takes ${OPTIONS.join(' and ')}.${didYouMean(name, OPTIONS)} For minibatches of ` +
          'sequences, call it inside mapData.',
      );
    }
  }
  if (typeof fn !== 'function') checkFunction(FORM, fn);
}

/** A step that gives nothing has most likely forgotten to. */
export function checkState(state: unknown, before: unknown, i: number): void {
  if (state === undefined && before !== undefined) {
    throw new WaymarkError(`foldData: the function returned nothing for item ${i}; it must return the next state.`);
  }
}

/**
 * Goes through a sequence from its first item to its last, with a state: `fn(state, datum, index)` gives the next state, and
 * the last of them is returned. What happens at an item may depend on all that came before it. Sequences of different length
 * inside `mapData` run side by side.
 *
 *     Infer(() => foldData({data: [0.8, 1.1, 0.4], init: 0}, (x, y) => {
 *       const next = gaussian(0.9 * x, 1);
 *       observe(Gaussian({mu: next, sigma: 0.5}), y);
 *       return next;
 *     }), {method: 'SMC', particles: 1000})
 */
export function foldData<A, S>(options: FoldDataOptions<A, S>, fn: (state: S, datum: A, index: number) => S): S {
  checkFoldData(options, fn);
  const data = itemsOf(FORM, rowsOf(options.data));
  const iterations = new Iterations();
  let state = options.init;
  let i = 0;
  try {
    for (; i < data.length; i++) {
      iterations.enter(i);
      const next = fn(state, data[i], i);
      checkState(next, state, i);
      state = next;
    }
  } catch (thrown) {
    throw atDatum(thrown, i);
  } finally {
    iterations.leave();
  }
  return state;
}
