import type { Entry } from '../../runtime/execution.ts';
import type { RandomStream } from '../../runtime/random.ts';
import type { Model } from '../algorithm.ts';
import { Chain } from '../chains/chain.ts';
import { type Kernel, type KernelChoice, startKernel } from '../chains/kernel.ts';
import type { Trace } from '../chains/trace.ts';
import { Particle } from './particle.ts';
import { record } from './recording.ts';

/**
 * Moves particles by a few steps of a Markov chain whose target is the program up to the factor they have come to, so
 * that copies of one particle become different again. Choices before `setProposalBoundary()` are left alone.
 */
export class Rejuvenation<T> {
  private readonly chain: Chain<T>;
  private readonly kernel: Kernel<T>;
  private particle!: Particle<T>;

  constructor(
    private readonly entry: Entry,
    private readonly model: Model<T>,
    kernel: KernelChoice,
    private readonly steps: number,
  ) {
    this.chain = new Chain(entry, model, entry.streamOf(0), () => this.particle.origin.again());
    this.kernel = startKernel(this.chain, kernel);
  }

  /** The particle after the steps, stopped at the same factor of a program that ends near `end`. */
  move(particle: Particle<T>, factors: number, end: number, random: RandomStream): Particle<T> {
    this.start(particle, factors, end, random);
    for (let step = 0; step < this.steps; step++) this.kernel.step();
    return particleOf(this.chain.current, particle, factors);
  }

  /** The same for a finished particle, whose value and score are wanted after each step. */
  moveFinished(particle: Particle<T>, random: RandomStream, visit: (value: T, score: number) => void): Particle<T> {
    this.start(particle, Infinity, 0, random);
    for (let step = 0; step < this.steps; step++) {
      this.kernel.step();
      visit(this.chain.current.value as T, this.chain.current.score);
    }
    return particleOf(this.chain.current, particle, particle.factors);
  }

  private start(particle: Particle<T>, factorLimit: number, end: number, random: RandomStream): void {
    const { chain } = this;
    this.particle = particle;
    chain.use(random);
    chain.reexecution.factorLimit = factorLimit;
    chain.reexecution.end = end;
    record(this.entry, this.model, particle, factorLimit, end, chain.current);
  }
}

/** A particle that has made the choices of the trace. */
function particleOf<T>(trace: Trace<T>, from: Particle<T>, factors: number): Particle<T> {
  const values: unknown[] = [];
  for (let i = 0; i < trace.length; i++) values.push(trace.choices[i].value);
  const particle = new Particle<T>(from.origin).become(from.origin, values, values.length, factors, trace.score);
  particle.finished = trace.finished;
  particle.value = trace.value;
  return particle;
}
