/**
 * How functions of a program return to the runtime in place of returning to the program. The compiler says which can
 * (`src/compiler/emit/returns.ts`): those that `Entry.execute` called itself. They end an execution by returning with
 * `machine.gaveUp` set, which costs nothing, where others have to throw `abandon`; and they hand over a call in return
 * position by returning with `machine.call` set, which is then all that is left of the execution. That they do so is
 * not told by what they return, since V8 would learn to expect that and nothing else.
 *
 * **Ending and going on.** `throw` is dear, and an execution that is to go on elsewhere than at its start needs a
 * continuation, which JavaScript does not have. Both have a cheap form for functions that the runtime itself called: the
 * model, and whatever is called in return position from there on (`runtime/returning.ts`). If a condition fails in one of
 * them it returns, with `machine.gaveUp` set. If `machine.hands` is set, a call in return position is not made but returned,
 * as `machine.call`: it is all that is left of the execution, so that making it again later continues the execution from
 * there. The second is only done for programs that keep no state of their own (`analyse/stateless.ts`): no variables
 * changed by inner functions, no fields written, no `globalStore`. Particles are also taken up where fields of `globalStore` are
 * all the state there is: the call keeps a copy of it.
 *
 * Everything that V8 compiles costs, and a short run spends more time on compiling than on anything else. So models are
 * called through `callApart`, and hot classes write their fields in the constructor. `src/v8/README.md` has the rest.
 */
import type { Address } from './address.ts';
import { machine, type Store, storeOf } from './machine.ts';
import { MemoLayer } from './memo.ts';
import { abandon } from './signals.ts';

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
