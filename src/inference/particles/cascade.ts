import type { Sample } from '../../distributions/marginal.ts';
import type { Entry } from '../../runtime/execution.ts';
import type { RandomStream } from '../../runtime/random.ts';
import { logSumExp } from '../../tensor/special/exponentials.ts';
import type { Model } from '../algorithm.ts';
import { infiniteFactor } from '../chains/reexecution.ts';
import { Particle } from './particle.ts';
import { Continuation } from './reference.ts';

/** What is known of the particles that have come to one factor. */
interface Arrivals {
  count: number;
  /** Log of the sum of the weights with which they came. */
  logTotal: number;
  /** Number of children they were given. */
  children: number;
}

/** Children of one particle that wait to be executed, all with the same past. */
interface Waiting<T> {
  readonly past: Particle<T>;
  /** Log-weight of each. */
  readonly weight: number;
  count: number;
}

/**
 * The particle cascade (Paige, Wood, Doucet & Teh 2014): particles are started one after the other, and each learns
 * at a factor how many children it has from how its weight compares with the average of those that came before it.
 * Particles do not wait for each other, so more of them can be started at any time. The number of children times the weight of
 * each is, on average, the weight of the parent; that makes the evidence unbiased.
 */
export class Cascade<T> extends Continuation<T> {
  readonly samples: Sample<T>[] = [];
  readonly weights: number[] = [];
  private readonly arrivals: Arrivals[] = [];
  private readonly waiting: Waiting<T>[] = [];
  private started = 0;
  private executions = 0;
  /** Log-weight of the particle that is running. */
  private weight = 0;
  private lost: Particle<T> | null = null;

  constructor(
    private readonly start: Entry,
    model: Model<T>,
    /** With this many branches waiting, no new particle is started. */
    private readonly bufferSize: number,
    private readonly decisions: RandomStream,
  ) {
    super(start, model, null);
  }

  /** Log of the evidence. */
  get logZ(): number {
    return logSumExp(this.weights) - Math.log(this.started);
  }

  /** Starts more particles, and runs until no branch waits. */
  launch(particles: number, watch: (sample: Sample<T>) => void): void {
    const target = this.started + particles;
    const { waiting } = this;
    while (this.started < target || waiting.length > 0) {
      const mayStart = this.started < target && waiting.length < this.bufferSize;
      const k = waiting.length === 0 ? 0 : this.decisions.begin().integer(waiting.length + (mayStart ? 1 : 0));
      this.weight = 0;
      let particle = new Particle<T>(this.start.streamOf(2 * this.started + 1));
      if (k === waiting.length) this.started++;
      else particle = this.take(k);
      this.run(particle, Infinity, this.start.streamOf(2 * ++this.executions));
      if (!particle.finished) continue;
      const sample = { value: particle.value as T };
      this.samples.push(sample);
      this.weights.push(this.weight);
      watch(sample);
    }
    if (this.samples.length === 0) this.fail(this.lost!, nothingPossible(this.started));
  }

  /** One of the children that wait at place k. */
  private take(k: number): Particle<T> {
    const { waiting } = this;
    const { past, weight } = waiting[k];
    this.weight = weight;
    if (--waiting[k].count === 0) {
      waiting[k] = waiting[waiting.length - 1];
      waiting.pop();
    }
    const { origin, values, factors, point } = past;
    return new Particle<T>(origin, values.slice(), factors, 0, point);
  }

  protected override weigh(score: number): void {
    if (score === Infinity) throw infiniteFactor();
    if (score === -Infinity) {
      this.lost = this.here();
      this.die();
      return;
    }
    const weight = this.weight + score;
    const arrivals = this.arriveAt(this.factors - 1, weight);
    // Were there more arrivals than particles started, the average alone would let them multiply for ever.
    const logAverage = arrivals.logTotal - Math.log(Math.min(arrivals.count, this.started));
    const logRatio = weight - logAverage;
    if (logRatio < 0) {
      // Few particles survive below the average; those that do have its weight.
      const survives = this.decisions.begin().uniform() < Math.exp(logRatio);
      if (survives) arrivals.children++;
      else this.stop();
      this.weight = logAverage;
      return;
    }
    const ratio = Math.exp(logRatio);
    const enough = arrivals.children > Math.min(this.started, arrivals.count - 1);
    // Any number keeps the sum of the weights; the margin is for averages that are off by rounding.
    const children = enough ? Math.floor(ratio) : Math.ceil(ratio - 1e-9);
    arrivals.children += children;
    this.weight = weight - Math.log(children);
    if (children === 1) return;
    this.waiting.push({ past: this.here(), weight: this.weight, count: children - 1 });
  }

  /** The running particle as it is now. */
  private here(): Particle<T> {
    const { origin, values } = this.particle;
    return new Particle<T>(origin, values.slice(0, this.choices), this.factors, 0, this.point);
  }

  private arriveAt(factor: number, weight: number): Arrivals {
    const { arrivals } = this;
    if (factor === arrivals.length) arrivals.push({ count: 0, logTotal: -Infinity, children: 0 });
    const here = arrivals[factor];
    here.count++;
    const top = Math.max(here.logTotal, weight);
    here.logTotal = top + Math.log(Math.exp(here.logTotal - top) + Math.exp(weight - top));
    return here;
  }
}

function nothingPossible(started: number): string {
  return (
    `asyncPF lost all of its ${started} particles: here, the last of them met a factor of -Infinity or a condition ` +
    'that fails. Use more particles, or soften the condition (observe a distribution around the value, or factor ' +
    'with a finite score).'
  );
}
