import { type Continuous, coordinatesOf } from '../../../guides/coordinates/coordinates.ts';
import type { Address } from '../../../runtime/address.ts';
import { abandon, abandoned, type Entry } from '../../../runtime/execution.ts';
import type { Distribution, Handler, SampleOptions } from '../../../runtime/handler.ts';
import { machine } from '../../../runtime/machine.ts';
import type { RandomStream } from '../../../runtime/random.ts';
import type { Model } from '../../algorithm.ts';
import type { Trace } from '../trace.ts';
import { type Layout, pointAt } from './layout.ts';

/** Executes a model, in plain text, with its continuous choices at a point of unconstrained space. */
export class Placement<T> implements Handler {
  readonly name = 'Hamiltonian Monte Carlo';
  private layout!: Layout;
  private position!: Float64Array;
  private into!: Trace<T>;
  private factorLimit = Infinity;
  private stopped = false;

  constructor(
    private readonly entry: Entry,
    private readonly model: Model<T>,
  ) {}

  /** False if the execution is impossible, or has other choices than the layout says. */
  run(layout: Layout, position: Float64Array, into: Trace<T>, origin: RandomStream, factorLimit: number): boolean {
    this.layout = layout;
    this.position = position;
    this.into = into;
    this.factorLimit = factorLimit;
    this.stopped = false;
    into.clear();
    const value = this.entry.execute(this, this.model, origin);
    if (into.length !== layout.sites.length) return false;
    into.settled = !origin.used;
    if (this.stopped) return true;
    if (value === abandoned || factorLimit !== Infinity) return false;
    into.value = value;
    into.finished = true;
    return true;
  }

  sample<V>(distribution: Distribution<V>, options: SampleOptions<V> | undefined, address: Address): V {
    const { into } = this;
    const given = distribution as Distribution<unknown>;
    const unique = address.choice(machine.execution);
    const site = this.layout.siteFor(into.length, unique, given);
    if (site === undefined) throw abandon;
    const value = site.continuous
      ? coordinatesOf(given, site.value as Continuous).place(pointAt(site, this.position)).value
      : site.value;
    const score = given.score(value);
    if (score === -Infinity) throw abandon;
    into.add(unique, given, options as SampleOptions<unknown>, value, score);
    return value as V;
  }

  factor(score: number): void {
    const { into } = this;
    if (score === -Infinity) throw abandon;
    into.factorScore += score;
    if (++into.factors < this.factorLimit) return;
    this.stopped = true;
    throw abandon;
  }

  proposalBoundary(): void {
    this.into.boundary = this.into.length;
  }
}
