/** Executions side by side in each of which one choice was given another value: re-execution, for all at once. */
import { scoreColumns } from '../../lanes/columns/choices.ts';
import { fromLanes } from '../../lanes/columns/column.ts';
import { distributionAt, distributionOf } from '../../lanes/columns/distribution.ts';
import { currentGroup, goOnWith } from '../../lanes/columns/group.ts';
import { Doubles, Words } from '../../lanes/columns/kernel-memory.ts';
import { areFinite, type Operand } from '../../lanes/columns/kernels.ts';
import { addScores, dropScore } from '../../lanes/columns/scores.ts';
import type { RandomStream } from '../../runtime/random.ts';
import { abandon } from '../../runtime/signals.ts';
import { giveUpImpossible, scoreNumbers } from '../sampling/column-scores.ts';
import type { Items } from './column-choices.ts';
import { type Choosing, ColumnReplay, type Some } from './column-replay.ts';
import type { ChoiceColumn, ColumnTraces } from './column-traces.ts';

export class ColumnProposals extends ColumnReplay {
  override readonly name = 'Metropolis–Hastings';
  /** Executions that have met as many factors as they were to meet. */
  readonly reached: Uint8Array;
  /** By execution: the sums of the scores of choices, and of factors. */
  choiceScores: Float64Array = new Float64Array(0);
  factorScores: Float64Array = new Float64Array(0);
  /** By execution: log-probability of the choices drawn. */
  readonly freshScores: Float64Array;
  private readonly choiceSums: Doubles;
  private readonly factorSums: Doubles;
  /** Whether all of them took over all there was. */
  private tookAll = false;
  /** The executions that took over a choice of the traces; null for all. */
  private readonly taken = new Map<ChoiceColumn, Uint8Array | null>();

  constructor(
    who: Int32Array,
    traces: ColumnTraces,
    /** Choices that have other values, and these. */
    private readonly proposed: ReadonlyMap<ChoiceColumn, Items>,
    /** Executions stop after so many factors. */
    private readonly limit: number,
    /** What fresh choices are drawn with, by number. */
    private readonly randoms: readonly RandomStream[],
  ) {
    super(who, traces);
    this.reached = new Uint8Array(who.length);
    this.freshScores = new Float64Array(who.length);
    this.choiceSums = Doubles.zeros(who.length);
    this.factorSums = Doubles.zeros(who.length);
  }

  protected override itemsOf(known: ChoiceColumn): Items {
    return this.proposed.get(known) ?? known.values;
  }

  protected override choose(choosing: Choosing, known: ChoiceColumn | undefined, again: Some): unknown {
    const { given } = choosing;
    const value = this.value(known, again, () => this.draw(given));
    const score = scoreColumns(distributionOf(given), value);
    addScores(this.choiceSums, score);
    this.note(choosing, value, score);
    this.noteTaken(known, again, score);
    this.giveUp(again, score);
    dropScore(score);
    return value;
  }

  /** One after the other: few executions come to choices that they have not made before. */
  private draw(given: Choosing['given']): unknown {
    const distribution = distributionOf(given);
    const numbers = this.numbersHere();
    return fromLanes(
      Array.from(numbers, (number, lane) => distributionAt(distribution, lane).draw(this.randoms[number].begin())),
    );
  }

  private noteTaken(known: ChoiceColumn | undefined, again: Some, score: Operand): void {
    const { slots } = currentGroup();
    // Some may have stopped before, where others took another side.
    if (again === true && this.inOrder) {
      this.taken.set(known!, null);
      return;
    }
    const marks = (known && this.taken.get(known)) ?? new Uint8Array(this.who.length);
    slots.forEach((slot, lane) => {
      if (again === true || (again !== false && again[lane] === 1)) marks[slot] = 1;
      else this.freshScores[slot] += typeof score === 'number' ? score : score.array[lane];
    });
    if (known !== undefined) this.taken.set(known, marks);
  }

  /** Goes on without the executions that took over a value which is impossible now. */
  private giveUp(again: Some, score: Operand): void {
    if (again === false || (typeof score === 'number' ? score > -Infinity : areFinite(score))) return;
    const { slots } = currentGroup();
    const isLeft = (lane: number): boolean =>
      (again !== true && again[lane] === 0) || (typeof score === 'number' ? score : score.array[lane]) !== -Infinity;
    const left = Int32Array.from(slots.keys()).filter(isLeft);
    if (left.length === slots.length) return;
    if (left.length === 0) throw abandon;
    goOnWith(Words.of(left), Words.of(left.map((lane) => slots[lane])));
  }

  override factor(score: unknown): void {
    const numbers = scoreNumbers(score);
    addScores(this.factorSums, numbers);
    giveUpImpossible(numbers);
    dropScore(score);
    this.meetFactor(this.limit, (slots) => {
      for (const slot of slots) this.reached[slot] = 1;
    });
  }

  protected override leave(): void {
    this.tookAll = this.inOrder && this.taken.size === this.traces.choices.length;
    this.choiceScores = this.choiceSums.array;
    this.factorScores = this.factorSums.array;
  }

  /** The log-probability of the choices in the traces that an execution did not take over. */
  staleScore(slot: number): number {
    const { traces, taken } = this;
    if (this.tookAll) return 0;
    const number = this.who[slot];
    let score = 0;
    for (let k = 0; k < traces.lengths[number]; k++) {
      const choice = traces.choiceAt(number, k);
      const marks = taken.get(choice);
      if (marks === undefined || marks?.[slot] === 0) score += choice.scores.list[number] as number;
    }
    return score;
  }
}
