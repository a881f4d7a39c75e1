/**
 * **Enumeration** runs the program once for each path through its choices. The known choices of a path are replayed, and
 * their factors and observed values are not scored again. Depth first (`depth-first.ts`) keeps one path in arrays and
 * allocates nothing to replay it; the other strategies (`agenda-search.ts`) keep an agenda of paths. All executions of one
 * enumeration have the same random stream: an inner inference that draws samples gives the same result wherever the choices
 * before it are the same. A replay that meets another address than before is an error.
 *
 * What was done before is not done again, in programs that keep no state:
 *
 * - A path is resumed at the last call in return position before its first new choice (`runtime/returning.ts`).
 * - Paths that come to the same such call with the same arguments have the same futures. These are found once and then added
 *   up (`remaining-calls.ts`): a hidden Markov model of n steps takes some n executions instead of 2ⁿ.
 * - Iterations of `map` and its like before the first new choice keep their results (`past-iterations.ts`).
 * - An inner enumeration is recalled if the variables that its model depends on have the same contents as before
 *   (`recall.ts`). A speaker who reasons about a listener then makes one inference per utterance, and an agent that plans by
 *   calling itself one per state.
 * - Calls without choices that may take long are made once for the same arguments (`lasting-calls.ts`), in chains, too.
 *
 * Programs that compare objects by `===` see no difference: plain text tells the runtime of such comparisons (`contents.ts`).
 */

import { MarginalBuilder } from '../../distributions/marginal.ts';
import { INSIDE, tell } from '../../lanes/obstacles.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import { abandoned, Entry } from '../../runtime/execution.ts';
import { machine } from '../../runtime/machine.ts';
import { isSignal, isStackOverflow } from '../../runtime/signals.ts';
import { callApart } from '../../v8/call-apart.ts';
import type { Algorithm, Model, Posterior } from '../algorithm.ts';
import { areSideBySide, inferEach } from '../column-inferences.ts';
import type { EvidenceResult } from '../method-types.ts';
import { flag, limit, oneOf, positiveNumber, withDefault } from '../options.ts';
import { IterationCount } from '../progress.ts';
import { recalled } from '../recall.ts';
import { throwOrReturn } from '../throw-on-error.ts';
import { PriorityQueue, Queue } from './agenda.ts';
import { AgendaSearch } from './agenda-search.ts';
import { DepthFirst } from './depth-first.ts';
import { RecordedPaths } from './recorded-paths.ts';
import { type Collector, liftedEnumeration, type Search, type SearchLimits, unforeseen } from './search.ts';

type Strategy = 'depthFirst' | 'breadthFirst' | 'likelyFirst';

export interface EnumerateOptions {
  /** Executions run to their end, impossible ones included, after which the result so far is taken. */
  maxExecutions: number;
  /** Left out: `likelyFirst` if `maxExecutions` is finite, else `depthFirst`. */
  strategy: Strategy | 'automatic';
  /** Milliseconds after which the result so far is taken. */
  maxRuntimeInMS: number;
  /** Gives up if the first execution to end suggests that there are more partial executions than this. */
  maxEnumTreeSize: number;
  /** False: an error is returned as the result instead of being thrown. */
  throwOnError: boolean;
}

/** No execution of a real model makes as many choices; one that does is caught in a loop. */
const ENDLESS = 100_000;

/** Executions between two looks at the clock. */
const CLOCK_INTERVAL = 128;

const strategy = oneOf<Strategy>('depthFirst', 'breadthFirst', 'likelyFirst');

/** Exact inference: runs the program along every path of choices, and adds up the weights of equal values. */
export const enumerate: Algorithm<EnumerateOptions, EvidenceResult> = {
  name: 'enumerate',
  texts: ['recording'],

  options: {
    maxExecutions: withDefault(limit(1), Infinity),
    strategy: withDefault<Strategy | 'automatic'>(strategy, 'automatic'),
    maxRuntimeInMS: withDefault(positiveNumber, Infinity),
    maxEnumTreeSize: withDefault(positiveNumber, Infinity),
    throwOnError: withDefault(flag, true),
  },

  run<T>(model: Model<T>, options: EnumerateOptions): Posterior<T> {
    if (areSideBySide()) return inferEach('enumerate', model, (one) => search(one, options));
    return throwOrReturn(options.throwOnError, () => search(model, options));
  },
};

/** Searches whose results are kept apart. */
const KINDS = {
  automatic: 'enumerate automatic',
  depthFirst: 'enumerate depthFirst',
  breadthFirst: 'enumerate breadthFirst',
  likelyFirst: 'enumerate likelyFirst',
};

function search<T>(model: Model<T>, options: EnumerateOptions): Posterior<T> {
  const { maxExecutions, maxRuntimeInMS, strategy } = options;
  const infer = (): Visited<T> => visit(model, searchFor(options), maxExecutions, clockLimit(maxRuntimeInMS));
  const complete = maxExecutions === Infinity && maxRuntimeInMS === Infinity;
  const outcome = complete ? recalled(KINDS[strategy], model, infer) : infer().result;
  if (typeof outcome === 'string') throw new WaymarkError(outcome);
  return outcome;
}

/** Visits all executions from left to right, with nodes for scores where gradients are asked for. */
export function depthFirst(limits: SearchLimits): Search {
  return machine.lifted && liftedEnumeration.current !== null
    ? liftedEnumeration.current.depthFirst(limits)
    : new DepthFirst(limits);
}

function searchFor({ strategy, maxExecutions, maxEnumTreeSize }: EnumerateOptions): Search {
  const limits = { depth: ENDLESS, treeSize: maxEnumTreeSize, tentative: false };
  const standard = maxExecutions < Infinity ? 'likelyFirst' : 'depthFirst';
  switch (strategy === 'automatic' ? standard : strategy) {
    case 'depthFirst':
      return depthFirst(limits);
    case 'breadthFirst':
      return new AgendaSearch(limits, new Queue());
    case 'likelyFirst':
      return new AgendaSearch(limits, new PriorityQueue());
  }
}

function clockLimit(milliseconds: number): ((executions: number) => string | undefined) | undefined {
  if (milliseconds === Infinity) return undefined;
  const start = Date.now();
  return (executions) => {
    if (executions % CLOCK_INTERVAL !== 0 || Date.now() - start <= milliseconds) return undefined;
    return (
      `enumerate has taken longer than maxRuntimeInMS (${milliseconds} ms) and is not finished. ` +
      'Raise maxRuntimeInMS, give maxExecutions, or use a method that draws samples (MCMC, SMC, rejection).'
    );
  };
}

/** The outcome of an enumeration. */
interface Visited<T> {
  /** The marginal distribution of the program's value, or the reason why there is none. */
  readonly result: Posterior<T> | string;
  /** Whether an inner inference drew random numbers. */
  readonly drew: boolean;
}

/**
 * Runs the program along the paths of the search. There is no result if `stop` says so after some execution, or the
 * search refuses.
 */
export function visit<T>(
  model: Model<T>,
  search: Search,
  maxExecutions: number,
  stop?: (executions: number) => string | undefined,
): Visited<T> {
  const builder: Collector<T> = search.lifted ? liftedEnumeration.current!.collector<T>() : new MarginalBuilder<T>();
  search.begin(builder as Collector<unknown>, maxExecutions === Infinity);
  const count = new IterationCount('enumerate', maxExecutions < Infinity ? maxExecutions : undefined);
  const entry = Entry.exact();
  // One and the same stream for all: where the choices are the same, so is whatever an inner inference draws.
  const stream = entry.streamOf(0);
  const recorded = RecordedPaths.of(search, entry, model, stream);
  let paths = recorded;
  const follow = (): unknown => paths!.follow();
  const execute = (): T | typeof abandoned => {
    const from = search.start();
    stream.goTo(from === null ? 0 : from.begun);
    let value: T | typeof abandoned = abandoned;
    try {
      value = entry.again(search, model, stream, from);
    } catch (thrown) {
      if (!search.pardons(thrown)) throw thrown;
    }
    search.ended(value);
    return value;
  };
  /** The reason to end early, if there is one. */
  const visitAll = (): string | undefined => {
    do {
      const known = paths === null ? search.foreseen() : callApart(follow);
      let value = known as T | typeof abandoned | typeof unforeseen;
      if (value === unforeseen) {
        value = execute();
        count.within();
        if (paths !== null && !paths.note(value)) paths = null;
      }
      if (search.refusal !== null) return search.refusal;
      if (search.suspended) continue;
      if (value !== abandoned) {
        if (search.unmet > 0) search.strayed();
        search.sized = true;
        search.found(value);
      }
      count.step();
      const reason = stop?.(count.done);
      if (reason !== undefined) return reason;
    } while (count.done < maxExecutions && search.advance());
    return undefined;
  };
  try {
    const reason = entry.many(search, visitAll);
    if (reason !== undefined) return { result: reason, drew: stream.used };
    recorded?.end();
    if (search.lifted) tellLifted(entry);
  } catch (thrown) {
    if (!isStackOverflow(thrown) || isSignal(thrown) || search.length === 0) throw thrown;
    return { result: search.endless(), drew: stream.used };
  } finally {
    count.finish();
    recorded?.leave();
  }
  const marginal = builder.build();
  if (marginal !== undefined) return { result: marginal, drew: stream.used };
  throw new WaymarkError(nothingPossible(count.done, maxExecutions));
}

/** In the graph an enumeration is made once for all lanes. */
function tellLifted(entry: Entry): void {
  tell(entry, 'enumerate', machine.lanes === null ? INSIDE : 'lanes', 'each path executes the model, in the graph.');
}

function nothingPossible(executions: number, maxExecutions: number): string {
  if (executions >= maxExecutions) {
    return (
      `enumerate: none of the first ${executions} executions is possible (factors of −Infinity, conditions that do ` +
      'not hold). Raise maxExecutions.'
    );
  }
  return (
    'enumerate: no execution of this program is possible. Some factor is −Infinity, some condition does not hold or ' +
    'some observed value is outside its distribution’s support, whatever the choices.'
  );
}
