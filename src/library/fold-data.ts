import { asGuide, NoGuides } from '../guides/guide-values.ts';
import type { Posterior } from '../inference/algorithm.ts';
import type { Address } from '../runtime/address.ts';
import { atDatum } from '../runtime/datum-error.ts';
import { describe } from '../runtime/describe.ts';
import { didYouMean, WaymarkError } from '../runtime/errors.ts';
import type { Distribution } from '../runtime/handler.ts';
import { Iterations } from '../runtime/iteration.ts';
import { machine } from '../runtime/machine.ts';
import { checkFunction, isListLike, itemsOf, type List } from './arguments.ts';
import { mapData, rowsOf } from './map-data.ts';
import { knownState, sumOverStates } from './summed-states.ts';

const FORM = 'foldData({data, init}, fn)';
const NEEDED = ['data', 'init'];
const OPTIONS = [...NEEDED, 'backwards', 'sumOut', 'batchSize', 'window'];

/** A pass from the last item to the first, made before the choices. Its results are for guides. */
export interface BackwardsPass<A, H> {
  /** The result behind the last item. */
  init: H;
  /** The result from an item on, given the result behind the item. It makes no choices. */
  fn: (ahead: H, datum: A, index: number) => H;
}

/** First argument of `foldData`. */
export interface FoldDataOptions<A, S, H = undefined> {
  /** The items, in their order: an array, a vector, or a matrix for its rows. */
  data: List<A>;
  /** The state before the first of them. */
  init: S;
  /** A pass from the last item to the first, made before the choices. The function is then given its result from the item on. */
  backwards?: BackwardsPass<A, H>;
}

/** First argument of `foldData` where choices are summed out. */
export interface SummedFoldOptions<A, S> {
  data: List<A>;
  init: S;
  /** The choices of each step are summed out, which needs finitely many states. */
  sumOut: true;
}

/** First argument of `foldData` for many sequences. */
export interface FoldManyOptions<A, S, H = undefined> {
  /** The sequences, each with its items in their order. */
  data: List<List<A>>;
  /** The state before the first item of each of them. */
  init: S;
  backwards?: BackwardsPass<A, H>;
  sumOut?: boolean;
  /** How many sequences, or windows, one step of an optimisation looks at; other methods look at all of them. */
  batchSize?: number;
  /** The most items of a sequence that are taken together: longer ones are cut, and each piece starts from `init`. */
  window?: number;
}

/** Checks the arguments. */
export function checkFoldData(options: unknown, fn: unknown): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new WaymarkError(
      `foldData takes its data and its first state in an object, as in ${FORM}; got ${describe(options)}.`,
    );
  }
  for (const name of NEEDED) {
    if (!(name in options)) throw new WaymarkError(`foldData needs ${name}, as in ${FORM}.`);
  }
  for (const name in options) {
    if (!OPTIONS.includes(name)) {
      throw new WaymarkError(
        `foldData has no option '${name}'; it takes ${OPTIONS.join(', ')}.${didYouMean(name, OPTIONS)}`,
      );
    }
  }
  if (typeof fn !== 'function') checkFunction(FORM, fn);
  const { backwards } = options as { backwards?: { init?: unknown; fn?: unknown } };
  const { sumOut, window } = options as { sumOut?: unknown; window?: unknown };
  if (sumOut !== undefined && typeof sumOut !== 'boolean') {
    throw new WaymarkError(`foldData: sumOut must be true or false, got ${describe(sumOut)}.`);
  }
  if (sumOut === true && backwards !== undefined) {
    throw new WaymarkError('foldData: choices that are summed out have no guides, for which backwards would be.');
  }
  if (window !== undefined && !(Number.isInteger(window) && (window as number) >= 1)) {
    throw new WaymarkError(`foldData: window must be a whole number of at least 1, got ${describe(window)}.`);
  }
  if (backwards !== undefined && (typeof backwards?.fn !== 'function' || !('init' in backwards))) {
    throw new WaymarkError(`foldData: backwards must be an object {init, fn}, got ${describe(backwards)}.`);
  }
}

/** One step of the pass that goes back: the result from an item on. */
export function stepBack<H>(at: Address, step: () => H): H {
  const { address, effects } = machine;
  machine.address = at;
  const found = asGuide(step);
  machine.address = address;
  if (machine.effects !== effects) {
    throw new WaymarkError('foldData: the function of backwards must not call sample, observe, factor or condition.');
  }
  return found;
}

/** The results of a pass that goes back; none where it needs the value of a `guide` while no guides are in force. */
export function whereGuided<H>(pass: () => H[]): H[] {
  try {
    return pass();
  } catch (thrown) {
    if (thrown instanceof NoGuides) return [];
    throw thrown;
  }
}

/** A step that returns nothing has most likely forgotten its `return`. */
export function checkState(state: unknown, before: unknown, i: number): void {
  if (state === undefined && before !== undefined) {
    throw new WaymarkError(`foldData: the function returned nothing for item ${i}; it must return the next state.`);
  }
}

/**
 * Goes through a sequence from its first item to its last, with a state: `fn(state, datum, index)` gives the next state, and the last of
 * them is returned. What happens at an item may depend on all that came before it. Sequences of different length inside `mapData` run
 * side by side. With `backwards: {init, fn}` there is a pass from the last item to the first before it, without choices; for its guides,
 * the function is given the result of that pass from its item on: `fn(state, datum, index, ahead)`.
 *
 * With `sumOut: true` the choices of each step are summed out instead of drawn, and the distribution of the last state is returned. With
 * `batchSize` or `window` the data are many sequences, independent of each other as those of `mapData`, and their last states are returned.
 *
 *     Infer(() => foldData({data: [0.8, 1.1, 0.4], init: 0}, (x, y) => {
 *       const next = gaussian(0.9 * x, 1);
 *       observe(Gaussian({mu: next, sigma: 0.5}), y);
 *       return next;
 *     }), {method: 'SMC', particles: 1000})
 */
export function foldData<A, S>(
  options: SummedFoldOptions<A, S>,
  fn: (state: S, datum: A, index: number) => S,
): Posterior<S>;
export function foldData<A, S, H = undefined>(
  options: FoldManyOptions<A, S, H> & ({ batchSize: number } | { window: number }),
  fn: (state: S, datum: A, index: number, ahead: H) => S,
): S[] | Posterior<S>[] | undefined;
export function foldData<A, S, H = undefined>(
  options: FoldDataOptions<A, S, H>,
  fn: (state: S, datum: A, index: number, ahead: H) => S,
): S;
export function foldData<A, S, H>(
  options: FoldDataOptions<A, S, H> & { sumOut?: boolean },
  fn: (state: S, datum: A, index: number, ahead: H) => S,
): unknown {
  checkFoldData(options, fn);
  if (isOfMany(options)) return foldMany(options, (one) => foldData(one as FoldDataOptions<A, S, H>, fn));
  const data = itemsOf(FORM, rowsOf(options.data));
  if (options.sumOut === true)
    return foldSummed(data, options.init, (state, i) => fn(state, data[i], i, undefined as H));
  const ahead = whereGuided(() => foundBackwards(data, options.backwards));
  let summed = machine.handler.summedStates?.(options.init);
  const iterations = new Iterations();
  let state = options.init;
  let i = 0;
  const step = (from: S): S => {
    const next = fn(from, data[i], i, ahead[i]);
    checkState(next, from, i);
    return next;
  };
  try {
    for (; i < data.length; i++) {
      iterations.enter(i);
      if (summed === undefined) state = step(state);
      else summed = summed.onward(step as (from: unknown) => unknown);
    }
  } catch (thrown) {
    throw atDatum(thrown, i);
  } finally {
    iterations.leave();
  }
  return summed === undefined ? state : summed.drawn();
}

/** Whether the data are many sequences. */
export const isOfMany = (options: object): boolean =>
  (options as { batchSize?: unknown }).batchSize !== undefined ||
  (options as { window?: unknown }).window !== undefined;

/** Each sequence by itself, or each piece of it. */
export function foldMany(options: object, fold: (one: object) => unknown): unknown {
  const { data, batchSize, window, ...rest } = options as FoldManyOptions<unknown, unknown, unknown>;
  const sequences = Array.from(itemsOf(FORM, data), (sequence, i) => {
    if (isListLike(sequence)) return itemsOf(FORM, rowsOf(sequence));
    throw new WaymarkError(
      `foldData: with batchSize or window the data are many sequences, each an array; item ${i} is ${describe(sequence)}.`,
    );
  });
  const pieces = window === undefined ? sequences : sequences.flatMap((sequence) => cut(sequence, window));
  return mapData({ data: pieces, batchSize }, (piece) => fold({ ...rest, data: piece }));
}

function cut<A>(sequence: ArrayLike<A>, window: number): A[][] {
  const items = Array.from(sequence);
  return Array.from({ length: Math.ceil(items.length / window) }, (_, i) => items.slice(i * window, (i + 1) * window));
}

/** The distribution of the last state, the choices of all steps summed out. */
function foldSummed<A, S>(data: ArrayLike<A>, init: S, step: (state: S, i: number) => S): Distribution<S> {
  const iterations = new Iterations();
  let states = knownState(init);
  let i = 0;
  try {
    for (; i < data.length; i++) {
      iterations.enter(i);
      states = sumOverStates(states, i, (state) => {
        const next = step(state, i);
        checkState(next, state, i);
        return next;
      });
    }
  } catch (thrown) {
    throw atDatum(thrown, i);
  } finally {
    iterations.leave();
  }
  return states;
}

/** The result of the pass that goes back, from each item on. */
function foundBackwards<A, H>(data: ArrayLike<A>, backwards: BackwardsPass<A, H> | undefined): H[] {
  const found: H[] = [];
  if (backwards === undefined) return found;
  const own = machine.address.at('backwards');
  let ahead = backwards.init;
  for (let i = data.length - 1; i >= 0; i--) {
    const behind = ahead;
    ahead = stepBack(own.index(i), () => backwards.fn(behind, data[i], i));
    found[i] = ahead;
  }
  return found;
}
