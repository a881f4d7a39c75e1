import { standingApart } from '../guides/joint/preceding-choices.ts';
import type { Address } from '../runtime/address.ts';
import { lifting } from '../runtime/lifting.ts';
import { machine } from '../runtime/machine.ts';
import { type Memoised, recall } from '../runtime/memo.ts';
import { StreamName } from '../runtime/random.ts';
import { OneByOne } from '../runtime/signals.ts';
import { argumentsKey, keyText } from './argument-key.ts';
import { checkFunction } from './arguments.ts';

/** Names of streams, by the address of what is drawn from them: kept, since every execution asks again. */
const names = new WeakMap<Address, { readonly occurrence: number; readonly name: StreamName }>();

function streamName(own: Address, place: Address, occurrence: number, text: string): StreamName {
  const known = names.get(own);
  if (known !== undefined && known.occurrence === occurrence) return known.name;
  const name = new StreamName(`${place} ${occurrence} ${text}`);
  names.set(own, { occurrence, name });
  return name;
}

/**
 * A function that remembers, within one execution, what it returned for which arguments (compared by structure;
 * functions by identity). What is drawn for an argument belongs to the argument: its address, and the random numbers
 * it uses, are the same whichever call asks first.
 *
 *     Infer(() => {
 *       const eyes = mem((person) => uniformDraw(['brown', 'blue']));
 *       return eyes('Ada') === eyes('Ada') && eyes('Ada') === eyes('Bo');
 *     })
 */
export function mem<A extends unknown[], B>(fn: (...args: A) => B): (...args: A) => B {
  checkFunction('mem(fn)', fn);
  const place = machine.address.at('mem');
  // Tells apart functions memoised at one place, as happens in host code that has no addresses.
  const occurrence = machine.stream.occurrence();
  const owner = {};
  const home = machine.handler.here;

  const isShared = machine.lanes === null;
  const memo: Memoised = {
    all: () => machine.memo.all(owner),
    keyOf: argumentsKey,
    find: (key) => machine.memo.find(owner, key),
    remember: (key, value) => machine.memo.remember(owner, key, value),
    work(args, key) {
      // Later iterations would find what an earlier one has drawn.
      if (machine.lanes !== null) throw new OneByOne('state', 'iterations share what mem remembers');
      if (typeof occurrence !== 'number')
        throw new OneByOne('state', 'mem is called at different points of their executions');
      const text = keyText(key);
      const { address, stream } = machine;
      const own = place.at(text);
      machine.address = own;
      machine.stream = machine.origin.named(streamName(own, place, occurrence, text));
      try {
        const { handler } = machine;
        const call = (): B => standingApart(() => fn(...(args as A)));
        return handler.remembering === undefined ? call() : handler.remembering(home, call);
      } finally {
        machine.address = address;
        machine.stream = stream;
      }
    },
  };

  return function remembering(...args: A): B {
    if (isShared && machine.lanes !== null) return lifting.current!.recalled(memo, args) as B;
    return recall(memo, args, machine.columns === null ? null : machine.columns.memory) as B;
  };
}
