import { normalTable, TABLE_BYTES } from '../../../tensor/ziggurat.ts';
import { EXTRA } from './desk.ts';
import type { Leapfrog } from './leapfrog.ts';

/** Numbers in memory for the transitions of a block, at most. */
const MOST_NUMBERS = 16_384;
/** Operations that a block may take, so that it is over in milliseconds. */
const MOST_OPERATIONS = 4_000_000;

/** Where a stream of random numbers is: see `runtime/random.ts`. */
export interface Counter {
  readonly key: readonly [number, number];
  readonly epoch: number;
  /** The choice that the next transition is; the one after it is `stride` further on. */
  readonly choice: number;
  readonly stride: number;
}

/** How Hamiltonian Monte Carlo moves. */
export interface Motion {
  /** Leapfrog steps of a trajectory. */
  readonly steps: number;
  readonly stepSize: number;
  /** How far the step size of a trajectory may be from the one asked for. */
  readonly jitter: number;
}

/** Transitions of a chain by Hamiltonian Monte Carlo, many in one call of WebAssembly. */
export class Transitions {
  /** Most transitions of a call. */
  readonly most: number;
  /** From one visit to the next. */
  readonly width: number;
  private readonly home: number;
  private readonly draws: number;
  private readonly raw: number;
  private readonly visits: number;
  private readonly normals: number;

  constructor(
    private readonly leapfrog: Leapfrog,
    private readonly motion: Motion,
  ) {
    const { dimension, plan } = leapfrog;
    this.width = dimension + EXTRA;
    const affordable = MOST_OPERATIONS / (motion.steps * plan.members.length);
    this.most = Math.max(1, Math.floor(Math.min(MOST_NUMBERS / this.width, affordable)));
    this.home = leapfrog.allocate(8 * (2 * dimension + 1));
    this.draws = leapfrog.allocate(8 * this.most * this.width);
    this.raw = leapfrog.allocate(16 * (this.width + 7));
    this.visits = leapfrog.allocate(8 * this.most * this.width);
    this.normals = leapfrog.allocate(TABLE_BYTES);
    leapfrog.memory.f64.set(normalTable(), this.normals / 8);
  }

  /** Makes so many transitions, at most `most`, from where a point is, which is then where the last of them led. */
  run(
    z: { readonly position: Float64Array; readonly gradient: Float64Array; logDensity: number },
    inverseMass: Float64Array,
    count: number,
    { key, epoch, choice, stride }: Counter,
  ): void {
    const { leapfrog, motion } = this;
    const { functions, desk, dimension } = leapfrog;
    const { f64 } = leapfrog.memory;
    const home = this.home / 8;
    // Other chains may use the same table.
    leapfrog.tell('home', this.home);
    leapfrog.tell('draws', this.draws);
    leapfrog.tell('raw', this.raw);
    leapfrog.tell('visits', this.visits);
    leapfrog.tell('normals', this.normals);
    leapfrog.setMasses(inverseMass);
    f64.set(z.position, home);
    f64.set(z.gradient, home + dimension);
    f64[home + 2 * dimension] = z.logDensity;
    functions.draw(count, desk, choice, stride, epoch, key[0], key[1]);
    functions.transitions(count, motion.steps, motion.stepSize, motion.jitter, desk);
    z.position.set(f64.subarray(home, home + dimension));
    z.gradient.set(f64.subarray(home + dimension, home + 2 * dimension));
    z.logDensity = f64[home + 2 * dimension];
  }

  /** Whether the i-th transition of the last call was accepted. */
  isAccepted(i: number): boolean {
    return this.leapfrog.memory.f64[this.visits / 8 + (i + 1) * this.width - 1] !== 0;
  }

  /** Where in the memory of float64 the position is that it led to; the log-density there comes next. */
  visit(i: number): number {
    return this.visits / 8 + i * this.width;
  }

  /** That memory. */
  get numbers(): Float64Array {
    return this.leapfrog.memory.f64;
  }
}
