/**
 * `family` (`src/distributions/family.ts`) makes a constructor from a definition in two parts: what the family is (name,
 * parameters with their domains, kind of values) and how it behaves (`draw`, `score`, and what is known in closed form).
 * Definitions are written in ordinary arithmetic on numbers, so that plain programs run at native speed. Scores never give
 * NaN: values of another kind, and values outside the support, score −∞. A family may `prepare` something once per
 * distribution (a sum, a Cholesky factor) for everything else to use. Special functions are in `src/tensor/special/`,
 * variate generators in `src/distributions/draws/`.
 *
 * `Categorical`, `Mixture` and the results of inference (`marginal.ts`) are classes of their own; those over finitely
 * many values share a `ProbabilityTable`. Each constructor runs from its own copy of the source text (`own-text.ts`),
 * because V8 keeps type feedback per source text.
 *
 * A new family is one file, a line each in `index.ts` and `samplers.ts`, and a row in `test/distributions/table.ts`, from
 * which its tests are generated: normalisation, draws against scores, moments, quantiles, slopes, wrong values.
 */
import { WaymarkError } from '../runtime/errors.ts';
import type { Distribution, Interval } from '../runtime/handler.ts';
import { lifting } from '../runtime/lifting.ts';
import type { Random } from '../runtime/random.ts';
import { INSPECT, inspected } from '../runtime/readable.ts';
import { unseenNumbers } from '../runtime/unseen-numbers.ts';
import { valueKey } from '../runtime/values.ts';

/** A value and its log-probability, as `MAP` returns them. */
export interface Scored<V> {
  val: V;
  score: number;
}

/** What all distributions share: the methods programs call on them. Families are made with `family`. */
export abstract class BaseDistribution<V> implements Distribution<V> {
  /** The family, as programs write it. */
  abstract readonly name: string;
  /** The parameters, by name. */
  abstract readonly params: object;
  /** Whether scores are densities. */
  abstract readonly isContinuous: boolean;

  /** A value, made of the given random numbers. */
  abstract draw(random: Random): V;
  /** Log-probability or log-density of a value: −∞ outside the support, never NaN. */
  abstract score(value: V): number;
  /** All values if there are finitely many, or the bounds of an interval. */
  support?(): readonly V[] | Interval;

  /** A draw that inference does not see; programs make choices with `sample(dist)`. */
  sample(): V {
    return this.draw(unseenNumbers());
  }

  /** WebPPL's description of the family. */
  get meta(): { name: string } {
    return { name: this.name };
  }

  /** The support, or an error that says what needed it. */
  finiteSupport(purpose: string): readonly V[] {
    const support = this.support?.();
    if (support === undefined || !isListed(support)) {
      throw new WaymarkError(
        `${purpose} needs a distribution with finitely many values, and ${this.name} is not one. ` +
          'Draw samples from it (Infer with method forward) and use those.',
      );
    }
    return support;
  }

  /** The most probable value; the first of them on a tie. */
  MAP(): Scored<V> {
    let best: Scored<V> | undefined;
    for (const val of this.finiteSupport('MAP')) {
      const score = this.score(val);
      if (best === undefined || score > best.score) best = { val, score };
    }
    if (best === undefined) throw new WaymarkError(`${this.name} has no values, so no most probable one.`);
    return best;
  }

  /** In nats. */
  entropy(): number {
    let total = 0;
    for (const value of this.finiteSupport('entropy')) {
      const score = this.score(value);
      if (score > -Infinity) total -= Math.exp(score) * score;
    }
    return total;
  }

  /**
   * P(X > x): of a datum that is only known to be larger, as in `factor(Math.log(d.survival(x)))`. In the tail of most
   * families it keeps its digits, where 1 − cdf(x) has none left.
   */
  survival(x: number): number {
    const below = (this as { cdf?(x: number): number }).cdf?.(x);
    if (below === undefined) {
      throw new WaymarkError(`survival needs a distribution whose cdf is known, and that of ${this.name} is not.`);
    }
    const { current } = lifting;
    return current?.isLifted(below) ? (current.binary('sub', 1, below) as number) : 1 - below;
  }

  /** Values and their probabilities. */
  toJSON(): { probs: number[]; support: readonly V[] } {
    const support = this.finiteSupport('toJSON');
    return { probs: support.map((value) => Math.exp(this.score(value))), support };
  }

  /** Distributions are values too: of one family with equal parameters, they are equal. */
  valueKey(): string {
    return `${this.name} ${String(valueKey(this.params))}`;
  }

  /** What `console.log` prints. */
  [INSPECT](depth?: unknown): string {
    return inspected(this, depth);
  }
}

function isListed<V>(support: readonly V[] | Interval): support is readonly V[] {
  return Array.isArray(support);
}
