import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { lifting } from '../runtime/lifting.ts';
import { during, machine, runsDirectly } from '../runtime/machine.ts';
import { made } from '../runtime/made-functions.ts';
import { OneByOne } from '../runtime/signals.ts';
import { checkFunction } from './arguments.ts';
import { type CachedResults, LimitedResults, UnlimitedResults } from './cached-results.ts';

/** Beyond this many results a cache without a limit asks whether it should have one. */
const MANY = 10_000;

/** A function with its results so far. */
export interface Cached<A extends unknown[], B> {
  (...args: A): B;
  readonly cache: CachedResults<B>;
}

/**
 * A function that remembers across executions what it returned for which arguments (compared by structure), for
 * deterministic functions that are slow: typically because they run an inference of their own. With a limit, the
 * results not used for longest are forgotten.
 *
 *     const listener = cache((word) => Infer(() => {
 *       const truth = flip(0.5);
 *       condition(word === 'yes' ? truth : !truth);
 *       return truth;
 *     }));
 *     listener('yes').score(true)
 */
export function cache<A extends unknown[], B>(fn: (...args: A) => B, maxSize?: number): Cached<A, B> {
  checkFunction('cache(fn, maxSize)', fn);
  const limited = maxSize !== undefined && maxSize !== Infinity;
  if (limited && !(Number.isInteger(maxSize) && maxSize >= 1)) {
    throw new WaymarkError(`cache: maxSize must be a whole number of at least 1, got ${describe(maxSize)}.`);
  }
  const results: CachedResults<B> = limited ? new LimitedResults(maxSize) : new UnlimitedResults();

  // Which executions find a result depends on how they are run: what they choose afterwards must not.
  const call = (args: A): B =>
    runsDirectly() ? fn(...args) : during({ stream: machine.stream.aside() }, () => fn(...args));

  function cached(...args: A): B {
    if (machine.columns !== null) throw new OneByOne('state', 'results of a function are kept');
    const lifted = machine.lifted ? lifting.current : null;
    // What gradients pass through belongs to one execution, and is computed in each.
    if (lifted?.holds(args)) return call(args);
    const found = results.find(args);
    if (found !== undefined) return found.value;
    const before = machine.effects;
    const value = call(args);
    if (machine.effects !== before && !runsDirectly()) warnOfChoice(fn);
    if (lifted?.holds(value)) return value;
    results.keep(args, value);
    if (results.size === MANY && !limited) warnOfSize(fn);
    return value;
  }
  return made(Object.assign(cached, { cache: results }), 'cache', () => [fn]);
}

const titleOf = (fn: { name: string }): string =>
  fn.name === '' ? 'A cached function' : `The cached function ${fn.name}`;

function warnOfChoice(fn: { name: string }): void {
  machine.run.warn(
    `${titleOf(fn)} made a random choice or a factor during an inference, which happens only the first time and is ` +
      'not repeated in later executions. Use mem to remember choices within an execution, and cache for ' +
      'deterministic functions.',
  );
}

function warnOfSize(fn: { name: string }): void {
  machine.run.warn(
    `${titleOf(fn)} has been called with ${MANY} different arguments. If memory becomes short, give a limit: ` +
      'cache(fn, maxSize).',
  );
}
