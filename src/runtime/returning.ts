/**
 * How functions of a program return to the runtime instead of to their caller in the program. Only functions that the runtime
 * itself called can do that: the model, and what is called in return position from there on. The compiler knows which they
 * are (`src/compiler/emit/returns.ts`). There are two cases.
 *
 * - **Giving up.** If a condition fails in such a function, it sets `machine.gaveUp` and returns. Elsewhere `abandon` is
 *   thrown, which takes much longer.
 * - **Handing over a call.** JavaScript has no continuations, so that an execution cannot be stopped and resumed. But a call
 *   in return position is all that is left of an execution. If `machine.hands` is set, such a call is not made: the function
 *   sets `machine.call` and returns, and the runtime makes the call later, as often as it likes. That is done only in
 *   programs that keep no state of their own (`analyse/stateless.ts`), since a call would not bring it back. Particles are
 *   resumed in programs that keep state in fields of `globalStore`, too: the call keeps a copy of them.
 *
 * Both are told by fields of `machine` and not by what is returned: V8 would take special results for what the function
 * usually gives.
 */
import type { Address } from './address.ts';
import { machine, type Store, storeOf } from './machine.ts';
import { MemoLayer } from './memo.ts';
import { abandon, isSignal } from './signals.ts';

type Callee = (...args: unknown[]) => unknown;

/** What is left of an execution: a call, and the state it is to be made in. */
export class RemainingCall {
  readonly address: Address = machine.address;
  /** Choices begun in the stream of the execution. */
  begun = 0;
  memo: MemoLayer = machine.memo;
  store: Store = machine.store;
  readonly preceding: object | null = machine.preceding;

  constructor(
    readonly callee: Callee,
    readonly args: readonly unknown[],
  ) {}

  /** Makes sure that the call can be made again later, whatever the execution remembers and draws from now on. */
  keep(): void {
    this.begun = machine.stream.position;
    if (!machine.program.stateless) this.store = storeOf(machine.store);
    const { memo } = machine;
    this.memo = memo.withoutEmpty();
    if (this.memo === memo) machine.memo = new MemoLayer(memo);
  }

  make(): unknown {
    const { callee, args } = this;
    switch (args.length) {
      case 0:
        return callee();
      case 1:
        return callee(args[0]);
      case 2:
        return callee(args[0], args[1]);
      default:
        return callee(...args);
    }
  }
}

/** Hands a call over: the caller must return at once. */
export function tail(callee: Callee, ...args: unknown[]): void {
  machine.call = new RemainingCall(callee, args);
}

/** A call in return position that a function has not made, because its caller will: see `compiler/emit/rounds.ts`. */
class Bounce {
  constructor(
    readonly callee: Callee,
    readonly args: readonly unknown[],
  ) {}
}

export function bounce(callee: Callee, ...args: unknown[]): unknown {
  return new Bounce(callee, args);
}

/** Makes a call, and all that are returned in place of its value. */
export function rebound(callee: Callee, ...args: unknown[]): unknown {
  let value: unknown = new Bounce(callee, args);
  try {
    while (value instanceof Bounce) {
      machine.bounced = true;
      value = value.callee(...value.args);
    }
    return value;
  } finally {
    // The stack may end before the function called has seen it.
    machine.bounced = false;
  }
}

/** What handlers do to give up the execution when they are told of a factor. They must return at once afterwards. */
export function giveUp(): void {
  machine.gaveUp = true;
  if (!machine.returns) throw abandon;
}

/**
 * What ends an execution while the program leaves a `try` that has a `finally`. That is run, for what it puts back may be seen by other
 * executions, but it makes no choices, and what fails in it (a variable that has no value yet) is no error of the program.
 */
class Ending {
  private readonly before = machine.gaveUp;

  constructor(readonly signal: unknown) {
    machine.gaveUp = true;
  }

  over(): void {
    machine.gaveUp = this.before;
  }
}

export function ending(thrown: unknown): Ending | null {
  return isSignal(thrown) ? new Ending(thrown) : null;
}

/** What is known of a model that is a function of a compiled program. */
interface ProgramModel {
  /** Tells its text from all others, if nothing in it can depend on anything but the variables around it. */
  readonly text: string | undefined;
  /** The values of these variables. */
  readonly captured: (() => readonly unknown[]) | undefined;
  /** Makes the same function with other values of these; only where executions run side by side. */
  readonly rebound: ((...values: readonly unknown[]) => unknown) | undefined;
}

const KNOWN: unique symbol = Symbol('function of a program');

interface Marked {
  [KNOWN]?: ProgramModel;
}

/** Marks a model, alone or among options, as a function of a compiled program, which may return with `machine.gaveUp` or `machine.call`. */
export function direct<M>(
  given: M,
  text?: string,
  captured?: () => readonly unknown[],
  rebound?: (...values: readonly unknown[]) => unknown,
): M {
  const model = typeof given === 'function' ? given : (given as { model?: unknown }).model;
  if (typeof model !== 'function') return given;
  // A model with a name may be known from where it was made.
  if (text !== undefined || !isDirect(model)) (model as Marked)[KNOWN] = { text, captured, rebound };
  return given;
}

export function isDirect(model: object): boolean {
  return programModel(model) !== undefined;
}

/** What is known of a model if it is a function of a compiled program. */
export function programModel(model: object): ProgramModel | undefined {
  return (model as Marked)[KNOWN];
}
