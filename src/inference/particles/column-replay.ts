/** Executions side by side that take over choices made before, as far as they make them again. */
import { branch } from '../../lanes/columns/branch.ts';
import { truths } from '../../lanes/columns/column.ts';
import { distributionAt, distributionOf } from '../../lanes/columns/distribution.ts';
import { currentGroup, goOnWith } from '../../lanes/columns/group.ts';
import { Doubles, inKernelMemory, Words } from '../../lanes/columns/kernel-memory.ts';
import type { Operand } from '../../lanes/columns/kernels.ts';
import { executeTogether } from '../../lanes/columns/run.ts';
import { ColumnStreams, executionKeys } from '../../lanes/columns/streams.ts';
import type { Address } from '../../runtime/address.ts';
import type { Entry } from '../../runtime/execution.ts';
import type { Distribution, Handler, SampleOptions } from '../../runtime/handler.ts';
import { abandon } from '../../runtime/signals.ts';
import type { Model } from '../algorithm.ts';
import { type ChoiceMade, Distributions, Items } from './column-choices.ts';
import { ChoicePlaces } from './column-places.ts';
import type { ChoiceColumn, ColumnTraces } from './column-traces.ts';

/** Executions of the current group: all, none, or those marked by 1. */
export type Some = boolean | Float64Array;

/** A choice that is being made. */
export interface Choosing {
  readonly given: Distribution<unknown>;
  readonly options: SampleOptions<unknown> | undefined;
  readonly address: Address;
}

export abstract class ColumnReplay implements Handler {
  readonly name: string = 'a particle filter';
  /** Choices are found again by their addresses. */
  readonly usesAddresses = true;
  /** Choices that are not in the traces as they are, in the order in which they were made. */
  readonly chosen: ChoiceMade[] = [];
  /** Whether all executions made these in this order. */
  inOrder = true;
  /** Factors met by each, or by all. */
  private met: Int32Array | number = 0;
  private readonly places: ChoicePlaces;
  private readonly shortest: number;
  private lengths: Int32Array | null = null;

  constructor(
    /** The executions that run: for each its number in the traces. */
    readonly who: Int32Array,
    protected readonly traces: ColumnTraces,
  ) {
    this.places = new ChoicePlaces();
    this.shortest = who.reduce((least, number) => Math.min(least, traces.lengths[number]), Infinity);
  }

  /** Executes the model for the executions in `runs`; gives the returned values of those that came to their end, by number. */
  run<T>(entry: Entry, model: Model<T>): Map<number, T> {
    return inKernelMemory(() => {
      const { origins } = this.traces;
      // As in `Population`: choices have streams of their own, and everything else that of the first execution of a line.
      const streams = new ColumnStreams(() => executionKeys(entry, Words.of(this.who.map((i) => 1 + origins[i]))));
      const { slots, values } = executeTogether(entry, this, model, this.who.length, () => streams);
      this.leave();
      return new Map(Array.from(slots, (slot, k) => [this.who[slot], values[k] as T]));
    });
  }

  sample<V>(given: Distribution<V>, options: SampleOptions<V> | undefined, address: Address): V {
    this.places.note(address);
    if (currentGroup().depth > 0) this.inOrder = false;
    const known = this.traces.at(address);
    const choosing = { given, options, address } as Choosing;
    return this.choose(choosing, known, known === undefined ? false : this.whoMade(known, given)) as V;
  }

  abstract factor(score: unknown): void;

  /** Makes the choice; `again` marks the executions that have made it before. */
  protected abstract choose(choosing: Choosing, known: ChoiceColumn | undefined, again: Some): unknown;

  /** Keeps what is in the memory of kernels, when the executions have ended. */
  protected abstract leave(): void;

  /** The value of a choice: the earlier one for executions that made the choice before, and a new draw for the others. */
  protected value(known: ChoiceColumn | undefined, again: Some, draw: () => unknown): unknown {
    if (again === true) return this.before(known!);
    if (again === false) return draw();
    this.inOrder = false;
    return branch(truths(Doubles.of(again)), () => this.before(known!), draw);
  }

  private before(known: ChoiceColumn): unknown {
    const { isWhole } = currentGroup();
    return this.itemsOf(known).asValue(isWhole && this.who.length === this.traces.size ? null : this.numbersHere());
  }

  /** The values that a choice had before. */
  protected itemsOf(known: ChoiceColumn): Items {
    return known.values;
  }

  /** The numbers of the executions of the current group. */
  protected numbersHere(): Int32Array {
    const { slots } = currentGroup();
    const numbers = new Int32Array(slots.length);
    for (let lane = 0; lane < slots.length; lane++) numbers[lane] = this.who[slots[lane]];
    return numbers;
  }

  /** Notes a choice of the current group. */
  protected note({ given, options, address }: Choosing, value: unknown, score: Operand): void {
    const { slots, size } = currentGroup();
    this.chosen.push({
      address,
      slots,
      values: Items.of(value),
      scores: new Items(typeof score === 'number' ? new Float64Array(size).fill(score) : score.array, false),
      distributions: Distributions.of(distributionOf(given)),
      options,
    });
  }

  /** The executions of the current group that made the choice before, from a distribution of the same kind. */
  private whoMade(known: ChoiceColumn, given: Distribution<unknown>): Some {
    const distribution = distributionOf(given);
    const { distributions, made, order } = known;
    const byAll = made === null && this.shortest > (order as number);
    const alike = distributions.areAllLike(distribution);
    if (byAll && alike) return true;
    const marks = new Float64Array(currentGroup().size);
    const numbers = this.numbersHere();
    for (let lane = 0; lane < marks.length; lane++) {
      const number = numbers[lane];
      if (!byAll && !this.traces.isMade(known, number)) continue;
      if (alike || distributions.at(number).constructor === distributionAt(distribution, lane).constructor)
        marks[lane] = 1;
    }
    if (!marks.includes(0)) return true;
    return marks.includes(1) ? marks : false;
  }

  /** How many choices an execution has noted, given its place among those that ran. */
  lengthOf(slot: number): number {
    if (this.inOrder) return this.chosen.length;
    if (this.lengths === null) {
      this.lengths = new Int32Array(this.who.length);
      for (const { slots } of this.chosen) for (const maker of slots) this.lengths[maker]++;
    }
    return this.lengths[slot];
  }

  /** Counts a factor, if it is one before the limit for all executions; false if not. */
  protected passFactor(limit: number): boolean {
    if (typeof this.met !== 'number' || currentGroup().depth > 0 || this.met + 1 >= limit) return false;
    this.met++;
    return true;
  }

  /** Counts a factor of the current group; those that have met as many as they may stop, after `stopped` was told of them. */
  protected meetFactor(limit: number, stopped: (slots: Int32Array, lanes: Int32Array | null) => void): void {
    const { depth, slots } = currentGroup();
    if (this.passFactor(limit)) return;
    if (typeof this.met === 'number' && depth === 0) {
      stopped(slots, null);
      throw abandon;
    }
    const met = typeof this.met === 'number' ? new Int32Array(this.who.length).fill(this.met) : this.met;
    this.met = met;
    for (const slot of slots) met[slot]++;
    const ending = new Int32Array(slots.length);
    const left = new Int32Array(slots.length);
    let ended = 0;
    let going = 0;
    for (let lane = 0; lane < slots.length; lane++) {
      if (met[slots[lane]] >= limit) ending[ended++] = lane;
      else left[going++] = lane;
    }
    if (ended === 0) return;
    this.inOrder = false;
    const lanes = ending.subarray(0, ended);
    stopped(
      lanes.map((lane) => slots[lane]),
      lanes,
    );
    if (going === 0) throw abandon;
    const others = left.slice(0, going);
    goOnWith(Words.of(others), Words.of(others.map((lane) => slots[lane])));
  }
}
