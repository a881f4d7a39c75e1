import { WaymarkError } from '../runtime/errors.ts';
import type { Random } from '../runtime/random.ts';
import { logSumExp } from '../tensor/special/exponentials.ts';
import { customFamily } from './custom-family.ts';
import { drawIndex, totalOf } from './draws/weights.ts';
import { elementsOf, fixed, type Numbers, optional, realVector, weights } from './parameter.ts';
import { namedText } from './parameter-text.ts';
import { ProbabilityTable } from './table.ts';
import { TabulatedDistribution } from './tabulated.ts';

export interface CategoricalParams<V> {
  /** In the order of `vs`; they need not add up to 1. Left out: all values alike. */
  ps?: Numbers;
  vs: readonly V[];
  /** Logarithms of probabilities, in place of `ps`; these need not be normalised either. */
  logits?: Numbers;
}

const table = {
  ps: optional(weights),
  vs: fixed<readonly unknown[]>('an array of at least one value', (value) => Array.isArray(value) && value.length > 0),
  logits: optional(realVector),
};

class CategoricalDistribution<V> extends TabulatedDistribution<V> {
  override readonly name = 'Categorical';
  private readonly weights: ArrayLike<number> | undefined;
  private readonly total: number;
  private readonly logs: Float64Array | undefined;
  private distinct: ProbabilityTable<V> | null = null;
  private isPlain: boolean | null = null;

  constructor(override readonly params: CategoricalParams<V>) {
    super();
    const { ps, vs, logits } = params;
    if (ps !== undefined && logits !== undefined) {
      throw new WaymarkError('Categorical takes ps or logits, not both: logits are the logarithms of ps.');
    }
    if (logits !== undefined) this.logs = logProbabilities(elementsOf(logits)!);
    this.weights = this.logs?.map(Math.exp) ?? elementsOf(ps);
    this.total = this.weights === undefined ? vs.length : totalOf(this.weights);
    if (this.weights !== undefined && this.weights.length !== vs.length) {
      const given = logits === undefined ? 'ps' : 'logits';
      throw new WaymarkError(
        `Categorical: ${given} and vs must have the same length, got ${this.weights.length} and ${vs.length}.`,
      );
    }
  }

  get family(): typeof Categorical.family {
    return Categorical.family;
  }

  /** Needs no table, because most are drawn from once and thrown away. */
  override draw(random: Random): V {
    const { vs } = this.params;
    if (this.weights === undefined) return vs[random.integer(vs.length)];
    return vs[drawIndex(this.weights, this.total, random)];
  }

  override score(value: V): number {
    if (!this.plain) return this.table.score(value);
    const place = this.params.vs.indexOf(value);
    if (this.logs !== undefined) return place < 0 ? -Infinity : this.logs[place];
    return place < 0 ? -Infinity : Math.log((this.weights === undefined ? 1 : this.weights[place]) / this.total);
  }

  override support(): readonly V[] {
    return this.plain ? this.params.vs : this.table.values;
  }

  /** A few distinct strings, numbers or booleans need no table to be told apart. */
  private get plain(): boolean {
    this.isPlain ??= areFewAndDistinct(this.params.vs);
    return this.isPlain;
  }

  protected override get table(): ProbabilityTable<V> {
    if (this.distinct === null) {
      const { vs } = this.params;
      this.distinct = ProbabilityTable.fromWeights(vs, this.weights ?? new Float64Array(vs.length).fill(1));
    }
    return this.distinct;
  }

  override toString(): string {
    const { ps, vs, logits } = this.params;
    return `Categorical(${namedText(logits === undefined ? { ps, vs } : { logits, vs })})`;
  }
}

function logProbabilities(logits: ArrayLike<number>): Float64Array {
  const total = logSumExp(logits);
  return Float64Array.from(logits, (logit) => logit - total);
}

function areFewAndDistinct(values: readonly unknown[]): boolean {
  if (values.length > 8) return false;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    // NaN is not found by comparing.
    if (typeof value === 'object' || typeof value === 'function' || Number.isNaN(value)) return false;
    for (let j = 0; j < i; j++) if (values[j] === value) return false;
  }
  return true;
}

/**
 * One of the values `vs`, with probabilities in proportion to `ps`. Equal values count together. In place of `ps` their logarithms may
 * be given, as `logits`.
 */
export const Categorical = customFamily(
  'Categorical',
  table,
  <V>(params: CategoricalParams<V>): CategoricalDistribution<V> => new CategoricalDistribution(params),
);
