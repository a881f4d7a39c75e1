/**
 * Values other than numbers of which no list is known: what a choice from a family of vectors is, and what a function that knows nothing of
 * recordings makes of what depends on choices (a text, a list in order, a posterior). While an execution is recorded, an object stands for such a
 * value. What takes it and gives a number is called again in each step (`remembering.ts`), and what the model returns is made again of it.
 * Text that is looked at becomes a guard; objects cannot, since each time there is another one.
 */
import type { Fn } from '../../algebra/domain.ts';
import type { Make, Params } from '../../algebra/families.ts';
import { isForeign } from '../../algebra/stand-in.ts';
import type { Distribution } from '../../runtime/handler.ts';
import { isDistribution } from '../../runtime/primitives.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { fieldOf } from '../../runtime/throwing.ts';
import { makingDistribution, RecordedDistribution } from './distribution.ts';
import {
  agreeing,
  type Called,
  calledNow,
  callLater,
  fromNode,
  laterOf,
  looked,
  making,
  opaque,
  recordedDomain,
  standsLater,
  tape,
  truth,
} from './recorded.ts';
import type { HeldValues } from './remembering.ts';

const unseen = (): never => {
  throw new OneByOne('value', 'an object that depends on choices is looked at as a whole');
};

const unchanged = (): never => {
  throw new OneByOne('state', 'an object is changed that depends on choices');
};

function* itemsOf(proxy: object): Generator<unknown> {
  const count = looked(opaque((list) => [...(list as Iterable<unknown>)].length, [proxy])) as number;
  for (let i = 0; i < count; i++) yield recordedDomain.each((list) => [...(list as Iterable<unknown>)][i], [proxy]);
}

/** `object.key` of what an object stands for. */
function fieldOfLater(proxy: object, now: unknown, key: PropertyKey): unknown {
  if (isForeign(key, [now])) return undefined;
  const field = fieldOf(now, key);
  const of: Fn = (own) => fieldOf(own, key);
  return typeof field === 'function' ? agreeing(of, proxy, field) : recordedDomain.each(of, [proxy]);
}

/** The prototype of stand-ins, so that none is taken for an object of the program. */
const PROTOTYPE = Object.freeze(Object.create(null) as object);

/** Stands for the value behind a number of the recording. */
function standing(node: number, now: unknown): object {
  const { held } = tape();
  const proxy: object = new Proxy(Object.create(PROTOTYPE) as object, {
    get: (_target, key) => {
      if (key === Symbol.iterator) return () => itemsOf(proxy);
      if (key === Symbol.toPrimitive) return () => (looked(proxy) === proxy ? unseen() : now);
      return fieldOfLater(proxy, now, key);
    },
    has: (_target, key) => agreeing((own) => key in Object(own), proxy, key in Object(now)),
    ownKeys: unseen,
    getOwnPropertyDescriptor: unseen,
    set: unchanged,
    defineProperty: unchanged,
    deleteProperty: unchanged,
  });
  const rebuild = (number: unknown): unknown => held.of(number as number);
  standsLater(proxy, { parts: fromNode(node, false), rebuild, isKept: true, node, now });
  return proxy;
}

making.standing = standing;

const isMissing = (value: unknown): boolean => value === undefined || value === null;

/** A number of the recording that stands for what a function gives. */
function madeLater(called: Called): number {
  const { held } = tape();
  return callLater(called, (value) => held.take(value));
}

making.later = (called) => {
  const { now } = called;
  if (typeof now === 'function' || typeof now === 'symbol')
    throw new OneByOne('host', 'a function that is not compiled is given values that depend on choices');
  const node = madeLater(called);
  if (isDistribution(now)) return new MadeDistribution(now.name, {}, node);
  const proxy = standing(node, now);
  // JavaScript's own `??` and `?.` look at whether there is a value.
  truth(opaque(isMissing(now) ? (own) => Object.is(own, now) : (own) => !isMissing(own), [proxy]));
  return isMissing(now) ? now : proxy;
};

/** A distribution that is made by a function without a meaning in the recording. */
class MadeDistribution extends RecordedDistribution {
  readonly isKept = true;
  private readonly held = tape().held;

  constructor(
    name: string,
    params: Params,
    private readonly node: number,
    make: Make = () => unseen(),
  ) {
    super(name, params, make);
  }

  override get parts(): unknown {
    return fromNode(this.node, false);
  }

  override rebuild(parts: unknown): Distribution<unknown> {
    return typeof parts === 'number' ? (this.held.of(parts) as Distribution<unknown>) : super.rebuild(parts);
  }
}

makingDistribution.later = (name, params, make) => {
  const node = madeLater(calledNow(make as Fn, [params]));
  return new MadeDistribution(name, params, node, make);
};

/** What `of` says of what a value stands for; undefined of a plain value. */
export function agreedOf(of: Fn, value: unknown): { readonly value: unknown } | undefined {
  const later = laterOf(value);
  return later === undefined ? undefined : { value: agreeing(of, value, of(later.now)) };
}

/** A comparison with a value that is made again: only what is no object stays the same. */
export function comparedLater(holds: Fn, operands: readonly unknown[]): unknown {
  if (operands.every((one) => laterOf(one) === undefined)) return undefined;
  const own = (one: unknown): unknown => (Object(one) === one ? unseen() : one);
  if (operands.some((one) => Object(laterOf(one)?.now ?? 0) === laterOf(one)?.now)) unseen();
  return opaque((...given) => holds(...given.map(own)), operands);
}

/** A choice of such a value, and the values of the recording. */
export function heldChoice(value: unknown): {
  readonly held: HeldValues;
  readonly node: number;
  readonly value: unknown;
} {
  const { held } = tape();
  const node = tape().input(held.take(value));
  return { held, node, value: standing(node, value) };
}
