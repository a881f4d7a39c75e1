/** Choices with names of their own. */
import { Bernoulli } from '../distributions/bernoulli.ts';
import { RandomInteger } from '../distributions/random-integer.ts';
import { machine } from '../runtime/machine.ts';
import { fresh, replayed, sample } from '../runtime/primitives.ts';
import { itemsOf, type List } from './arguments.ts';

/** True with probability `p`. */
export function flip(p = 0.5): boolean {
  const { handler } = machine;
  if (handler.onlyDraws === true && typeof p === 'number' && p >= 0 && p <= 1) {
    machine.effects++;
    const drawn = machine.stream.begin().uniform() < p;
    if (handler.drew !== undefined) handler.drew(drawn ? Math.log(p) : Math.log1p(-p));
    return drawn;
  }
  const known = replayed();
  return known === fresh ? sample(Bernoulli({ p })) : (known as boolean);
}

/**
 * An item of the list, every one alike; undefined, without a choice, if there is none.
 *
 *     Infer(() => uniformDraw(['red', 'green', 'blue']))
 */
export function uniformDraw<A>(list: List<A> | { vs: List<A> }): A {
  const items = Array.isArray(list) ? (list as readonly A[]) : drawnFrom(list);
  if (items.length === 0) return undefined as A;
  const { handler } = machine;
  if (handler.onlyDraws === true && Number.isInteger(items.length)) {
    machine.effects++;
    const drawn = machine.stream.begin().integer(items.length);
    if (handler.drew !== undefined) handler.drew(-Math.log(items.length));
    return items[drawn];
  }
  const known = replayed();
  return items[known === fresh ? sample(RandomInteger({ n: items.length })) : (known as number)];
}

function drawnFrom<A>(list: List<A> | { vs: List<A> }): ArrayLike<A> {
  const named = typeof list === 'object' && list !== null && 'vs' in list;
  return itemsOf<A>('uniformDraw(array)', named ? (list as { vs: List<A> }).vs : (list as List<A>));
}
