/** Handlers for dreams: what a model chooses and what it observes are drawn. */
import { drawColumns, scoreColumns } from '../lanes/columns/choices.ts';
import { lanesOf } from '../lanes/columns/column.ts';
import { distributionOf } from '../lanes/columns/distribution.ts';
import { currentGroup } from '../lanes/columns/group.ts';
import type { Operand } from '../lanes/columns/kernels.ts';
import type { ColumnStreams } from '../lanes/columns/streams.ts';
import type { DreamtDatum } from '../optimize/dreamt-datum.ts';
import type { Address } from '../runtime/address.ts';
import { abandon } from '../runtime/execution.ts';
import type { Distribution, Handler, SampleOptions } from '../runtime/handler.ts';
import { machine } from '../runtime/machine.ts';
import { countRounds, type Rounds } from '../runtime/rejection.ts';
import { type DreamtColumns, placeText } from './dreamt-columns.ts';
import { Alone, type Recorder } from './recorder.ts';

/** Draws choices and data from the model, for executions side by side. */
export class ColumnDreaming implements Handler {
  readonly name = 'Amortize';
  readonly synthesises = true;
  readonly usesAddresses = true;
  readonly logWeights: Float64Array;
  data: DreamtColumns | null = null;

  constructor(
    private readonly recorder: Recorder,
    size: number,
    /** Is called for each part of the data that is observed. */
    private readonly watch: ((address: Address, place: string) => void) | null,
  ) {
    this.logWeights = new Float64Array(size);
  }

  sample<V>(given: Distribution<V>, options: SampleOptions<V> | undefined, address: Address): V {
    const streams = machine.stream as unknown as ColumnStreams;
    const target = distributionOf(given);
    const value = drawColumns(target, streams.begin());
    this.recorder.note(address, currentGroup().slots, target, value, options?.guide !== undefined);
    return value as V;
  }

  /** What was chosen in a round that is rejected is not to be learned. */
  rejecting(): Rounds {
    return forgettingRounds(this.recorder, () => currentGroup().slots);
  }

  factor(score: unknown): void {
    this.weigh(lanesOf(score) as number[]);
  }

  observe<V>(given: Distribution<V>, value: V, address: Address): void {
    const target = distributionOf(given);
    const leaf = this.data!.leafOf(value);
    if (leaf === undefined) {
      // The observed value is not a part of the data, so that this is a condition like any other.
      const score: Operand = scoreColumns(target, value);
      this.weigh(typeof score === 'number' ? new Array<number>(currentGroup().size).fill(score) : score.array);
      return;
    }
    const streams = machine.stream as unknown as ColumnStreams;
    leaf.put(drawColumns(target, streams.begin()));
    this.watch?.(address, leaf.place);
  }

  private weigh(scores: ArrayLike<number>): void {
    const { slots } = currentGroup();
    for (let i = 0; i < slots.length; i++) this.logWeights[slots[i]] += scores[i];
  }
}

const FIRST = Int32Array.of(0);

/** Records only the last of several rounds. */
function forgettingRounds(recorder: Recorder, slots: () => Int32Array): Rounds {
  const before = recorder.choices.length;
  let rounds = 0;
  return {
    round(address) {
      countRounds(++rounds);
      recorder.withdraw(before, slots());
      return address;
    },
    accepts: () => true,
  };
}

/** The same for one execution. */
export class Dreaming implements Handler {
  readonly name = 'Amortize';
  readonly synthesises = true;
  readonly usesAddresses = true;
  logWeight = 0;

  constructor(
    private readonly recorder: Recorder,
    private readonly datum: DreamtDatum,
    private readonly watch: ((address: Address, place: string) => void) | null,
  ) {}

  sample<V>(target: Distribution<V>, options: SampleOptions<V> | undefined, address: Address): V {
    const value = target.draw(machine.stream.begin());
    this.recorder.note(address, FIRST, target as Distribution<unknown>, new Alone(value), options?.guide !== undefined);
    return value;
  }

  rejecting(): Rounds {
    return forgettingRounds(this.recorder, () => FIRST);
  }

  factor(score: number): void {
    if (score === -Infinity) throw abandon;
    this.logWeight += score;
  }

  observe<V>(target: Distribution<V>, value: V, address: Address): void {
    const dream = target.draw(machine.stream.begin());
    if (this.datum.observed(value, dream, address.toString())) this.watch?.(address, placeText(this.datum.lastPlace));
    else this.factor(target.score(value));
  }
}
