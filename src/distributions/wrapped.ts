/** Distributions over numbers that are made of another one. */
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import type { Distribution, Interval } from '../runtime/handler.ts';
import { lifting } from '../runtime/lifting.ts';
import { isDistribution } from '../runtime/primitives.ts';
import type { Listed } from './closed-forms/listed-moments.ts';
import { BaseDistribution } from './distribution.ts';
import { wholeNumbersBelow } from './listable.ts';
import { fixed, type Parameter } from './parameter.ts';
import { namedText } from './parameter-text.ts';

/** The parameter that is another distribution. */
export const wrappedDistribution: Parameter<Distribution<number>> = fixed(
  'a distribution over numbers',
  isDistribution,
);

/** An end of an interval, which may be infinite. Scores have a gradient in it. */
export const end: Parameter<number> = {
  ...fixed<number>('a number', (value) => typeof value === 'number' && !Number.isNaN(value), true),
  scalar: true,
};

const NEGLIGIBLE = 1e-15;

/** A distribution with the closed forms that its family may have. */
type Known = Distribution<number> & {
  cdf?(x: number): number;
  survival?(x: number): number;
  quantile?(p: number): number;
  mean?(): unknown;
  variance?(): unknown;
};

export abstract class WrappedDistribution<
  P extends { readonly dist: Distribution<number> },
> extends BaseDistribution<number> {
  override readonly isContinuous: boolean;

  constructor(override readonly params: P) {
    super();
    this.isContinuous = params.dist.isContinuous;
  }

  protected abstract scoreOfNumber(x: number): number;
  protected abstract cdfOfNumber(x: number): number;
  protected abstract quantileOfNumber(p: number): number;

  override score(value: number): number {
    if (value === undefined) throw new WaymarkError(`${this.name}.score needs the value to score.`);
    if (lifting.current?.isLifted(value)) return this.forGraph().scoreOfNumber(value);
    return typeof value === 'number' && Number.isFinite(value) ? this.scoreOfNumber(value) : -Infinity;
  }

  /** P(X ≤ x). */
  cdf(x: number): number {
    if (lifting.current?.isLifted(x)) return this.forGraph().cdfOfNumber(x);
    if (typeof x !== 'number' || Number.isNaN(x)) throw new WaymarkError(`cdf needs a number, got ${describe(x)}.`);
    return this.cdfOfNumber(x);
  }

  /** The smallest x with cdf(x) ≥ p. */
  quantile(p: number): number {
    if (lifting.current?.isLifted(p)) return this.forGraph().quantileOfNumber(p);
    if (typeof p === 'number' && p >= 0 && p <= 1) return this.quantileOfNumber(p);
    throw new WaymarkError(`quantile needs a probability from 0 to 1, got ${describe(p)}.`);
  }

  /** Whether its parameters, or what it is asked, may be nodes: it is then of the text that is read for the graph. */
  protected get inGraph(): boolean {
    return 'plain' in this;
  }

  /** The same distribution, of the text that is read for the graph. */
  private forGraph(): this {
    return this.inGraph ? this : (lifting.current!.distribution(this.name, this.params) as unknown as this);
  }

  override toString(): string {
    return `${this.name}(${namedText(this.params as Record<string, unknown>)})`;
  }

  protected get wrapped(): Known {
    return this.params.dist;
  }

  /** P(X > x) of the distribution that this one is made of. */
  protected beyondWrapped(x: number): number {
    return this.wrapped.survival!(x);
  }

  /** The whole numbers from a to b, up to where what is left of their probability is nothing. */
  protected listed(a: number, b: number): Listed {
    const plain = this.plainForm();
    const first = Number.isFinite(a) ? Math.ceil(a) : plain.quantile(NEGLIGIBLE);
    const last = Number.isFinite(b) ? Math.floor(b) : plain.quantile(1 - NEGLIGIBLE);
    return { first, last, score: (k) => this.scoreOfNumber(k) };
  }

  private plainForm(): { quantile(p: number): number } {
    return (this as { plain?(): WrappedDistribution<P> }).plain?.() ?? this;
  }

  /** The part of its interval from a to b. */
  protected between(a: number, b: number): Interval {
    const own = this.wrapped.support?.();
    const { lower, upper } = own !== undefined && 'lower' in own ? own : { lower: -Infinity, upper: Infinity };
    return { lower: inner(a, lower, Math.max), upper: inner(b, upper, Math.min) };
  }

  /** A moment of the distribution that this one is made of. */
  protected moment(name: 'mean' | 'variance'): number {
    const value = this.wrapped[name]?.();
    if (typeof value === 'number' || lifting.current?.isLifted(value)) return value as number;
    throw new WaymarkError(`This ${this.name} has no ${name}, because ${this.wrapped.name} has none that is a number.`);
  }

  /** What is known of the distribution that this one is made of, or an error that says what needed it. */
  protected known<K extends 'cdf' | 'quantile'>(name: K): NonNullable<Known[K]> {
    const form = this.wrapped[name];
    if (form === undefined) throw noClosedForm(this.name, this.wrapped, name);
    return form.bind(this.wrapped) as NonNullable<Known[K]>;
  }
}

/** One of two ends; one that is not known yet is taken as it is, with its gradient. */
const inner = (given: number, own: number, of: (a: number, b: number) => number): number =>
  typeof given !== 'number' ? given : typeof own !== 'number' ? own : of(given, own);

/** The whole numbers from a to b that a discrete distribution may have, if they can be listed. */
export function numbersBetween(dist: Distribution<unknown>, a: number, b: number): readonly number[] | undefined {
  if (typeof a !== 'number' || typeof b !== 'number') return undefined;
  const listed = listedNumbers(dist);
  if (listed !== undefined) return listed.filter((k) => k >= a && k <= b);
  if (!Number.isFinite(a) || !Number.isFinite(b)) return undefined;
  const first = Math.ceil(a);
  return wholeNumbersBelow(Math.floor(b) - first + 1, dist.name).map((k) => first + k);
}

/** The values of a discrete distribution, if they can be listed and are numbers. */
export function listedNumbers(dist: Distribution<unknown>): readonly number[] | undefined {
  const values = dist.support?.();
  return Array.isArray(values) && values.every((value) => typeof value === 'number') ? values : undefined;
}

export const noClosedForm = (name: string, dist: Distribution<unknown>, form: string): WaymarkError =>
  new WaymarkError(`${name} needs a distribution whose ${form} is known, and that of ${describe(dist)} is not.`);
