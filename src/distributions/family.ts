/**
 * Families of distributions. A file in this folder defines one: its parameters with their domains, how to draw,
 * how to score, and what else is known of it in closed form. `family` turns the definition into the constructor
 * that programs call.
 */
import { describe } from '../runtime/describe.ts';
import { nearest, WaymarkError } from '../runtime/errors.ts';
import type { Distribution, Interval } from '../runtime/handler.ts';
import type { Random } from '../runtime/random.ts';
import { BaseDistribution } from './distribution.ts';
import type { Parameter } from './parameter.ts';

export interface FamilyDefinition<P extends object, V> {
  readonly name: string;
  /** In the order in which the lower-case helper (`gaussian(0, 1)`) takes them. */
  readonly params: { readonly [K in keyof P]-?: Parameter<P[K]> };
  readonly continuous: boolean;
  draw(params: P, random: Random): V;
  /** Only called with checked parameters; must give −∞, not NaN, outside the support. */
  score(params: P, value: V): number;
  support?(params: P): readonly V[] | Interval;
  /** A constraint between parameters: what is wrong, or undefined. */
  check?(params: P): string | undefined;
  mean?(params: P): V extends boolean ? number : V;
  variance?(params: P): V extends boolean ? number : V;
  /** P(X ≤ x). */
  cdf?(params: P, x: number): number;
  /** The smallest x with cdf(x) ≥ p, for 0 ≤ p ≤ 1. */
  quantile?(params: P, p: number): number;
  /** Appendix A of the paper: a value is `transform(noise)`, with noise drawn from `base`, free of parameters. */
  readonly reparameterisation?: {
    base(params: P): Distribution<V>;
    transform(params: P, noise: V): V;
  };
}

/** A distribution of a family, as programs see it. Methods the family has no closed form for are absent. */
export interface FamilyDistribution<P extends object, V> extends BaseDistribution<V> {
  readonly params: P;
  readonly family: FamilyDefinition<P, V>;
  mean?(): V extends boolean ? number : V;
  variance?(): V extends boolean ? number : V;
  cdf?(x: number): number;
  quantile?(p: number): number;
  base?(): Distribution<V>;
  transform?(noise: V): V;
}

/** `Gaussian` in `Gaussian({mu, sigma})`. */
export interface Constructor<P extends object, V> {
  (params: P): FamilyDistribution<P, V>;
  readonly family: FamilyDefinition<P, V>;
}

export function family<P extends object, V>(definition: FamilyDefinition<P, V>): Constructor<P, V> {
  const names = Object.keys(definition.params) as (keyof P & string)[];
  const kinds = names.map((name) => definition.params[name]);

  class Member extends BaseDistribution<V> {
    constructor(readonly params: P) {
      super();
    }
    get name(): string {
      return definition.name;
    }
    get isContinuous(): boolean {
      return definition.continuous;
    }
    get family(): FamilyDefinition<P, V> {
      return definition;
    }
    draw(random: Random): V {
      return definition.draw(this.params, random);
    }
    score(value: V): number {
      if (value === undefined) throw new WaymarkError(`${definition.name}.score needs the value to score.`);
      return definition.score(this.params, value);
    }
    override toString(): string {
      return `${definition.name}({${names.map((name) => `${name}: ${String(this.params[name])}`).join(', ')}})`;
    }
  }

  const { support, mean, variance, cdf, quantile, reparameterisation } = definition;
  const methods: Record<string, unknown> = {};
  if (support !== undefined) methods.support = memberOf<P>((p) => support(p));
  if (mean !== undefined) methods.mean = memberOf<P>((p) => mean(p));
  if (variance !== undefined) methods.variance = memberOf<P>((p) => variance(p));
  if (cdf !== undefined) methods.cdf = memberOf<P>((p, x) => cdf(p, x as number));
  if (quantile !== undefined) {
    methods.quantile = memberOf<P>((p, probability) => {
      if (typeof probability !== 'number' || !(probability >= 0 && probability <= 1)) {
        throw new WaymarkError(`quantile needs a probability from 0 to 1, got ${describe(probability)}.`);
      }
      return quantile(p, probability);
    });
  }
  if (reparameterisation !== undefined) {
    methods.base = memberOf<P>((p) => reparameterisation.base(p));
    methods.transform = memberOf<P>((p, noise) => reparameterisation.transform(p, noise as V));
  }
  Object.assign(Member.prototype, methods);

  function construct(params: P, ...rest: unknown[]): FamilyDistribution<P, V> {
    if (rest.length > 0 || ((typeof params !== 'object' || params === null) && names.length > 0)) {
      throw new WaymarkError(wrongShape(definition.name, names, params));
    }
    for (let i = 0; i < names.length; i++) {
      const value = params[names[i]];
      if (kinds[i].accepts(value)) continue;
      if (value === undefined && kinds[i].optional) continue;
      throw new WaymarkError(wrongParameter(definition.name, names, names[i], kinds[i].expected, params));
    }
    const problem = definition.check?.(params);
    if (problem !== undefined) throw new WaymarkError(`${definition.name}: ${problem}.`);
    return new Member(params ?? ({} as P)) as unknown as FamilyDistribution<P, V>;
  }
  Object.defineProperty(construct, 'name', { value: definition.name });
  return Object.assign(construct, { family: definition });
}

/** A method of a distribution from a function of its parameters. */
function memberOf<P>(compute: (params: P, argument: unknown) => unknown) {
  return function (this: { params: P }, argument?: unknown): unknown {
    return compute(this.params, argument);
  };
}

function wrongShape(family: string, names: readonly string[], given: unknown): string {
  const form = `${family}({${names.join(', ')}})`;
  return `${family} takes one object of named parameters, as in ${form}; got ${describe(given)}.`;
}

function wrongParameter(
  family: string,
  names: readonly string[],
  name: string,
  expected: string,
  given: object,
): string {
  const value = (given as Record<string, unknown>)[name];
  if (value !== undefined) return `${family}: ${name} must be ${expected}, got ${describe(value)}.`;
  const unknown = Object.keys(given).filter((key) => !names.includes(key));
  const slip = unknown.find((key) => nearest(key, [name]) !== undefined) ?? unknown[0];
  const hint = slip === undefined ? '' : ` It has '${slip}' instead.`;
  return `${family}: ${name} is missing; it must be ${expected}.${hint}`;
}
