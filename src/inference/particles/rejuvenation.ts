import { divided } from '../../ranks/divided.ts';
import type { Address } from '../../runtime/address.ts';
import { abandoned, type Entry } from '../../runtime/execution.ts';
import type { Distribution, Handler, SampleOptions } from '../../runtime/handler.ts';
import { machine } from '../../runtime/machine.ts';
import type { RandomStream } from '../../runtime/random.ts';
import type { Model } from '../algorithm.ts';
import { Chain } from '../chains/chain.ts';
import { type Kernel, type KernelChoice, startKernel } from '../chains/kernel.ts';
import { Trace } from '../chains/trace.ts';
import { stop } from './horizon.ts';
import { Particle } from './particle.ts';

/** Values and scores, in order. */
export interface Samples<T> {
  readonly values: ArrayLike<T>;
  readonly scores: Float64Array;
}

/**
 * Moves particles by a few steps of a Markov chain whose target is the program up to the factor they have come to, so
 * that copies of one particle become different again. Choices before `setProposalBoundary()` are left alone.
 */
export class Rejuvenation<T> {
  private readonly chain: Chain<T>;
  private readonly kernel: Kernel<T>;
  private readonly learns: boolean;
  private particle!: Particle<T>;

  constructor(
    private readonly entry: Entry,
    private readonly model: Model<T>,
    kernel: KernelChoice,
    private readonly steps: number,
  ) {
    this.chain = new Chain(entry, model, entry.streamOf(0), () => this.particle.origin.again());
    this.kernel = startKernel(this.chain, kernel);
    this.learns = kernel.name === 'NUTS';
  }

  /** Moves those that have come to the given factor, and not to their end, in a program that ends near `end`. */
  moveAll(particles: Particle<T>[], factors: number, end: number): void {
    const random = this.entry.streamOf(0).named(`rejuvenation ${factors}`);
    const occurrence = random.occurrence();
    const due = Array.from(particles.keys()).filter((i) => !particles[i].dead && !particles[i].finished);
    const moved = this.divided(due.length, (k) => {
      const i = due[k];
      return contentsOf(this.move(particles[i], factors, end, random.child(occurrence, i), () => {}));
    });
    moved.forEach((contents, k) => {
      particles[due[k]] = particleWith(contents, particles[due[k]], factors);
    });
  }

  /** Moves finished particles; gives their values and scores after each step, particle by particle. */
  moveFinished(particles: Particle<T>[]): Samples<T> {
    const random = this.entry.streamOf(0).named('final rejuvenation');
    const occurrence = random.occurrence();
    const moved = this.divided(particles.length, (i) => {
      const [values, scores]: [T[], number[]] = [[], []];
      const particle = particles[i];
      const end = this.move(particle, Infinity, 0, random.child(occurrence, i), () => {
        const { value, score } = this.chain.current;
        values.push(value as T);
        scores.push(score);
      });
      return { values, scores, end: contentsOf(end) };
    });
    moved.forEach(({ end }, i) => {
      particles[i] = particleWith(end, particles[i], particles[i].factors);
    });
    return {
      values: moved.flatMap(({ values }) => values),
      scores: Float64Array.from(moved.flatMap(({ scores }) => scores)),
    };
  }

  /** Kernels that learn from one particle for the next move them one after the other. */
  private divided<R>(count: number, part: (i: number) => R): R[] {
    if (this.learns) return Array.from({ length: count }, (_, i) => part(i));
    return divided('move particles', count, part);
  }

  private move(
    particle: Particle<T>,
    factorLimit: number,
    end: number,
    random: RandomStream,
    moved: () => void,
  ): Trace<T> {
    const { chain } = this;
    const { current, reexecution } = chain;
    this.particle = particle;
    chain.use(random);
    reexecution.factorLimit = factorLimit;
    reexecution.end = end;
    traceOf(this.entry, this.model, particle, factorLimit, end, current);
    for (let step = 0; step < this.steps; step++) {
      this.kernel.step();
      moved();
    }
    return chain.current;
  }
}

/** What a particle is made of, besides where it came from and what it has met. */
interface Contents {
  readonly values: unknown[];
  readonly score: number;
  readonly finished: boolean;
  readonly value: unknown;
}

function contentsOf<T>({ length, choices, score, finished, value }: Trace<T>): Contents {
  return { values: Array.from({ length }, (_, i) => choices[i].value), score, finished, value };
}

/** A particle that has made the choices of a trace. */
function particleWith<T>(contents: Contents, { origin }: Particle<T>, factors: number): Particle<T> {
  const particle = new Particle<T>(origin, contents.values, factors, contents.score);
  particle.finished = contents.finished;
  particle.value = contents.value as T;
  return particle;
}

/** The full trace of a particle, by executing it once more up to the given number of factors; see `stop` for `end`. */
export function traceOf<T>(
  entry: Entry,
  model: Model<T>,
  { values, origin }: Pick<Particle<T>, 'values' | 'origin'>,
  factorLimit = Infinity,
  end = 0,
  into = new Trace<T>(entry.address),
): Trace<T> {
  into.clear();
  const stream = origin.again();
  const value = entry.execute(new Tracing(values, into, factorLimit, end), model, stream);
  into.settled = !stream.used;
  if (value !== abandoned && into.factors < factorLimit) {
    into.value = value;
    into.finished = true;
  }
  return into;
}

class Tracing<T> implements Handler {
  readonly name = 'tracing';

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
