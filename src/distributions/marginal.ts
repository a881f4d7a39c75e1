/** The results of inference: distributions over what a model returned. */
import { WaymarkError } from '../runtime/errors.ts';
import { ORIGINAL } from '../runtime/likeness.ts';
import { machine } from '../runtime/machine.ts';
import type { Random } from '../runtime/random.ts';
import type { Scored } from './distribution.ts';
import { SampleColumns } from './sample-columns.ts';
import { type ProbabilityTable, placeOf, runningSums, TableBuilder } from './table.ts';
import { type Entry, TabulatedDistribution } from './tabulated.ts';

/** Collects the executions of an exact inference: `add` each one's value and log-weight, then `build`. */
export class MarginalBuilder<V> {
  private readonly collected = new TableBuilder<V>();

  /** Number of distinct values with positive weight so far. */
  get size(): number {
    return this.collected.size;
  }

  /** Weights need not be normalised; those of equal values add up, and −∞ adds nothing. */
  add(value: V, logWeight: number): void {
    this.collected.add(value, logWeight);
  }

  /** Adds all that another one has collected, with log-weights shifted by a number. */
  include(other: MarginalBuilder<V>, shift: number): void {
    this.collected.include(other.collected, shift);
  }

  /** The marginal, with the log of the total weight as `logZ`. Undefined if no value had any weight. */
  build(): Marginal<V> | undefined {
    const finished = this.collected.finish();
    return finished === undefined ? undefined : new Marginal(finished.table, finished.logTotal);
  }
}

/** What a model returns, with exact probabilities. */
export class Marginal<V> extends TabulatedDistribution<V> {
  override readonly name = 'Marginal';
  /** Private to JavaScript too, since functions that compare objects would see any other field. */
  readonly #original: Marginal<V> | undefined;

  constructor(
    protected override readonly table: ProbabilityTable<V>,
    /** Log of the weight of all executions together (the evidence), where the inference knows it. */
    readonly logZ?: number,
    /** Another distribution of the very same values. */
    original?: Marginal<V>,
  ) {
    super();
    this.#original = original;
  }

  get [ORIGINAL](): Marginal<V> | undefined {
    return this.#original;
  }

  /** From values with log-weights, which need not be normalised or distinct. */
  static fromScores<V>(entries: Iterable<{ value: V; score: number }>): Marginal<V> {
    const builder = new MarginalBuilder<V>();
    for (const { value, score } of entries) builder.add(value, score);
    const marginal = builder.build();
    if (marginal === undefined) throw new WaymarkError('A marginal needs at least one value of positive probability.');
    return marginal;
  }

  /** Another one that is the same, with these objects, which have the same contents. */
  withValues(values: readonly V[]): Marginal<V> {
    return values === this.table.values
      ? new Marginal(this.table, this.logZ, this.#original ?? this)
      : new Marginal(this.table.withValues(values), this.logZ);
  }

  /** WebPPL's name for `logZ`. */
  get normalizationConstant(): number | undefined {
    return this.logZ;
  }

  override get params(): { dist: Record<string, Entry<V>> } {
    return { dist: this.getDist() };
  }
}

/** One sample of an inference; `score` is the log-probability of its execution, where the algorithm knows it. */
export interface Sample<V> {
  value: V;
  score?: number;
}

/** What an algorithm may tell about its samples besides the values. */
interface SampleDetails {
  /** Log-weights, one per sample; absent means equal weights. */
  weights?: ArrayLike<number>;
  /** Estimate of the log of the evidence. */
  logZ?: number;
  /** Executions, where they were asked for. */
  traces?: readonly unknown[];
  /** Acceptance rates, effective sample sizes and the like, by name. */
  diagnostics?: Record<string, unknown>;
}

const NO_WEIGHT = 'All samples have weight zero, so there is no distribution.';

/** What a model returned in many executions: the empirical distribution of the samples, kept in draw order. */
export class SampleBasedMarginal<V> extends TabulatedDistribution<V> {
  override readonly name = 'SampleBasedMarginal';
  readonly weights: ArrayLike<number> | undefined;
  readonly logZ: number | undefined;
  readonly traces: readonly unknown[] | undefined;
  readonly diagnostics: Record<string, unknown> | undefined;
  private histogram: ProbabilityTable<V> | null = null;
  private weightSums: Float64Array | null = null;

  constructor(
    private readonly given: readonly Sample<V>[] | SampleColumns<V>,
    details: SampleDetails = {},
  ) {
    super();
    if (given instanceof SampleColumns) given.belongTo(this);
    const samples = given;
    if (samples.length === 0) throw new WaymarkError('A distribution of samples needs at least one sample.');
    const { weights } = details;
    if (weights !== undefined && weights.length !== samples.length) {
      throw new WaymarkError(
        `There must be one weight per sample: ${samples.length} samples, ${weights.length} weights.`,
      );
    }
    this.weights = weights;
    this.logZ = details.logZ;
    this.traces = details.traces;
    this.diagnostics = details.diagnostics;
  }

  /** In the order in which they were drawn. */
  get samples(): readonly Sample<V>[] {
    const { given } = this;
    return given instanceof SampleColumns ? given.list : given;
  }

  override MAP(): Scored<V> {
    const best = super.MAP();
    const count = this.given.length;
    // (A chain keeps the one most probable execution if it is asked to.)
    if (count > 1 && this.support().length === count && this.isLevel) {
      machine.run.warn(
        `MAP: no two of the ${count.toLocaleString('en')} samples are the same, so that none is more probable than the others, and the ` +
          'first is given. Method MCMC with onlyMAP: true keeps the most probable execution, and kde(dist) makes a density of numbers.',
      );
    }
    return best;
  }

  /** Whether all values are equally probable. */
  private get isLevel(): boolean {
    const { scores } = this.table;
    for (let i = 1; i < scores.length; i++) if (Math.abs(scores[i] - scores[0]) > 1e-9) return false;
    return true;
  }

  /** WebPPL's name for `logZ`. */
  get normalizationConstant(): number | undefined {
    return this.logZ;
  }

  override get params(): { dist: Record<string, Entry<V>> } {
    return { dist: this.getDist() };
  }

  private valueAt(i: number): V {
    const { given } = this;
    return given instanceof SampleColumns ? given.values[i] : given[i].value;
  }

  /** Picks a sample, so drawing never needs the histogram. */
  override draw(random: Random): V {
    const { weights } = this;
    if (weights === undefined) return this.valueAt(random.integer(this.given.length));
    if (this.weightSums === null) {
      let largest = -Infinity;
      for (let i = 0; i < weights.length; i++) largest = Math.max(largest, weights[i]);
      if (largest === -Infinity) throw new WaymarkError(NO_WEIGHT);
      this.weightSums = runningSums(Float64Array.from(weights, (weight) => Math.exp(weight - largest)));
    }
    return this.valueAt(placeOf(random.uniform(), this.weightSums));
  }

  protected override get table(): ProbabilityTable<V> {
    if (this.histogram === null) {
      const builder = new TableBuilder<V>();
      for (let i = 0; i < this.given.length; i++) {
        builder.add(this.valueAt(i), this.weights === undefined ? 0 : this.weights[i]);
      }
      const finished = builder.finish();
      if (finished === undefined) throw new WaymarkError(NO_WEIGHT);
      this.histogram = finished.table;
    }
    return this.histogram;
  }
}
