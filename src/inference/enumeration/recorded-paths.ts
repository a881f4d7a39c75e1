/**
 * Paths of an enumeration that are followed without executing the program. What it computes along one path is recorded
 * (`src/lanes/density/`), and holds for all paths through the same choices. Where the program might go another way, it is
 * executed. Weights and values are to the last bit what executions would have given.
 */

import { once } from '../../compiler/once.ts';
import type { ListedChoice, RecordedPath } from '../../lanes/density/paths.ts';
import { recorders } from '../../lanes/density/recorders.ts';
import { FACTOR_SCORE, IMPOSSIBLE, SCORES, UNKNOWN } from '../../lanes/density/results.ts';
import {
  explain,
  fail,
  failureOf,
  OTHER_WAYS,
  recordingObstacle,
  straysOften,
  tell,
  UNFAITHFUL,
} from '../../lanes/obstacles.ts';
import type { Address } from '../../runtime/address.ts';
import { UNRECORDED } from '../../runtime/costs.ts';
import { abandoned, type Entry } from '../../runtime/execution.ts';
import { machine, type Run } from '../../runtime/machine.ts';
import type { RandomStream } from '../../runtime/random.ts';
import { Reason } from '../../runtime/reasons.ts';
import { sameValue } from '../../runtime/values.ts';
import { optimising } from '../../v8/optimising.ts';
import type { Model } from '../algorithm.ts';
import { DepthFirst } from './depth-first.ts';
import { type Search, unforeseen } from './search.ts';

/** Executions before a recording, which takes longer than the first few of them. */
const PATIENCE = 128;
/** From this many paths on, a recording pays. */
const WORTH_IT = 2000;
/** The same for an inference that is made again and again: by then V8 has compiled what executions do, which makes them fast. */
const WORTH_IT_AGAIN = 20_000;

/** Calls of the program whose paths were recorded before. */
const recordedIn = once((_run: Run) => new Set<Address['key']>());

function isFirstAt(entry: Entry): boolean {
  const known = recordedIn(machine.run);
  const first = !known.has(entry.address.key);
  known.add(entry.address.key);
  return first;
}
const FEW_PATHS = new Reason('few', 'there are few');
const GO_ON = new Reason('method', 'executions go on from one another');

/** Recordings in one enumeration at most. */
const MOST_RECORDINGS = 4;

export class RecordedPaths {
  private path: RecordedPath | null = null;
  private recordings = 0;
  /** Since the last recording, or since its end. */
  private executed = 0;
  private followed = 0;
  /** Executions before the next recording that made other choices, and what the search told of that last. */
  private strays = 0;
  private detours = 0;
  /** So many choices of the path that the search is on are those recorded. */
  private matching = 0;
  private readonly scores: number[] = [];
  /** Whether it has said how paths are followed. */
  private told = false;

  private constructor(
    private readonly search: DepthFirst,
    private readonly entry: Entry,
    private readonly model: Model<unknown>,
    private readonly stream: RandomStream,
    private readonly obstacle: Reason | null,
  ) {}

  /** For a search that may be long enough; null for others. */
  static of<T>(search: Search, entry: Entry, model: Model<T>, stream: RandomStream): RecordedPaths | null {
    if (!(search instanceof DepthFirst) || search.lifted || failureOf(entry) !== undefined) return null;
    return new RecordedPaths(search, entry, model, stream, recordingObstacle(entry));
  }

  /** Follows the path that the search is on: what the model returns, `abandoned`, or `unforeseen`. */
  follow(): unknown {
    const { path, search } = this;
    if (path === null || search.length > this.matching) return unforeseen;
    const { choices, values } = path;
    const [results] = path.buffers;
    const start = search.length;
    values[start - 1] = choices[start - 1].numbers[search.path[start - 1].place];
    for (let k = start; k < choices.length; k++) values[k] = choices[k].numbers[0];
    let found = path.course(results);
    for (let k = start; k < choices.length && found !== UNKNOWN && results[SCORES + k] > -Infinity; k++) {
      const choice = choices[k];
      const scores = this.scoresOf(choice, results);
      if (scores[0] === -Infinity && !isPossible(choice.values, scores)) {
        found = UNKNOWN;
        break;
      }
      search.foresee(choice.address, choice.values, scores, results[SCORES + k]);
      const number = choice.numbers[search.path[k].place];
      if (number === values[k]) continue;
      // The first of its values is impossible here.
      values[k] = number;
      found = path.course(results);
    }
    this.matching = search.length;
    if (found === UNKNOWN) return unforeseen;
    this.followed++;
    search.skipTo(search.length);
    search.score = results[FACTOR_SCORE];
    return found === IMPOSSIBLE ? abandoned : path.valueIn(results);
  }

  private scoresOf({ scores, leaf, values }: ListedChoice, results: Float64Array): readonly number[] {
    if (scores !== null) return scores;
    for (let i = 0; i < values.length; i++) this.scores[i] = this.path!.leaf(leaf + i, results);
    return this.scores;
  }

  /** After an execution: whether paths may still be followed. */
  note(value: unknown): boolean {
    this.executed++;
    const { path } = this;
    if (path === null) {
      if (this.hasStrayed()) this.strays++;
      if (this.executed < PATIENCE || value === abandoned) return true;
      if (this.recordings === MOST_RECORDINGS || !this.isWorthwhile()) return false;
      const obstacle = this.obstacle ?? (straysOften(this.strays, this.executed) ? OTHER_WAYS : null);
      if (obstacle === null) return this.record(value);
      this.giveUp(obstacle);
      return false;
    }
    this.match(path);
    if (!straysOften(this.executed, this.followed)) return true;
    this.leave();
    this.executed = 0;
    this.strays = 0;
    this.giveUp(OTHER_WAYS);
    // Another would hardly do better, if this one has not saved what it took to make.
    return this.followed >= PATIENCE;
  }

  /** Whether the last execution made other choices than those before. */
  private hasStrayed(): boolean {
    const { detours } = this.search;
    const strayed = detours > this.detours;
    this.detours = detours;
    return strayed;
  }

  /** Follows nothing more. */
  leave(): void {
    if (this.path === null) return;
    this.path = null;
    optimising.looping(false);
  }

  /** After the last path. */
  end(): void {
    if (!this.told) tell(this.entry, 'enumerate', FEW_PATHS, `each path executes the model, because ${FEW_PATHS}.`);
  }

  private giveUp(reason: Reason): void {
    this.told = true;
    explain(this.entry, 'enumerate', reason, `each path executes the model, because ${reason}.`, { cost: UNRECORDED });
  }

  private isWorthwhile(): boolean {
    const paths = this.paths();
    return paths >= WORTH_IT_AGAIN || (paths >= WORTH_IT && (this.recordings > 0 || isFirstAt(this.entry)));
  }

  /** How many paths there are, if all go through as many choices as this one. */
  private paths(): number {
    const { path, length } = this.search;
    let product = 1;
    for (let k = 0; k < length; k++) product *= path[k].values.length;
    return product;
  }

  /** Finds out how far the search is on the path recorded. */
  private match({ choices, values: given }: RecordedPath): void {
    const { search } = this;
    let k = 0;
    for (; k < search.length && k < choices.length; k++) {
      const { address, values, place } = search.path[k];
      if (address !== choices[k].address || !areSame(values, choices[k].values)) break;
      given[k] = choices[k].numbers[place];
    }
    this.matching = k;
  }

  private record(value: unknown): boolean {
    const { search, entry, model } = this;
    this.recordings++;
    this.executed = 0;
    this.followed = 0;
    const usable = search.restarts && search.length > 0 && !this.stream.used;
    const known = search.path.slice(0, search.length);
    const made = usable ? recorders.current!.path(entry, model, known, this.stream.again()) : GO_ON;
    const reason = made instanceof Reason ? made : this.refute(made, value);
    if (reason !== null) {
      fail(entry, reason);
      this.giveUp(reason);
      return false;
    }
    this.told = true;
    explain(entry, 'enumerate', 'recording', 'paths compute what was recorded of an execution.');
    this.path = made as RecordedPath;
    optimising.looping(true);
    return true;
  }

  /** The reason not to use a recording, if its results on its own path are not those of the execution. */
  private refute(recorded: RecordedPath, value: unknown): Reason | null {
    const { path, length, score } = this.search;
    const [results] = recorded.buffers;
    this.match(recorded);
    const agrees =
      this.matching === length &&
      recorded.agrees({ choices: path, length }, results, score, null) &&
      sameValue(recorded.valueIn(results), value);
    return agrees ? null : UNFAITHFUL;
  }
}

function areSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a === b || (a.length === b.length && a.every((value, i) => value === b[i]));
}

function isPossible(values: readonly unknown[], scores: readonly number[]): boolean {
  for (let i = 0; i < values.length; i++) if (scores[i] > -Infinity) return true;
  return false;
}
