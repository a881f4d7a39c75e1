/**
 * What library names mean for executions side by side. Functions that are not named here end the run in columns when
 * they are called, since what they do inside is not known to be right for columns.
 */

import type { Distribution } from '../../runtime/handler.ts';
import { machine } from '../../runtime/machine.ts';
import { isDistribution, sample } from '../../runtime/primitives.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { ASKING, COUNTING, DRIFTING, EVALUATING, HANDING_ON, NETWORKS, NOT_PURE, ORDERING } from '../library-kinds.ts';
import { namesOnDemand, parametersGiven } from '../library-names.ts';
import { isSampler } from './alternatives.ts';
import { choose } from './branch.ts';
import { calls, namespaces } from './calls.ts';
import { scoreColumns } from './choices.ts';
import { agreed, Column, differs, inEachLane, isDiffering } from './column.ts';
import { constructorOf, distributionOf } from './distribution.ts';
import { expectationColumns } from './expectation.ts';
import { current } from './group.ts';

type Fn = (...args: unknown[]) => unknown;
type Names = Readonly<Record<string, unknown>>;

/** Functions that ask themselves whether executions run side by side. */
const INFERRING: readonly string[] = [
  ...['Infer', 'Enumerate', 'Rejection', 'SMC', 'ParticleFilter', 'MCMC', 'IncrementalMH', 'PMCMC', 'ForwardSample'],
  'DefaultInfer',
];

/** The value that executions alone would have here. */
const alone = (name: string, plain: unknown): unknown => {
  if (typeof plain === 'function') {
    const refused: Fn = (...args) => {
      if (current.columns !== null) throw new OneByOne('library', `${name} is called`);
      return (plain as Fn)(...args);
    };
    return Object.assign(refused, plain);
  }
  if (typeof plain !== 'object' || plain === null) return plain;
  return new Proxy(plain, {
    get(target, key) {
      if (current.columns !== null) throw new OneByOne('library', `${name} is used`);
      return Reflect.get(target, key);
    },
  });
};

/** A function that is right for what does not differ. */
const ofPlain =
  (name: string, plain: Fn): Fn =>
  (...args) => {
    if (args.some(differs)) throw new OneByOne('library', `${name} is given what differs`);
    return plain(...args);
  };

/** A function without choices whose first argument is a function for all, and which knows nothing of columns. */
const inEach =
  (plain: Fn): Fn =>
  (...args) =>
    args.some(differs) ? inEachLane(plain, args) : plain(...args);

/** A number that all executions have; they part where it differs. */
const agreedNumber = (argument: unknown): unknown => (argument instanceof Column ? agreed(argument) : argument);

/** A function that looks into lists, and may be given functions of the library, which it recognises. */
const ordering =
  (plain: Fn, plainOf: ReadonlyMap<unknown, unknown>): Fn =>
  (...args) => {
    const given = args.map((argument) => plainOf.get(argument) ?? argument);
    const own = args.some((argument, k) => typeof argument === 'function' && given[k] === argument);
    return own || !given.some(differs) ? calls.pure(plain)(...given) : inEachLane(plain, given);
  };

const asking =
  (plain: Fn): Fn =>
  (...args) =>
    plain(...args.map(calls.answering));

/** `weigh` of the handler in force. A score may be a column, or numbers that nobody else has. */
function weigh(score: unknown): void {
  machine.effects++;
  machine.handler.factor(score as number, machine.address);
  machine.returns = false;
}

function factorColumns(plain: Fn): Fn {
  return (score) => {
    if (!(score instanceof Column)) return plain(score);
    const { data } = score;
    for (let i = 0; i < data.length; i++)
      if (Number.isNaN(data[i])) throw new OneByOne('weights', 'a score is not a number');
    if (score.isTruth) throw new OneByOne('weights', 'a score is not a number');
    weigh(score);
    return undefined;
  };
}

function conditionColumns(plain: Fn): Fn {
  return (holds) => {
    if (!isDiffering(holds)) return plain(holds);
    weigh(
      choose(
        holds,
        () => 0,
        () => -Infinity,
      ),
    );
    return undefined;
  };
}

function observeColumns(plain: Fn): Fn {
  return (...args) => {
    const [distribution, value] = args;
    if (current.columns === null || value === undefined) return plain(...args);
    const given = distributionOf(distribution);
    if (!Array.isArray(given) && !isDistribution(given)) return plain(...args);
    const { handler } = machine;
    if (handler.observe === undefined) weigh(scoreColumns(given, value));
    else {
      machine.effects++;
      handler.observe(distribution as Distribution<unknown>, value, machine.address);
      machine.returns = false;
    }
    return value;
  };
}

function flipColumns(plain: Fn, bernoulli: Fn): Fn {
  return isSampler((p) => (p instanceof Column ? sample(bernoulli({ p }) as never) : plain(p)));
}

function uniformDrawColumns(plain: Fn, randomInteger: Fn, get: Fn): Fn {
  return (list) => {
    if (current.columns === null) return plain(list);
    const items = (Array.isArray(list) ? list : (list as { vs?: unknown })?.vs) as unknown[];
    if (!Array.isArray(items) || isDiffering(items))
      throw new OneByOne('library', 'uniformDraw draws from what differs');
    if (items.length === 0) return undefined;
    return get(items, sample(randomInteger({ n: items.length }) as never));
  };
}

/** The lower-case helper of a family. */
function samplerColumns(plain: Fn, makeDistribution: Fn, names: readonly string[]): Fn {
  return isSampler((...args) => {
    if (!args.some(differs)) return plain(...args);
    return sample(makeDistribution(parametersGiven(args, names, isDiffering)) as never);
  });
}

/** The library for executions side by side, from the library as it is, the names of its pure functions, and `o[i]`. */
export function columnLibrary(library: Names, pureNames: ReadonlySet<string>, get: Fn): Names {
  const familyNamed = (name: string): Fn => {
    const plain = library[name] as { family: { params: object } };
    return Object.assign(constructorOf(name, plain as never), { family: plain.family });
  };
  const own: Readonly<Record<string, () => unknown>> = {
    sample: () => library.sample,
    mem: () => library.mem,
    factor: () => factorColumns(library.factor as Fn),
    condition: () => conditionColumns(library.condition as Fn),
    observe: () => observeColumns(library.observe as Fn),
    flip: () => flipColumns(library.flip as Fn, familyNamed('Bernoulli')),
    uniformDraw: () => uniformDrawColumns(library.uniformDraw as Fn, library.RandomInteger as Fn, get),
    T: () =>
      new Proxy(library.T as object, {
        get: (target, key) => {
          const value = Reflect.get(target, key);
          return typeof value === 'function' ? calls.pure(value as Fn, target) : value;
        },
      }),
    _: () => library._,
    argv: () => library.argv,
    expectation: () => expectationColumns(library.expectation as Fn),
  };
  /** What functions without effects are for executions alone. */
  const plainOf = new Map<unknown, unknown>();
  const make = (name: string): unknown => {
    const plain = library[name];
    if (plain === undefined) return plain;
    if (Object.hasOwn(own, name)) return own[name]();
    if (COUNTING.includes(name)) return (...args: unknown[]) => (plain as Fn)(...args.map(agreedNumber));
    if (HANDING_ON.includes(name) || INFERRING.includes(name)) return plain;
    if (typeof plain !== 'function') return alone(name, plain);
    if (ASKING.includes(name)) return asking(plain as Fn);
    if (EVALUATING.includes(name)) return inEach(plain as Fn);
    if (NETWORKS.includes(name) || DRIFTING.includes(name)) return ofPlain(name, plain as Fn);
    if ('family' in plain) return familyNamed(name);
    if (ORDERING.includes(name)) return ordering(plain as Fn, plainOf);
    if (pureNames.has(name) && !NOT_PURE.has(name)) {
      const made = calls.pure(plain as Fn);
      plainOf.set(made, plain);
      return made;
    }
    const family = library[name[0].toUpperCase() + name.slice(1)];
    if (typeof family === 'function' && 'family' in family) {
      const { params } = family.family as { params: object };
      return samplerColumns(plain as Fn, familyNamed(name[0].toUpperCase() + name.slice(1)), Object.keys(params));
    }
    return alone(name, plain);
  };
  const names = namesOnDemand(library, make);
  namespaces.add(names);
  return names;
}
