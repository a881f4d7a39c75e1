import type { Tensor } from '../tensor/tensor.ts';
import type { Address } from './address.ts';
import { WaymarkError } from './errors.ts';
import type { Distribution, Handler, LaneParameters, SampleOptions } from './handler.ts';
import { machine, runsDirectly } from './machine.ts';
import type { RandomStream } from './random.ts';
import { OneByOne } from './signals.ts';

/**
 * Calls a function of the program that inference consults on the side (a guide, a drift kernel, a callback) and
 * that must therefore make no choice and add no factor. An inference of its own it may run.
 */
export function withoutChoices<A, R>(what: string, address: Address, consult: (argument: A) => R, argument: A): R {
  return consulting(what, address, consult, argument, null);
}

/** What makes the choices of a function that inference consults. */
type Choosing = <V>(distribution: Distribution<V>, options: SampleOptions<V> | undefined) => V;

/** The same for a function that may make choices, of which the handler of the model is not told. */
export function withOwnChoices<R>(what: string, address: Address, consult: () => R, choose: Choosing): R {
  return consulting(what, address, consult, undefined, choose);
}

function consulting<A, R>(
  what: string,
  address: Address,
  consult: (argument: A) => R,
  argument: A,
  choose: Choosing | null,
): R {
  const { handler, address: outerAddress } = machine;
  const refusing = refusingHandler(what);
  const { outer, choose: outerChoose } = refusing;
  // Within another function of its kind it is refused the same.
  if (handler !== refusing) refusing.outer = handler;
  refusing.choose = choose;
  machine.handler = refusing;
  machine.address = address;
  try {
    return consult(argument);
  } finally {
    refusing.outer = outer;
    refusing.choose = outerChoose;
    machine.handler = handler;
    machine.address = outerAddress;
  }
}

const closed = new WeakSet<object>();

/** Says of a function that inference consults that it depends on nothing but its argument. */
export function markClosed<F extends object>(consulted: F): F {
  closed.add(consulted);
  return consulted;
}

/** Whether that has been said of the function. */
export function isClosed(consulted: object): boolean {
  return closed.has(consulted);
}

/** True of the program itself, and of callbacks between the executions of an inference that it runs. */
export function outsideModels(): boolean {
  let { handler } = machine;
  while (handler instanceof Refusing && handler.outer !== null) handler = handler.outer;
  return runsDirectly(handler);
}

/** Runs an inference. What it cannot do in any way is an error, unless it is part of others that have another way. */
export function inSomeWay<R>(infer: () => R): R {
  try {
    return infer();
  } catch (thrown) {
    throw thrown instanceof OneByOne && outsideModels() ? thrown.asError() : thrown;
  }
}

/** Calls a function of the program that may make choices, which are drawn from the given stream and nowhere recorded. */
export function withDraws<R>(what: string, stream: RandomStream, consult: () => R): R {
  const { handler, address, stream: outer, lifted } = machine;
  machine.handler = {
    name: what,
    sample: (distribution) => distribution.draw(machine.stream.begin()),
    factor() {
      throw new WaymarkError(`${what} must not call factor, condition or observe: it is not part of the model.`);
    },
  };
  machine.stream = stream;
  machine.lifted = false;
  try {
    return consult();
  } finally {
    machine.handler = handler;
    machine.address = address;
    machine.stream = outer;
    machine.lifted = lifted;
  }
}

const handlers = new Map<string, Refusing>();

/** One handler per kind of function, since they are consulted at every choice. */
function refusingHandler(what: string): Refusing {
  let handler = handlers.get(what);
  if (handler === undefined) {
    handler = new Refusing(what);
    handlers.set(what, handler);
  }
  return handler;
}

class Refusing implements Handler {
  /** The handler of the model, which says what parameters are. */
  outer: Handler | null = null;
  /** Makes its choices, where it may have any. */
  choose: Choosing | null = null;

  constructor(readonly name: string) {}

  get guided(): boolean {
    return this.outer?.guided === true;
  }

  sample<V>(distribution: Distribution<V>, options: SampleOptions<V> | undefined): V {
    return this.choose === null ? this.refuse('sample') : this.choose(distribution, options);
  }

  factor(): never {
    return this.refuse('factor, condition or observe');
  }

  param(name: string, value: Tensor, scalar: boolean): unknown {
    return this.outer?.param?.(name, value, scalar);
  }

  laneParam(parameters: LaneParameters, scalar: boolean): unknown {
    return this.outer?.laneParam?.(parameters, scalar);
  }

  get branch(): Handler['branch'] {
    const { outer } = this;
    return outer?.branch && ((...fork) => outer.branch!(...fork));
  }

  private refuse(word: string): never {
    throw new WaymarkError(
      `${this.name} must not call ${word}: it is not part of the model. ` +
        'Make the choice in the model before it, or use the distribution itself (its mean, its score).',
    );
  }
}
