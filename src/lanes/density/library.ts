/**
 * What library names mean while an execution is recorded. Functions that are not named here end the recording when they
 * are called, since what they do inside is not known to be right for recorded values.
 */
import type { Distribution } from '../../runtime/handler.ts';
import { machine } from '../../runtime/machine.ts';
import { sample } from '../../runtime/primitives.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { ASKING, COUNTING, DRIFTING, HANDING_ON, NOT_PURE, ORDERING } from '../library-kinds.ts';
import { namesOnDemand, parametersGiven } from '../library-names.ts';
import { calls, namespaces } from './calls.ts';
import { constructorOf } from './distribution.ts';
import { choose } from './operators.ts';
import { holdsRecorded, isNumeric, looked, type Numeric, operate, Recorded, recording } from './recorded.ts';

type Fn = (...args: unknown[]) => unknown;
type Names = Readonly<Record<string, unknown>>;

/** What ends a recording when it is used. */
function ending(name: string, plain: unknown): unknown {
  const end = (): void => {
    if (recording.tape !== null) throw new OneByOne('library', `${name} is used`);
  };
  if (typeof plain === 'function') {
    const ended: Fn = (...args) => {
      end();
      return (plain as Fn)(...args);
    };
    return Object.assign(ended, plain);
  }
  if (typeof plain !== 'object' || plain === null) return plain;
  return new Proxy(plain, {
    get(target, key) {
      end();
      return Reflect.get(target, key);
    },
  });
}

/** A function that is right for plain values, whatever choices it makes. */
const ofPlain =
  (name: string, plain: Fn): Fn =>
  (...args) => {
    if (args.some(holdsRecorded)) throw new OneByOne('library', `${name} is given values that depend on choices`);
    return plain(...args);
  };

/** Tells the handler of a factor; a score may be recorded. */
function weigh(score: unknown): void {
  machine.effects++;
  machine.handler.factor(score as number, machine.address);
  machine.returns = false;
}

function factorRecorded(plain: Fn): Fn {
  return (score) => {
    if (!(score instanceof Recorded)) return plain(score);
    if (score.isTruth) throw new OneByOne('weights', 'a score is not a number');
    weigh(score);
    return undefined;
  };
}

function conditionRecorded(plain: Fn): Fn {
  return (holds) => {
    if (!(holds instanceof Recorded)) return plain(holds);
    weigh(choose(holds, () => 0, () => -Infinity)); // biome-ignore format: it reads like a conditional
    return undefined;
  };
}

/** Numbers put together one after the other, as the library does; `plain` for lists of anything else. */
function foldRecorded(
  plain: Fn,
  name: 'add' | 'mul',
  start: number,
  end: (total: Numeric, length: number) => Numeric,
): Fn {
  return (...args) => {
    const [list] = args;
    if (args.length !== 1 || !Array.isArray(list) || !list.every(isNumeric) || !holdsRecorded(list)) {
      return calls.pure(plain)(...args);
    }
    let total: Numeric = start;
    for (const item of list) total = operate(name, false, total, item);
    return end(total, list.length);
  };
}

function uniformDrawRecorded(plain: Fn, randomInteger: Fn, get: Fn): Fn {
  return (list) => {
    if (recording.tape === null) return plain(list);
    const items = (Array.isArray(list) ? list : (list as { vs?: unknown })?.vs) as unknown[];
    if (!Array.isArray(items)) throw new OneByOne('library', 'uniformDraw is not given an array');
    if (items.length === 0) return undefined;
    return get(items, sample(randomInteger({ n: items.length }) as Distribution<unknown>));
  };
}

/** The lower-case helper of a family. */
function samplerRecorded(plain: Fn, makeDistribution: Fn, names: readonly string[]): Fn {
  return (...args) => {
    if (!args.some(holdsRecorded)) return plain(...args);
    const params = parametersGiven(args, names, (argument) => argument instanceof Recorded);
    return sample(makeDistribution(params) as Distribution<unknown>);
  };
}

/** The library for recordings, from the library as it is, the names of its pure functions, and `o[i]`. */
export function recordedLibrary(library: Names, pureNames: ReadonlySet<string>, get: Fn): Names {
  const familyNamed = (name: string): Fn => {
    const plain = library[name] as { family: object };
    return Object.assign(constructorOf(name, plain as never), { family: plain.family }) as Fn;
  };
  const samplerFor = (name: string, family: string): unknown => {
    const { params } = (library[family] as { family: { params: object } }).family;
    return samplerRecorded(library[name] as Fn, familyNamed(family), Object.keys(params));
  };
  const own: Readonly<Record<string, () => unknown>> = {
    sample: () => library.sample,
    mem: () => library.mem,
    observe: () => library.observe,
    factor: () => factorRecorded(library.factor as Fn),
    condition: () => conditionRecorded(library.condition as Fn),
    sum: () => foldRecorded(library.sum as Fn, 'add', 0, (total) => total),
    product: () => foldRecorded(library.product as Fn, 'mul', 1, (total) => total),
    listMean: () =>
      foldRecorded(library.listMean as Fn, 'add', 0, (total, length) => operate('div', false, total, length)),
    flip: () => samplerFor('flip', 'Bernoulli'),
    uniformDraw: () => uniformDrawRecorded(library.uniformDraw as Fn, library.RandomInteger as Fn, get),
    _: () => library._,
    argv: () => library.argv,
  };
  const make = (name: string): unknown => {
    const plain = library[name];
    if (plain === undefined) return plain;
    if (Object.hasOwn(own, name)) return own[name]();
    if (COUNTING.includes(name)) return (...args: unknown[]) => (plain as Fn)(...args.map(looked));
    if (HANDING_ON.includes(name)) return plain;
    if (typeof plain !== 'function') return ending(name, plain);
    if (ASKING.includes(name)) return (...args: unknown[]): unknown => (plain as Fn)(...args.map(calls.answering));
    if (DRIFTING.includes(name)) return ofPlain(name, plain as Fn);
    if ('family' in plain) return familyNamed(name);
    if (ORDERING.includes(name) || (pureNames.has(name) && !NOT_PURE.has(name))) return calls.pure(plain as Fn);
    const family = library[name[0].toUpperCase() + name.slice(1)];
    const isSampler = typeof family === 'function' && 'family' in family;
    return isSampler ? samplerFor(name, name[0].toUpperCase() + name.slice(1)) : ending(name, plain);
  };
  const names = namesOnDemand(library, make);
  namespaces.add(names);
  return names;
}
