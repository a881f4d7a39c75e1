/**
 * Dreams that are made once and used again and again, where their number is limited because simulations are
 * expensive.
 */
import { during } from '../runtime/machine.ts';
import type { RandomStream } from '../runtime/random.ts';
import type { Dreamer, Dreams } from './dreams.ts';
import { FIRST_BATCHES } from './options.ts';

export class DreamPool {
  private readonly batches: Dreams[] = [];
  private readonly count: number;

  constructor(
    private readonly dreamer: Dreamer,
    /** Dreams of a batch. */
    private readonly samples: number,
    /** Dreams in all, with those that were looked at before the first step. */
    simulations: number,
    private readonly random: RandomStream,
  ) {
    this.count = Math.floor(simulations / samples) - FIRST_BATCHES;
  }

  /**
   * The dreams of a step, or this rank's share of them. New ones are made as long as the limit allows; after that
   * the same ones come again, in the same order.
   */
  at(step: number): Dreams {
    const number = step % this.count;
    // Chosen by the number of the step, so that a training that is resumed uses the same.
    this.batches[number] ??= during({ stream: this.random.child(number, 0) }, () =>
      this.dreamer.dreamOwn(this.samples),
    );
    return this.batches[number];
  }
}
