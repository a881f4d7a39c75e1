/** Which choices of executions side by side Metropolis–Hastings may propose at: all of them, or the discrete ones. */
import type { ColumnReplay } from './column-replay.ts';
import type { ChoiceColumn, ColumnTraces } from './column-traces.ts';

export class ColumnSites {
  constructor(private readonly discreteOnly: boolean) {}

  /** How many there are in an execution. */
  count(traces: ColumnTraces, number: number): number {
    const length = traces.lengths[number];
    if (!this.discreteOnly) return length;
    let count = 0;
    for (let k = 0; k < length; k++) if (isDiscrete(traces.choiceAt(number, k), number)) count++;
    return count;
  }

  /** The k-th of them. */
  pick(traces: ColumnTraces, number: number, k: number): ChoiceColumn {
    if (!this.discreteOnly) return traces.choiceAt(number, k);
    let left = k;
    for (let place = 0; ; place++) {
      const choice = traces.choiceAt(number, place);
      if (isDiscrete(choice, number) && left-- === 0) return choice;
    }
  }

  /** How many there are in an execution that ran with another value, given its place among those that ran. */
  countAfter(run: ColumnReplay, slot: number): number {
    if (!this.discreteOnly) return run.lengthOf(slot);
    let counts = known.get(run);
    if (counts === undefined) {
      counts = new Int32Array(run.who.length);
      for (const { slots, distributions } of run.chosen) {
        for (let lane = 0; lane < slots.length; lane++) if (!distributions.isContinuousAt(lane)) counts[slots[lane]]++;
      }
      known.set(run, counts);
    }
    return counts[slot];
  }
}

const known = new WeakMap<ColumnReplay, Int32Array>();

const isDiscrete = ({ distributions }: ChoiceColumn, number: number): boolean => !distributions.isContinuousAt(number);
