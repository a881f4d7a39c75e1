/**
 * What the runtime throws to change the course of an execution, and programs must not catch. A constant or a small
 * object rather than an Error: no stack trace is wanted.
 */
import { wordOf } from './error-words.ts';
import { WaymarkError } from './errors.ts';
import { machine } from './machine.ts';
import { Reason, type ReasonCode } from './reasons.ts';

/** Thrown by a handler to give up the current execution; `Entry.execute` turns it into `abandoned`. */
export const abandon = { abandoned: true } as const;

/**
 * What a handler throws to give up the execution that runs. Host functions that catch whatever is thrown, such as
 * lodash's `attempt`, do not save it: what it returns does not count, and its next choice or factor ends it.
 */
export function givenUp(): typeof abandon {
  machine.gaveUp = true;
  return abandon;
}

/** Lanes disagree about something that the program has to decide: they must go on in groups. */
export class Diverged {
  constructor(
    /** For each lane of the current space, the number of its group. */
    readonly groups: Int32Array,
    readonly count: number,
  ) {}
}

/** A reason that knows its place in the program. */
export class PlacedReason extends Reason {
  /** The calls in progress; a place is made of them when the message is written. */
  protected readonly calls = new Error();

  override get place(): string | undefined {
    return machine.run.here?.(this.calls);
  }
}

/**
 * "Not in this way": something cannot be done for many executions at once, or cannot be recorded, and must be done one by
 * one. The only thing besides `Diverged` that may lead to another way of running.
 */
export class OneByOne extends PlacedReason {
  constructor(
    code: ReasonCode,
    text: string,
    /** True if it is known which iterations, so that the execution need only start again. */
    readonly noted = false,
  ) {
    super(code, text);
  }

  /** What users are told where executions run one after the other already, so that nothing else can be tried. */
  asError(): WaymarkError {
    const error = new WaymarkError(
      `This does not work even where one execution runs after the other: ${this.text}. ` +
        'That is a fault of Waymark; please report it, with the program.',
    );
    error.stack = this.calls.stack;
    return error;
  }
}

/** Something that the inference at top level took for granted does not hold: it begins again, without it. */
export const beginAgain = { beginsAgain: true } as const;

/**
 * Data that were taken for independent are not, in what follows them; the text says how, for the code that took them to be
 * independent.
 */
export class Entangled {
  constructor(
    /** Completes "… because". */
    readonly how: string,
  ) {}
}

/** Ends an execution early, because all that is wanted of it has been found. The code that wants it catches this. */
export class Reached {
  constructor(
    readonly by: object,
    readonly value: unknown,
  ) {}
}

/** The user asks the run to end: what was learned so far is still to be saved. */
export class Interrupted {
  constructor(
    /** The exit code that this calls for. */
    readonly code: number,
  ) {}

  /** Checkpoints that optimisations have left on the way out, in words for the user. */
  readonly kept: string[] = [];
}

/** Thrown where work that was divided among ranks turns out to need all of it: each of them is to do the whole. */
export const notDivided = { notDivided: true } as const;

/** Another of the ranks that run this program has failed, and says so itself. */
export class OtherRankFailed {}

/** The run needs more room than this thread has: it is made again where there is more. */
export class NeedsRoom {}

/** Whether calls were nested deeper than the stack of this thread allows. */
export function isStackOverflow(thrown: unknown): boolean {
  return thrown instanceof RangeError && /call stack/i.test(wordOf(thrown, 'message') ?? '');
}

/**
 * A list or object that contains itself is gone through, which has no end. What runs as one treats it as the overflow of the
 * stack that it would be.
 */
export class EndlessValue extends RangeError {
  constructor() {
    const { stackTraceLimit } = Error;
    // The program's own calls are far below.
    Error.stackTraceLimit = Infinity;
    super('Maximum call stack size exceeded');
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** An error of the engine, where these are fatal: see `faults.ts`. */
export class EngineFault extends Error {
  override readonly name = 'EngineFault';
}

/** True of what programs must not catch: the compiler makes every `catch` clause pass it on. */
export function isSignal(thrown: unknown): boolean {
  return (
    thrown === abandon ||
    thrown === beginAgain ||
    thrown === notDivided ||
    thrown instanceof Diverged ||
    thrown instanceof OneByOne ||
    thrown instanceof Entangled ||
    thrown instanceof Reached ||
    thrown instanceof Interrupted ||
    thrown instanceof OtherRankFailed ||
    thrown instanceof EngineFault ||
    thrown instanceof NeedsRoom ||
    (machine.run.isShallow === true && isStackOverflow(thrown))
  );
}
