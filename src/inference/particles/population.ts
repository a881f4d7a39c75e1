import type { RandomStream } from '../../runtime/random.ts';
import type { Continuation } from './continuation.ts';
import { Particle } from './particle.ts';
import { parentsOf } from './resampling.ts';
import { nearEnd } from './stopping.ts';

/** How many factors ahead particles run at first, before it is known how often they are replaced. */
const FIRST_WINDOW = 8;

/** How many factors the first particle runs ahead, to learn where the program may end. */
export const SCOUTED = 256;

/**
 * Particles that are weighed together, factor by factor. To go on, a particle has to execute the program again from
 * the start, so particles run ahead of the factor being weighed, to the `horizon`. When a particle is given several
 * children, the first takes over what it has run ahead (a fair draw of the future, given the past), and only the
 * others have to be executed again.
 */
export class Population<T> {
  readonly particles: Particle<T>[] = [];
  /** Since the last resampling. */
  readonly logWeights: Float64Array;
  /** Number of factors weighed. */
  factors = 0;
  private horizon = 0;
  private windowStart = 0;
  private branches = 0;

  constructor(
    readonly size: number,
    private readonly continuation: Continuation<T>,
    /** Streams by number: particles draw the same whatever the order in which they run. */
    private readonly streamOf: (i: number) => RandomStream,
    /** Whether particles may run ahead. */
    private readonly ahead: boolean,
    /** Finished particles of another population that go through all of this one again, as the last of it. */
    retained: readonly Particle<T>[] = [],
  ) {
    this.logWeights = new Float64Array(size);
    for (let i = 0; i < size - retained.length; i++) this.particles.push(new Particle<T>(streamOf(i)));
    for (const { origin, values, choices } of retained) {
      this.particles.push(new Particle<T>(origin).become(origin, values, choices, 0, 0));
    }
  }

  /** Weighs all particles at the next factor; calls `within` between two. False if all of them have come to their end. */
  advance(within: () => void): boolean {
    const { particles, factors, logWeights } = this;
    if (factors === 0) this.scout();
    let running = false;
    for (let i = 0; i < particles.length; i++) {
      const particle = particles[i];
      if (factors >= particle.factors && !particle.finished && !particle.dead) {
        if (this.horizon <= factors) this.moveHorizon();
        this.extend(i, this.horizon);
        within();
      }
      if (factors < particle.factors) running = true;
    }
    if (!running) return false;
    for (let i = 0; i < particles.length; i++) logWeights[i] += particles[i].weightAt(factors);
    this.factors++;
    return true;
  }

  /** Whether the i-th particle has come to its end, and met all its factors. */
  readonly hasEnded = (i: number): boolean => {
    const particle = this.particles[i];
    return particle.finished && particle.factors <= this.factors;
  };

  /** Gives each particle its number of children, as many as there are particles in all, with equal weights. */
  replace(children: Int32Array): void {
    const { particles } = this;
    const parents = parentsOf(children);
    for (let place = 0; place < parents.length; place++) {
      if (parents[place] === place) continue;
      const parent = particles[parents[place]];
      const last = particles[place];
      const room = last.shared ? new Particle<T>(last.origin) : last;
      const child = parent.branch(this.factors - 1, room);
      if (child.factors < parent.factors) this.branches++;
      particles[place] = child;
    }
    this.logWeights.fill(0);
  }

  /** Executes the i-th particle until it has met `horizon` factors, or ends. */
  private extend(i: number, horizon: number): void {
    const particle = this.particles[i];
    particle.forgetFactors();
    this.continuation.run(particle, horizon, this.choicesOf(i));
  }

  /** What the choices of the particle at the i-th place are drawn with: copies of one go on differently. */
  private choicesOf(i: number): RandomStream {
    return this.streamOf(this.size + i);
  }

  /** How many factors back executions have to be taken up again. */
  private past(): number {
    const { particles, factors } = this;
    const running = particles.find(({ finished, dead }) => !finished && !dead);
    return Math.max(1, factors - (running?.point?.factors ?? 0));
  }

  /** Learns from one execution where the program may end; it is that of the first particle, if it may run ahead. */
  private scout(): void {
    const { ahead, streamOf } = this;
    if (ahead) this.extend(0, SCOUTED);
    else this.continuation.run(new Particle<T>(streamOf(0)), SCOUTED, this.choicesOf(0));
  }

  /**
   * Running L factors ahead saves executing everybody's past at L − 1 factors out of L, and costs the futures of
   * replaced particles, about half of L each. The sum is least near √(2 · past / branches per particle and factor).
   * The past is what has to be executed again: all of it, unless executions can be taken up again later.
   */
  private moveHorizon(): void {
    const { factors } = this;
    let window = 1;
    if (this.ahead) {
      const rate = this.branches / (this.size * Math.max(1, factors - this.windowStart));
      const past = this.past();
      const best = factors === 0 ? FIRST_WINDOW : Math.ceil(Math.sqrt((2 * past) / rate));
      // Never much further than it has come: a program may go on for ever unless its conditions stop it.
      window = Math.min(best, factors + FIRST_WINDOW);
      const { end } = this.continuation;
      const hardlyMore = past === factors && nearEnd(factors + window, end);
      if (end > factors && (factors + window >= end || hardlyMore)) window = 2 * end - factors;
    }
    this.horizon = factors + window;
    this.windowStart = factors;
    this.branches = 0;
  }
}
