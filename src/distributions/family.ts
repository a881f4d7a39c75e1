/**
 * Families of distributions. A file in this folder defines one: its parameters with their domains, what its values
 * are, how to draw, how to score, and what else is known of it in closed form. `family` turns the definition into the
 * constructor that programs call.
 */
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import type { Distribution, Interval } from '../runtime/handler.ts';
import { lifting } from '../runtime/lifting.ts';
import type { Random } from '../runtime/random.ts';
import type { Shape } from '../tensor/shape.ts';
import { Tensor } from '../tensor/tensor.ts';
import { fromOwnText, writtenOut } from '../v8/own-text.ts';
import { BaseDistribution } from './distribution.ts';
import { badArguments, givenTwice } from './family-errors.ts';
import type { AnyParameter, Parameter } from './parameter.ts';
import { namedText } from './parameter-text.ts';
import type { ValueKind } from './value-kind.ts';

/** Parameters by name, in the order in which the lower-case helper (`gaussian(0, 1)`) takes them. */
export type ParameterTable = Readonly<Record<string, AnyParameter>>;

type TypeOf<Kind> = Kind extends { accepts(value: unknown): value is infer Given }
  ? Kind extends Parameter<infer T, Given>
    ? T
    : never
  : never;
type GivenOf<Kind> = Kind extends { accepts(value: unknown): value is infer Given } ? Given : never;
type OptionalNames<Ps> = { [K in keyof Ps]: undefined extends GivenOf<Ps[K]> ? K : never }[keyof Ps];

/** Parameters as a distribution holds them. */
type ParamsOf<Ps> = { [K in keyof Ps]: TypeOf<Ps[K]> };
/** Parameters as programs may give them. */
type GivenParams<Ps> = { [K in Exclude<keyof Ps, OptionalNames<Ps>>]: GivenOf<Ps[K]> } & {
  [K in OptionalNames<Ps>]?: GivenOf<Ps[K]>;
};

/** The type of a mean: probabilities for truth values. */
type Moment<V> = V extends boolean ? number : V;

/** What a family is: its name, parameters and values. */
interface FamilyHead<Ps, P, V, S> {
  readonly name: string;
  readonly params: Ps;
  readonly values: ValueKind<V>;
  /** The dims of values that are tensors, as far as parameters say, which may be nodes of the graph: see `value-size.ts`. */
  dims?(params: P): Shape | undefined;
  /** How many values there are, where they are counted: whole numbers are 0, 1, … */
  count?(params: P): number | undefined;
  /** Worked out once per distribution (a factored matrix, a sum) and handed to everything below as `prepared`. */
  prepare?(params: P): S;
}

/** How a family behaves. `draw` and `score` only see checked parameters, and `score` only values of the right kind. */
export interface FamilyBehaviour<P, V, S> {
  draw(params: P, random: Random, prepared: S): V;
  /** Must give −∞, not NaN, outside the support. */
  score(params: P, value: V, prepared: S): number;
  /** A constraint between parameters: what is wrong, or undefined. */
  check?(params: P, prepared: S): string | undefined;
  support?(params: P, prepared: S): readonly V[] | Interval;
  /** True if all values of the support are equally probable. */
  readonly uniform?: boolean;
  mean?(params: P, prepared: S): Moment<V>;
  variance?(params: P, prepared: S): Moment<V>;
  /** In nats. */
  entropy?(params: P, prepared: S): number;
  /** P(X ≤ x). */
  cdf?(params: P, x: number, prepared: S): number;
  /** P(X > x), where it is known better than as 1 − cdf(x), which is 0 long before this is. */
  survival?(params: P, x: number, prepared: S): number;
  /** The smallest x with cdf(x) ≥ p, for 0 ≤ p ≤ 1. */
  quantile?(params: P, p: number, prepared: S): number;
  /** Appendix A of the paper: a value is `transform(noise)`, with noise drawn from `base`, free of parameters. */
  readonly reparameterisation?: {
    base(params: P, prepared: S): Distribution<V>;
    transform(params: P, noise: V, prepared: S): V;
    /** The score of what the noise is transformed to, where the noise tells it sooner. */
    score?(params: P, noise: V, prepared: S): number;
  };
}

/** A whole definition, as guides and algorithms consult it through `dist.family`. */
export interface FamilyDefinition<P extends object, V, S = unknown>
  extends FamilyHead<{ readonly [K in keyof P]-?: AnyParameter }, P, V, S>,
    FamilyBehaviour<P, V, S> {
  /** The families that are meant if a parameter of that name is given (`alternatives.ts`). */
  alternatives?: Readonly<Record<string, (params: object) => Distribution<unknown>>>;
}

/** The methods of a distribution that not every family has. */
export interface ClosedForms<V> {
  support(): readonly V[] | Interval;
  mean(): Moment<V>;
  variance(): Moment<V>;
  entropy(): number;
  /** P(X ≤ x). */
  cdf(x: number): number;
  /** The smallest x with cdf(x) ≥ p. */
  quantile(p: number): number;
  base(): Distribution<V>;
  transform(noise: V): V;
}

/** A distribution of some family: methods the family has no closed form for are absent. */
export interface FamilyDistribution<P extends object, V>
  extends BaseDistribution<V>,
    Partial<Pick<ClosedForms<V>, 'mean' | 'variance' | 'cdf' | 'quantile' | 'base' | 'transform'>> {
  readonly params: P;
  readonly family: FamilyDefinition<P, V>;
}

type Known<B, V> = (B extends { support: (...args: never[]) => infer R } ? { support(): R } : unknown) &
  Pick<ClosedForms<V>, Extract<keyof B, 'mean' | 'variance' | 'entropy' | 'cdf' | 'quantile'>> &
  (B extends { reparameterisation: object } ? Pick<ClosedForms<V>, 'base' | 'transform'> : unknown);

/** What the lower-case helper, guides and serialisation need to know of a constructor. */
export interface Described {
  readonly family: { readonly name: string; readonly params: ParameterTable };
}

/** `Gaussian` in `Gaussian({mu, sigma})`; `B` says which closed forms its distributions have. */
export interface Constructor<P extends object, V, Given = P, B = unknown> {
  (params: Given): Known<B, V> & FamilyDistribution<P, V>;
  readonly family: FamilyDefinition<P, V>;
}

export function family<Ps, V, S, B extends FamilyBehaviour<ParamsOf<Ps>, V, S>>(
  head: FamilyHead<Ps, ParamsOf<Ps>, V, S>,
  behaviour: B & FamilyBehaviour<ParamsOf<Ps>, V, S>,
): Constructor<ParamsOf<Ps>, V, GivenParams<Ps>, B> {
  const definition = { ...head, ...behaviour };
  const construct = fromOwnText(definition.name, makeConstructor, constructors, definition as never, partsOf);
  Object.defineProperty(construct, 'name', { value: definition.name });
  return Object.assign(construct, { family: definition }) as never;
}

type Accepts = AnyParameter['accepts'];

/** What a constructor needs beside the definition: made with the first distribution, since a program has few of the families. */
interface Parts<P extends object, S> {
  readonly Base: typeof BaseDistribution;
  readonly names: readonly string[];
  readonly kinds: readonly AnyParameter[];
  readonly methods: object;
  readonly check: ((params: P, prepared: S) => void) | undefined;
  complain(given: unknown, extra: unknown): never;
  bounded<D>(name: string, drawn: D): D;
}

function partsOf<P extends object, V, S>(definition: FamilyDefinition<P, V, S>): Parts<P, S> {
  const names = Object.keys(definition.params);
  const kinds: readonly AnyParameter[] = Object.values(definition.params);
  const { check: constraint } = definition;
  return {
    Base: BaseDistribution,
    names,
    kinds,
    methods: methodsOf(definition, names),
    check:
      constraint === undefined
        ? undefined
        : (params: P, prepared: S): void => {
            const problem = constraint(params, prepared);
            if (problem !== undefined) throw new WaymarkError(`${definition.name}: ${problem}.`);
          },
    complain(given, extra) {
      if (extra === undefined && typeof given === 'object' && given !== null) {
        const { alternatives } = definition;
        for (const name in alternatives) {
          if (!(name in given)) continue;
          const twice = givenTwice(definition.name, names, name, alternatives[name] as never, given);
          if (twice !== undefined) throw new WaymarkError(twice);
          return alternatives[name](given) as never;
        }
        const lifted = lifting.current?.distribution(definition.name, given);
        if (lifted !== undefined) return lifted as never;
      }
      const others = Object.keys(definition.alternatives ?? {});
      throw new WaymarkError(badArguments(definition.name, names, kinds, given, extra, others));
    },
    bounded,
  };
}

/** Draws beyond the largest number are that number; those that are none have parameters too extreme for them. */
export function bounded<D>(name: string, drawn: D): D {
  if (typeof drawn === 'number') return boundedNumber(name, drawn) as D;
  if (!(drawn instanceof Tensor) || drawn.data.every(Number.isFinite)) return drawn;
  return new Tensor(
    drawn.dims,
    drawn.data.map((x) => boundedNumber(name, x)),
  ) as D;
}

function boundedNumber(name: string, drawn: number): number {
  if (!Number.isNaN(drawn)) return Math.min(Math.max(drawn, -Number.MAX_VALUE), Number.MAX_VALUE);
  throw new WaymarkError(`${name}: its parameters are too large or too small to draw from it.`);
}

/**
 * Copied per family (`fromOwnText`), so it may use nothing but its arguments. Families have up to four parameters. What `begin` does is done,
 * and compiled, for families of which there is a distribution. The constructor reads variables: another function around it would
 * be one more call for each distribution.
 */
function makeConstructor<P extends object, V, S>(
  definition: FamilyDefinition<P, V, S>,
  partsOf: (definition: FamilyDefinition<P, V, S>) => Parts<P, S>,
) {
  interface Member {
    readonly params: P;
    readonly prepared: S | undefined;
    foreign(value: unknown): number;
  }
  let New: (new (params: P, prepared: S | undefined) => Member) | undefined;
  let count!: number;
  let name0!: keyof P, name1!: keyof P, name2!: keyof P, name3!: keyof P;
  let accepts0!: Accepts, accepts1!: Accepts, accepts2!: Accepts, accepts3!: Accepts;
  let converted!: readonly (keyof P)[];
  let converters!: readonly NonNullable<AnyParameter['convert']>[];
  let check!: Parts<P, S>['check'];
  let complain!: Parts<P, S>['complain'];
  const { prepare } = definition;

  function begin(): NonNullable<typeof New> {
    const { Base, names, kinds, methods, bounded, ...others } = partsOf(definition);
    const isTensor = definition.values.continuous && !definition.values.contains(0.5);
    const { draw, score } = definition;
    const { contains } = definition.values;
    ({ check, complain } = others);
    count = names.length;
    [name0, name1, name2, name3] = names as (keyof P)[];
    [accepts0, accepts1, accepts2, accepts3] = kinds.map((kind) => kind.accepts);
    converted = names.filter((_, i) => kinds[i].convert !== undefined) as (keyof P)[];
    converters = kinds.filter((kind) => kind.convert !== undefined).map((kind) => kind.convert!);

    // A plain function: constructors of derived classes take several times as long until they are optimised.
    function Member(this: { params: P; prepared: S | undefined }, params: P, prepared: S | undefined): void {
      this.params = params;
      this.prepared = prepared;
    }
    const prototype = Object.create(Base.prototype, Object.getOwnPropertyDescriptors(methods));
    prototype.constructor = Member;
    prototype.draw = function (this: Member, random: Random): V {
      const drawn = draw(this.params, random, this.prepared as S);
      if (typeof drawn === 'number' ? drawn - drawn === 0 : !isTensor) return drawn;
      return bounded(definition.name, drawn);
    };
    prototype.score = function (this: Member, value: unknown): number {
      if (!contains(value)) return this.foreign(value);
      const found = score(this.params, value, this.prepared as S);
      // Where parameters are so extreme that it cannot be computed: not a number, which would spoil every sum.
      return Number.isNaN(found) ? -Infinity : found;
    };
    Member.prototype = prototype;
    New = Member as unknown as NonNullable<typeof New>;
    return New;
  }

  return (given: P, extra?: unknown): Member => {
    const Made = New ?? begin();
    if (
      extra !== undefined ||
      typeof given !== 'object' ||
      given === null ||
      !(
        (count < 1 || accepts0(given[name0])) &&
        (count < 2 || accepts1(given[name1])) &&
        (count < 3 || accepts2(given[name2])) &&
        (count < 4 || accepts3(given[name3]))
      )
    ) {
      return complain(given, extra);
    }
    // An option that was written was meant to have an effect.
    for (const name in given) {
      if ((name as keyof P) === name0 || (name as keyof P) === name1) continue;
      if ((name as keyof P) !== name2 && (name as keyof P) !== name3) return complain(given, extra);
    }
    let params = given;
    if (converted.length > 0) {
      params = { ...given };
      for (let i = 0; i < converted.length; i++) {
        params[converted[i]] = converters[i](given[converted[i]] as never) as P[keyof P];
      }
    }
    const prepared = prepare === undefined ? undefined : prepare(params);
    if (check !== undefined) check(params, prepared as S);
    return new Made(params, prepared);
  };
}

const constructors = writtenOut(makeConstructor);

/** The methods of a family's distributions, besides draw and score. */
function methodsOf<P extends object, V, S>(definition: FamilyDefinition<P, V, S>, names: readonly string[]): object {
  type Self = { readonly params: P; readonly prepared: S };
  const { name, support, mean, variance, entropy, quantile, reparameterisation } = definition;
  const methods: Record<string, unknown> = {
    name,
    isContinuous: definition.values.continuous,
    isUniform: definition.uniform === true,
    family: definition,
    foreign(this: Self, value: unknown): number {
      if (lifting.current?.isLifted(value)) return lifting.current.score(name, this.params, value, this.prepared);
      if (value === undefined) throw new WaymarkError(`${name}.score needs the value to score.`);
      return -Infinity;
    },
    toString(this: Self): string {
      const shown: Record<string, unknown> = {};
      for (const key of names) shown[key] = this.params[key as keyof P];
      return `${name}(${namedText(shown)})`;
    },
  };
  const simple = { support, mean, variance, entropy };
  for (const [method, compute] of Object.entries(simple)) {
    if (compute === undefined) continue;
    methods[method] = function (this: Self): unknown {
      return compute(this.params, this.prepared);
    };
  }
  for (const method of ['cdf', 'survival'] as const) {
    const share = definition[method];
    if (share === undefined) continue;
    methods[method] = function (this: Self, x: number): number {
      if (lifting.current?.isLifted(x)) return lifting.current.closedForm(name, method, this.params, x, this.prepared);
      if (typeof x !== 'number' || Number.isNaN(x))
        throw new WaymarkError(`${method} needs a number, got ${describe(x)}.`);
      return share(this.params, x, this.prepared);
    };
  }
  if (quantile !== undefined) {
    methods.quantile = function (this: Self, p: number): number {
      if (lifting.current?.isLifted(p))
        return lifting.current.closedForm(name, 'quantile', this.params, p, this.prepared);
      if (typeof p !== 'number' || !(p >= 0 && p <= 1)) {
        throw new WaymarkError(`quantile needs a probability from 0 to 1, got ${describe(p)}.`);
      }
      return quantile(this.params, p, this.prepared);
    };
  }
  if (reparameterisation !== undefined) {
    methods.base = function (this: Self): Distribution<V> {
      return reparameterisation.base(this.params, this.prepared);
    };
    methods.transform = function (this: Self, noise: V): V {
      if (lifting.current?.isLifted(noise)) return lifting.current.transform(name, this.params, noise);
      return reparameterisation.transform(this.params, noise, this.prepared);
    };
  }
  return methods;
}
