/**
 * The library where values may stand for others. What a function does is said in its row (`library-row.ts`); what that means is
 * written here once, over a domain. A way of running says what else it needs, and which names or deeds mean something else in it.
 */
import type { Distribution } from '../runtime/handler.ts';
import { machine } from '../runtime/machine.ts';
import { sample } from '../runtime/primitives.ts';
import { OneByOne } from '../runtime/signals.ts';
import type { Domain, Fn } from './domain.ts';
import type { HostCalls } from './host-calls.ts';
import { type Deed, deedOf, type LibraryRow, type LibraryRows } from './library-row.ts';

export type Names = Readonly<Record<string, unknown>>;

/** Makes the function for values of the domain from the function for plain values. */
export type Fitted = (plain: Fn, name: string) => unknown;

export interface LibraryWay {
  readonly domain: Domain;
  readonly calls: HostCalls;
  /** Names that have a meaning of their own here. */
  readonly names: Readonly<Record<string, (library: Names) => unknown>>;
  /** Deeds that mean something else here. */
  readonly deeds: Partial<Readonly<Record<Deed, Fitted>>>;
  /** The constructor of a distribution, for parameters that may stand for others. */
  family(name: string, plain: Fn): Fn;
  /** Marks a function that makes one choice, by numbers that may stand for others, and does nothing else. */
  draws(fn: Fn): Fn;
  /** `condition ? then() : otherwise()`. */
  choose(condition: unknown, then: () => unknown, otherwise: () => unknown): unknown;
  /** `list[index]`. */
  get(list: unknown, index: unknown): unknown;
  /** The length of a list that is another one for each, where lengths may differ. */
  lengthOf?(list: unknown): unknown;
  /** Throws unless a score that stands for others is a number for each one. */
  checkScore(score: unknown): void;
}

/** A family whose parameters may be given in other terms. */
interface Alternatives {
  readonly alternatives?: Readonly<Record<string, { readonly family: { readonly name: string } }>>;
}

/** True of constructors of distributions, which say what their parameters are. */
const isFamily = (value: unknown): value is Fn & { readonly family: { readonly params: object } } =>
  typeof value === 'function' && 'family' in value;

type Constructor = Fn & { readonly family: Alternatives & { readonly params: object; readonly positional?: boolean } };

/** The library for a way of running, made from the plain library; each name when a program first uses it. */
export function libraryFor(way: LibraryWay, library: Names, rows: LibraryRows): Names {
  const fitting = new Fitting(way, library, rows);
  const made = new Map<string, unknown>();
  /** Names that were defined since, and have the meaning of their definition. */
  const own: object = {};
  const names = new Proxy(library, {
    get(_library, name) {
      if (typeof name === 'symbol') return undefined;
      if (Object.hasOwn(own, name)) return Reflect.get(own, name) as unknown;
      if (!made.has(name)) made.set(name, fitting.make(name));
      return made.get(name);
    },
    defineProperty: (_library, name, descriptor) => Reflect.defineProperty(own, name, descriptor),
  });
  way.calls.namespaces.add(names);
  return names;
}

class Fitting {
  constructor(
    private readonly way: LibraryWay,
    private readonly library: Names,
    private readonly rows: LibraryRows,
  ) {}

  make(name: string): unknown {
    const { way, library } = this;
    const plain = library[name];
    if (plain === undefined) return plain;
    if (Object.hasOwn(way.names, name)) return way.names[name](library);
    if (isFamily(plain)) return this.constructorNamed(name);
    const row = this.rows.get(name) ?? rowOfSampler(name, library);
    const deed = deedOf(row);
    return way.deeds[deed]?.(plain as Fn, name) ?? this.fitted(deed, plain as Fn, name, row);
  }

  private constructorNamed(name: string): Fn {
    return this.constructorOf(name, this.library[name] as Constructor);
  }

  private constructorOf(name: string, plain: Constructor): Fn {
    const main = this.way.family(name, plain);
    const others = plain.family.alternatives;
    const named = others === undefined ? main : this.byForm(main, others);
    const construct = plain.family.positional === true ? inOrder(named, Object.keys(plain.family.params)) : named;
    return Object.assign(construct, { family: plain.family });
  }

  /** The constructor of a family whose parameters may be given in other terms, for which there are families of their own. */
  private byForm(main: Fn, others: NonNullable<Alternatives['alternatives']>): Fn {
    const forms = Object.entries(others).map(([key, form]) => {
      return [key, this.constructorOf(form.family.name, form as unknown as Constructor)] as const;
    });
    return (params, ...rest) => {
      const isObject = typeof params === 'object' && params !== null && !this.way.domain.isMine(params);
      const form = isObject ? forms.find(([key]) => key in params) : undefined;
      return (form?.[1] ?? main)(params, ...rest);
    };
  }

  private fitted(deed: Deed, plain: Fn, name: string, row: LibraryRow): unknown {
    const { domain, calls } = this.way;
    switch (deed) {
      case 'hands on':
      case 'takes apart':
        return row.counts === undefined ? plain : this.counting(plain, row.counts);
      case 'asks':
        return (...args: unknown[]) => plain(...args.map(calls.answering));
      case 'orders':
      case 'calculates':
        return typeof plain === 'object' ? this.calculating(plain) : calls.pure(plain);
      case 'evaluates':
        return (...args: unknown[]) => (args.some(domain.holds) ? domain.each(plain, args) : plain(...args));
      case 'takes plain values':
        return this.ofPlainValues(plain, name);
      case 'draws':
        return this.drawing(plain, row.of!);
      case 'draws an item':
        return this.drawingItem(plain, this.constructorNamed(row.of!) as Fn);
      case 'factors':
        return this.factor(plain);
      case 'conditions':
        return this.condition(plain);
      case 'observes':
      case 'knows':
      case 'infers':
        return plain;
      case 'makes a layer':
      case 'ends':
        return this.ending(plain, name);
    }
  }

  /** A function that is told how often to do something, or how long to make something. */
  private counting(plain: Fn, places: readonly number[]): Fn {
    const { domain } = this.way;
    const isNumber = (value: unknown): boolean => domain.kindOf(value) === 'number';
    return (...args) =>
      plain(...args.map((one, place) => (places.includes(place) && isNumber(one) ? domain.look(one) : one)));
  }

  /** An object of functions without effects. */
  private calculating(plain: object): object {
    // The object may be frozen, and a proxy of it would have to give what it has.
    return new Proxy(Object.assign(Object.create(Object.getPrototypeOf(plain)), plain) as object, {
      get: (_copy, key) => {
        const value: unknown = Reflect.get(plain, key);
        return typeof value === 'function' ? this.way.calls.pure(value as Fn, plain) : value;
      },
    });
  }

  private ofPlainValues(plain: Fn, name: string): Fn {
    const { domain } = this.way;
    return (...args) => {
      if (args.some(domain.holds))
        throw new OneByOne('library', `${name} is given values that are not the same for all`);
      return plain(...args);
    };
  }

  /** The lower-case helper of a family. */
  private drawing(plain: Fn, familyName: string): Fn {
    const { way, library } = this;
    const family = library[familyName];
    const names = isFamily(family) ? Object.keys(family.family.params) : [];
    const construct = this.constructorNamed(familyName);
    return way.draws((...args) => {
      if (!args.some(way.domain.holds)) return plain(...args);
      const { isMine, kindOf } = way.domain;
      const params = parametersGiven(args, names, (value) => isMine(value) && kindOf(value) !== 'record');
      return sample(construct(params) as Distribution<unknown>);
    });
  }

  private drawingItem(plain: Fn, randomInteger: Fn): Fn {
    const { domain, get, lengthOf } = this.way;
    return (list) => {
      if (!domain.isActive()) return plain(list);
      const items = (Array.isArray(list) ? list : (list as { vs?: unknown })?.vs) as unknown[];
      if (!Array.isArray(items) || (domain.isMine(items) && lengthOf === undefined))
        throw new OneByOne('library', 'an item is drawn from what is no array');
      const n = domain.isMine(items) ? lengthOf!(items) : items.length;
      if (n === 0) return undefined;
      return get(items, sample(randomInteger({ n }) as Distribution<number>));
    };
  }

  private factor(plain: Fn): Fn {
    const { domain, checkScore } = this.way;
    return (score) => {
      if (domain.kindOf(score) !== 'number') return plain(score);
      checkScore(score);
      weigh(score);
      return undefined;
    };
  }

  private condition(plain: Fn): Fn {
    const { domain, choose } = this.way;
    const [possible, impossible] = [(): number => 0, (): number => -Infinity];
    return (holds) => {
      if (!domain.isMine(holds)) return plain(holds);
      weigh(choose(holds, possible, impossible));
      return undefined;
    };
  }

  /** A function that is not known to be right ends the way of running where it is called. */
  private ending(plain: unknown, name: string): unknown {
    const { domain } = this.way;
    if (typeof plain === 'function') {
      const ended: Fn = (...args) => {
        if (domain.isActive()) throw new OneByOne('library', `${name} is called`);
        return (plain as Fn)(...args);
      };
      return Object.assign(ended, plain);
    }
    if (typeof plain !== 'object' || plain === null) return plain;
    return new Proxy(plain, {
      get(target, key) {
        if (domain.isActive()) throw new OneByOne('library', `${name} is used`);
        return Reflect.get(target, key);
      },
    });
  }
}

/** A constructor whose parameters may also be given one after the other. */
const inOrder =
  (construct: Fn, names: readonly string[]): Fn =>
  (...args) =>
    args.length < 2 || args.length > names.length
      ? construct(...args)
      : construct(Object.fromEntries(args.map((argument, i) => [names[i], argument])));

/** The row of a name that has none: helpers of families have their names, in lower case. */
function rowOfSampler(name: string, library: Names): LibraryRow {
  const family = name[0].toUpperCase() + name.slice(1);
  return isFamily(library[family]) ? { does: 'draws', of: family } : {};
}

/** Tells the handler of a factor, whose score may stand for others. */
export function weigh(score: unknown): void {
  machine.effects++;
  machine.handler.factor(score as number, machine.address);
  machine.returns = false;
}

/** The parameters that the lower-case helper of a family is given: by name in one object, or in the order of `names`. */
function parametersGiven(
  args: readonly unknown[],
  names: readonly string[],
  isValue: (argument: unknown) => boolean,
): unknown {
  const [first] = args;
  const named = args.length === 1 && typeof first === 'object' && !isValue(first) && !Array.isArray(first);
  return named ? first : Object.fromEntries(args.map((argument, i) => [names[i], argument]));
}
