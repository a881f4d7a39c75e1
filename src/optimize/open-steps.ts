/**
 * Steps for programs in which lanes take other ways in every step. What such a step computes is recorded once for all ways
 * that lanes have ever taken: the lanes of each side of a conditional are _open_: which they are, and how many, is found
 * when the compiled step runs (`tensor/partition.ts`). A step in which a lane takes a new way is executed, and after a few
 * of these it is recorded anew.
 *
 * A recording may not depend on which lanes take a side. `Lanes.mapTo`, and code that looks at values, tell the recording
 * when something does, and the plan refuses numbers that are known of open lanes beforehand (`tensor/plan/program.ts`).
 */
import { unmergeable } from '../lanes/merging.ts';
import type { Ways } from '../lanes/ways.ts';
import { reasonOf } from '../runtime/faults.ts';
import { Reason } from '../runtime/reasons.ts';
import { OneByOne, PlacedReason } from '../runtime/signals.ts';
import { BadIndex } from '../tensor/kernels/indexing.ts';
import { openLanes } from '../tensor/plan/program.ts';
import type { CompiledStep } from './compiled-step.ts';
import type { CompiledSteps } from './compiled-steps.ts';

/** Thrown where a step cannot be recorded with open lanes. */
export class NotOpen extends OneByOne {
  constructor(readonly reason: Reason) {
    super(reason.code, reason.text);
  }
}

const SEVERAL_KINDS = 'the sides of a condition give values that are not of one kind';

/**
 * Why executions cannot be recorded so. A side is recorded with lanes that may not take it: on it they may do what no other
 * lane does, and fail. So errors of the program say nothing of the engine.
 */
export function notOpen(thrown: unknown): NotOpen {
  if (thrown instanceof NotOpen) return thrown;
  if (thrown === unmergeable) return new NotOpen(new PlacedReason('value', SEVERAL_KINDS));
  if (thrown instanceof BadIndex) return new NotOpen(new Reason('failed', `one of them failed: ${thrown.message}`));
  return new NotOpen(reasonOf(thrown, true));
}

/** Why executions that were recorded so cannot be compiled. The program does not run then: other errors are the engine's. */
function notCompiled(thrown: unknown): NotOpen {
  if (thrown instanceof NotOpen) return thrown;
  return new NotOpen(thrown === openLanes ? new Reason('courses', openLanes.message) : reasonOf(thrown));
}

/** So many steps are executed before the first is recorded; tests lower it. */
export const openAfter = { steps: 4 };
/** A recording waits for ways that are rarely taken, so that several come into it at once: for this many steps at most. */
const MOST_STEPS = 64;
/** With more points than this a recording costs more than it saves. */
const MOST_POINTS = 1024;
/** More recordings than this that did not work are not tried. */
const MOST_REFUSALS = 3;

/** Decides when a step is recorded for all ways. */
export class OpenSteps {
  private executed = 0;
  private patience: number = openAfter.steps;
  private refusals = 0;
  private recordedSize = 0;
  /** The ways that there is a recording for. */
  private recordedWays: ReadonlyMap<string, string> = NOTHING;
  /** What a checkpoint says of the ways known then, until the recording for `recordedWays` is made again. */
  private awaited: ReadonlyMap<string, string> | null = null;
  /** Why the last recording that was tried did not work. */
  refusal: Reason | null = null;

  constructor(private readonly ways: Ways) {}

  /** A step was executed in which lanes took ways. */
  wasExecuted(): void {
    this.executed++;
  }

  /** Whether recording is given up. */
  get isRefused(): boolean {
    return this.refusals === MOST_REFUSALS;
  }

  /** Whether no step is going to be recorded: lanes part elsewhere than at conditionals, or at too many. */
  get isHopeless(): boolean {
    const { size } = this.ways;
    return this.isRefused || size > MOST_POINTS || (size === 0 && this.executed >= this.patience);
  }

  /** Whether there was a recording before a checkpoint that is not made again yet. */
  get isAwaited(): boolean {
    return this.awaited !== null;
  }

  /** Whether the next step is to be recorded. */
  get isDue(): boolean {
    const { ways, executed, patience, recordedSize } = this;
    if (this.isAwaited) return true;
    if (executed < patience || this.isRefused) return false;
    return ways.size > recordedSize && ways.size <= MOST_POINTS;
  }

  /** What was compiled is not as steps are from now on. */
  recordAgain(compiled: CompiledSteps): void {
    compiled.clear();
    this.recordedSize = 0;
  }

  /** The step that is compiled from executions that are recorded so; undefined if that does not work. */
  recorded<R>(record: () => R, compile: (recorded: R) => CompiledStep): CompiledStep | undefined {
    const { ways, awaited } = this;
    if (awaited !== null) ways.restore(this.recordedWays);
    else this.executed = 0;
    let why = notOpen;
    try {
      const executions = record();
      why = notCompiled;
      const step = compile(executions);
      this.recordedSize = ways.size;
      this.refusal = null;
      if (awaited === null) {
        this.patience = Math.min(MOST_STEPS, 2 * this.patience);
        this.recordedWays = ways.save();
      } else ways.restore(awaited);
      return step;
    } catch (thrown) {
      // Steps are executed as before.
      this.refusal = why(thrown).reason;
      this.refusals++;
      return undefined;
    } finally {
      this.awaited = null;
    }
  }

  /** As numbers by name, for a checkpoint. */
  *save(): Iterable<[string, number]> {
    const known = this.awaited ?? this.ways.save();
    if (known.size === 0) return;
    for (const [path, text] of known) yield [`${KNOWN}${text} ${path}`, 1];
    for (const [path, text] of this.recordedWays) yield [`${RECORDED}${text} ${path}`, 1];
    const { executed, patience, refusals } = this;
    for (const [name, count] of Object.entries({ executed, patience, refusals })) yield [COUNTED + name, count];
  }

  /** Takes what belongs here out of the numbers of a checkpoint. */
  restore(numbers: Map<string, number>): void {
    const known = taken(numbers, KNOWN);
    const counted = (name: 'executed' | 'patience' | 'refusals'): void => {
      this[name] = numbers.get(COUNTED + name) ?? this[name];
      numbers.delete(COUNTED + name);
    };
    counted('executed');
    counted('patience');
    counted('refusals');
    this.recordedWays = taken(numbers, RECORDED);
    if (this.recordedWays.size > 0) this.awaited = known;
    else this.ways.restore(known);
  }
}

const NOTHING: ReadonlyMap<string, string> = new Map();
const KNOWN = 'ways ';
const RECORDED = 'recorded ways ';
const COUNTED = 'steps for all ways: ';

/** Texts of ways by the path of the place, which are names of numbers that begin so. */
function taken(numbers: Map<string, number>, beginning: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of [...numbers.keys()]) {
    if (!name.startsWith(beginning)) continue;
    numbers.delete(name);
    const [text] = name.slice(beginning.length).split(' ', 1);
    found.set(name.slice(beginning.length + text.length + 1), text);
  }
  return found;
}
