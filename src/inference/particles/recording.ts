import type { Address } from '../../runtime/address.ts';
import { abandoned, type Entry } from '../../runtime/execution.ts';
import type { Distribution, Handler, SampleOptions } from '../../runtime/handler.ts';
import { machine } from '../../runtime/machine.ts';
import type { Model } from '../algorithm.ts';
import { Trace } from '../chains/trace.ts';
import type { Particle } from './particle.ts';
import { stop } from './stopping.ts';

/** The full trace of a particle, by executing it once more up to the given number of factors; see `stop` for `end`. */
export function record<T>(
  entry: Entry,
  model: Model<T>,
  particle: Particle<T>,
  factorLimit = Infinity,
  end = 0,
  into = new Trace<T>(entry.address),
): Trace<T> {
  into.clear();
  const recording = new Recording(particle.values, into, factorLimit, end);
  const origin = particle.origin.again();
  const value = entry.execute(recording, model, origin);
  into.settled = !origin.used;
  if (value !== abandoned && into.factors < factorLimit) {
    into.value = value;
    into.finished = true;
  }
  return into;
}

class Recording<T> implements Handler {
  readonly name = 'recording';

  constructor(
    private readonly values: readonly unknown[],
    private readonly trace: Trace<T>,
    private readonly factorLimit: number,
    private readonly end: number,
  ) {}

  sample<V>(distribution: Distribution<V>, options: SampleOptions<V> | undefined, address: Address): V {
    const { trace } = this;
    const value = this.values[trace.length] as V;
    trace.add(
      address.choice(machine.execution),
      distribution as Distribution<unknown>,
      options as SampleOptions<unknown>,
      value,
      distribution.score(value),
    );
    return value;
  }

  factor(score: number): void {
    const { trace } = this;
    trace.factorScore += score;
    if (++trace.factors >= this.factorLimit) stop(trace.factors, this.end);
  }

  proposalBoundary(): void {
    this.trace.boundary = this.trace.length;
  }
}
