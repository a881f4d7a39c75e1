import { Block, type Counter, type Place } from './block.ts';
import type { Leapfrog } from './leapfrog.ts';
import { EXTRA } from './trajectory-table.ts';

/** How Hamiltonian Monte Carlo moves. */
export interface Motion {
  /** Leapfrog steps of a trajectory. */
  readonly steps: number;
  readonly stepSize: number;
  /** How far the step size of a trajectory may be from the one asked for. */
  readonly jitter: number;
}

/** Transitions of a chain by Hamiltonian Monte Carlo, many in one call of WebAssembly. */
export class Transitions extends Block {
  private readonly draws: number;
  private readonly raw: number;

  constructor(
    leapfrog: Leapfrog,
    private readonly motion: Motion,
  ) {
    super(leapfrog, EXTRA, motion.steps);
    this.draws = leapfrog.allocate(8 * this.most * this.width);
    this.raw = leapfrog.allocate(16 * (this.width + 7));
  }

  /** Makes so many transitions, at most `most`, from where a point is, which is then where the last of them led. */
  run(z: Place, inverseMass: Float64Array, count: number, { key, epoch, choice, stride }: Counter): void {
    const { leapfrog, motion } = this;
    const { functions, table } = leapfrog;
    leapfrog.tell('draws', this.draws);
    leapfrog.tell('raw', this.raw);
    this.move(z, inverseMass, () => {
      functions.draw(count, table, choice, stride, epoch, key[0], key[1]);
      functions.transitions(count, motion.steps, motion.stepSize, motion.jitter, table);
    });
  }

  /** Whether the i-th transition of the last call was accepted. */
  isAccepted(i: number): boolean {
    return this.told(i, 1) !== 0;
  }
}
