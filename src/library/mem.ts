import { machine } from '../runtime/machine.ts';
import { OneByOne } from '../runtime/signals.ts';
import { argumentsKey, keyText } from './argument-key.ts';
import { checkFunction } from './arguments.ts';

/**
 * A function that remembers, within one execution, what it returned for which arguments (compared by structure;
 * functions by identity). What is drawn for an argument belongs to the argument: its address, and the random numbers
 * it uses, are the same whoever asks first.
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

  function remembering(...args: A): B {
    if (machine.columns !== null) throw new OneByOne('iterations share what mem remembers');
    const key = argumentsKey(args);
    const found = machine.memo.find(owner, key);
    if (found !== undefined) return found.value as B;
    // What one iteration draws, those after it would find.
    if (machine.lanes !== null) throw new OneByOne('iterations share what mem remembers');
    const text = keyText(key);
    const { address, stream } = machine;
    machine.address = place.at(text);
    machine.stream = machine.origin.named(`${place} ${occurrence} ${text}`);
    try {
      const value = fn(...args);
      machine.memo.remember(owner, key, value);
      return value;
    } finally {
      machine.address = address;
      machine.stream = stream;
    }
  }
  return remembering;
}
