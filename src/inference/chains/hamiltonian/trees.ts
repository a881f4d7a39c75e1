import type { ScalarParts } from '../../../tensor/plan/scalar-plan.ts';
import { builtFormulas, type ExportedFunction, webAssembly } from '../../../tensor/wasm/host.ts';
import { normalTable, TABLE_BYTES } from '../../../tensor/ziggurat.ts';
import { TREE_EXTRA } from './desk.ts';
import type { Leapfrog } from './leapfrog.ts';
import type { Counter } from './transitions.ts';
import { BATCH_BYTES, treeNumbers } from './tree-layout.ts';
import built from './tree-module.ts?bytes';

/** Numbers in memory for the transitions of a call, at most. */
const MOST_NUMBERS = 16_384;
/** Operations that a call may take if trajectories are of a usual length, so that it is over in milliseconds. */
const MOST_OPERATIONS = 4_000_000;
const USUAL_STEPS = 32;

let compiled: object | undefined;

/** Transitions of a chain by the No-U-Turn sampler, one or many in one call of WebAssembly. */
export class Trees {
  /** Most transitions of a call. */
  readonly most: number;
  /** From one visit to the next. */
  readonly width: number;
  private readonly trees: ExportedFunction;
  private readonly home: number;
  private readonly raw: number;
  private readonly visits: number;
  private readonly normals: number;
  private readonly tree: number;

  constructor(
    private readonly leapfrog: Leapfrog,
    /** Doublings of a trajectory, at most. */
    private readonly maxDepth: number,
  ) {
    const { dimension, plan, memory } = leapfrog;
    this.width = dimension + TREE_EXTRA;
    const affordable = MOST_OPERATIONS / (USUAL_STEPS * plan.members.length);
    this.most = Math.max(1, Math.floor(Math.min(MOST_NUMBERS / this.width, affordable)));
    this.home = leapfrog.allocate(8 * (2 * dimension + 1));
    this.raw = leapfrog.allocate(BATCH_BYTES);
    this.visits = leapfrog.allocate(8 * this.most * this.width);
    this.normals = leapfrog.allocate(TABLE_BYTES);
    this.tree = leapfrog.allocate(8 * treeNumbers(dimension, maxDepth));
    memory.f64.set(normalTable(), this.normals / 8);
    const host = webAssembly as NonNullable<typeof webAssembly>;
    compiled ??= builtFormulas(built);
    const { compute } = plan.parts as ScalarParts;
    const env = { memory: memory.memory, compute, log: Math.log, exp: Math.exp, log1p: Math.log1p };
    this.trees = new host.Instance(compiled, { env }).exports.trees;
  }

  /**
   * Makes so many transitions, at most `most`, from where a point is, which is then where the last of them led. The first goes on
   * from a number of its choice, the others start theirs.
   */
  run(
    z: { readonly position: Float64Array; readonly gradient: Float64Array; logDensity: number },
    inverseMass: Float64Array,
    stepSize: number,
    count: number,
    { key, epoch, choice, stride }: Counter,
    number: number,
  ): void {
    const { leapfrog } = this;
    const { dimension, desk } = leapfrog;
    const { f64 } = leapfrog.memory;
    const home = this.home / 8;
    // Other chains may use the same table.
    leapfrog.tell('home', this.home);
    leapfrog.tell('raw', this.raw);
    leapfrog.tell('visits', this.visits);
    leapfrog.tell('normals', this.normals);
    leapfrog.tell('tree', this.tree);
    leapfrog.tell('key0', key[0]);
    leapfrog.tell('key1', key[1]);
    leapfrog.tell('epoch', epoch);
    leapfrog.tell('choice', choice);
    leapfrog.tell('number', number);
    leapfrog.tell('batch', -1);
    leapfrog.setMasses(inverseMass);
    f64.set(z.position, home);
    f64.set(z.gradient, home + dimension);
    f64[home + 2 * dimension] = z.logDensity;
    this.trees(count, stepSize, this.maxDepth, stride, desk);
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

  /** Whether the i-th transition led elsewhere. */
  hasMoved(i: number): boolean {
    return this.told(i, 1) !== 0;
  }

  /** Mean acceptance probability over its trajectory. */
  acceptance(i: number): number {
    const steps = this.steps(i);
    return steps === 0 ? 0 : this.told(i, 2) / steps;
  }

  /** Leapfrog steps of its trajectory; none if there was no density to start from. */
  steps(i: number): number {
    return this.told(i, 3);
  }

  isDivergent(i: number): boolean {
    return this.told(i, 4) !== 0;
  }

  /** Random numbers of its choice that were drawn up to its end. */
  drawn(i: number): number {
    return this.told(i, 5);
  }

  private told(i: number, what: number): number {
    return this.numbers[this.visit(i) + this.leapfrog.dimension + what];
  }
}
