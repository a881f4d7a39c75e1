/** Dreams that are dreamt once and learned from again and again, where only so many are allowed: simulations may be dear. */
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

  /** The dreams of a step, of several ranks those of this one: new ones as long as there may be some, then the same in their order. */
  at(step: number): Dreams {
    const number = step % this.count;
    // By its number, so that a training that goes on has the same.
    this.batches[number] ??= during({ stream: this.random.child(number, 0) }, () =>
      this.dreamer.dreamOwn(this.samples),
    );
    return this.batches[number];
  }
}
