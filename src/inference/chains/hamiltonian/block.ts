import { normalTable, TABLE_BYTES } from '../../../tensor/ziggurat.ts';
import type { Leapfrog } from './leapfrog.ts';

/** Numbers in memory for the transitions of a call, at most. */
const MOST_NUMBERS = 16_384;
/** Operations that a call may take, so that it is over in milliseconds. */
const MOST_OPERATIONS = 4_000_000;

/** Where a stream of random numbers is: see `runtime/random.ts`. */
export interface Counter {
  readonly key: readonly [number, number];
  readonly epoch: number;
  /** The choice that the next transition is; the one after it is `stride` further on. */
  readonly choice: number;
  readonly stride: number;
}

/** Where a chain is. */
export interface Place {
  readonly position: Float64Array;
  readonly gradient: Float64Array;
  logDensity: number;
}

/** Transitions of a chain that are made in one call of WebAssembly: room for them, and what they came to. */
export abstract class Block {
  /** Most transitions of a call. */
  readonly most: number;
  /** From one visit to the next. */
  readonly width: number;
  private readonly home: number;
  private readonly visits: number;
  private readonly normals: number;

  constructor(
    protected readonly leapfrog: Leapfrog,
    /** Numbers of a visit besides the position. */
    extra: number,
    /** Leapfrog steps of a transition. */
    steps: number,
  ) {
    const { dimension, plan } = leapfrog;
    this.width = dimension + extra;
    const affordable = MOST_OPERATIONS / (steps * plan.members.length);
    this.most = Math.max(1, Math.floor(Math.min(MOST_NUMBERS / this.width, affordable)));
    this.home = leapfrog.allocate(8 * (2 * dimension + 1));
    this.visits = leapfrog.allocate(8 * this.most * this.width);
    this.normals = leapfrog.allocate(TABLE_BYTES);
    leapfrog.memory.f64.set(normalTable(), this.normals / 8);
  }

  /** Makes transitions from where a point is, which is then where the last of them led. */
  protected move(z: Place, inverseMass: Float64Array, transitions: () => void): void {
    const { leapfrog } = this;
    const { dimension } = leapfrog;
    const { f64 } = leapfrog.memory;
    const home = this.home / 8;
    // Other chains may use the same table.
    leapfrog.tell('home', this.home);
    leapfrog.tell('visits', this.visits);
    leapfrog.tell('normals', this.normals);
    leapfrog.setMasses(inverseMass);
    f64.set(z.position, home);
    f64.set(z.gradient, home + dimension);
    f64[home + 2 * dimension] = z.logDensity;
    transitions();
    z.position.set(f64.subarray(home, home + dimension));
    z.gradient.set(f64.subarray(home + dimension, home + 2 * dimension));
    z.logDensity = f64[home + 2 * dimension];
  }

  /** Where in the memory of float64 the position is that the i-th transition led to; the log-density there comes next. */
  visit(i: number): number {
    return this.visits / 8 + i * this.width;
  }

  /** That memory. */
  get numbers(): Float64Array {
    return this.leapfrog.memory.f64;
  }

  /** A number of the i-th visit, after its position. */
  protected told(i: number, what: number): number {
    return this.numbers[this.visit(i) + this.leapfrog.dimension + what];
  }
}
