import type { Address } from './address.ts';
import { WaymarkError } from './errors.ts';
import type { Handler } from './handler.ts';
import { machine } from './machine.ts';

/**
 * Calls a function of the program that inference consults on the side (a guide, a drift kernel, a callback) and
 * that must therefore make no choice and add no factor. An inference of its own it may run.
 */
export function withoutChoices<A, R>(what: string, address: Address, consult: (argument: A) => R, argument: A): R {
  const { handler, address: outer } = machine;
  machine.handler = refusing(what);
  machine.address = address;
  try {
    return consult(argument);
  } finally {
    machine.handler = handler;
    machine.address = outer;
  }
}

const handlers = new Map<string, Handler>();

/** One handler per kind of function, since they are consulted at every choice. */
function refusing(what: string): Handler {
  let handler = handlers.get(what);
  if (handler === undefined) {
    const refuse = (word: string): never => {
      throw new WaymarkError(
        `${what} must not call ${word}: it is not part of the model. ` +
          'Make the choice in the model before it, or use the distribution itself (its mean, its score).',
      );
    };
    handler = { name: what, sample: () => refuse('sample'), factor: () => refuse('factor, condition or observe') };
    handlers.set(what, handler);
  }
  return handler;
}
