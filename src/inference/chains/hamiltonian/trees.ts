import type { ScalarParts } from '../../../tensor/plan/scalar-plan.ts';
import { builtFormulas, type ExportedFunction, webAssembly } from '../../../tensor/wasm/host.ts';
import { Block, type Counter, type Place } from './block.ts';
import type { Leapfrog } from './leapfrog.ts';
import { TREE_EXTRA } from './trajectory-table.ts';
import { BATCH_BYTES, treeNumbers } from './tree-layout.ts';
import built from './tree-module.ts?bytes';

/** Leapfrog steps of a trajectory, as far as is known beforehand. */
const USUAL_STEPS = 32;

let compiled: object | undefined;

/** Transitions of a chain by the No-U-Turn sampler, one or many in one call of WebAssembly. */
export class Trees extends Block {
  private readonly trees: ExportedFunction;
  private readonly raw: number;
  private readonly tree: number;

  constructor(
    leapfrog: Leapfrog,
    /** Doublings of a trajectory, at most. */
    private readonly maxDepth: number,
  ) {
    super(leapfrog, TREE_EXTRA, USUAL_STEPS);
    const { dimension, plan, memory } = leapfrog;
    this.raw = leapfrog.allocate(BATCH_BYTES);
    this.tree = leapfrog.allocate(8 * treeNumbers(dimension, maxDepth));
    compiled ??= builtFormulas(built);
    const { compute } = plan.parts as ScalarParts;
    const env = { memory: memory.memory, compute, log: Math.log, exp: Math.exp, log1p: Math.log1p };
    this.trees = new webAssembly!.Instance(compiled, { env }).exports.trees;
  }

  /**
   * Makes so many transitions, at most `most`, from where a point is, which is then where the last of them led. The first goes on
   * from a number of its choice, the others start theirs.
   */
  run(
    z: Place,
    inverseMass: Float64Array,
    stepSize: number,
    count: number,
    { key, epoch, choice, stride }: Counter,
    number: number,
  ): void {
    const { leapfrog } = this;
    leapfrog.tell('raw', this.raw);
    leapfrog.tell('tree', this.tree);
    leapfrog.tell('key0', key[0]);
    leapfrog.tell('key1', key[1]);
    leapfrog.tell('epoch', epoch);
    leapfrog.tell('choice', choice);
    leapfrog.tell('number', number);
    leapfrog.tell('batch', -1);
    this.move(z, inverseMass, () => {
      this.trees(count, stepSize, this.maxDepth, stride, leapfrog.table);
    });
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
}
