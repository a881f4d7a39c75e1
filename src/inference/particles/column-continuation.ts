/** Particles side by side that go on from choices made before to their next factor. */
import { drawColumns, scoreColumns } from '../../lanes/columns/choices.ts';
import { distributionOf } from '../../lanes/columns/distribution.ts';
import { Doubles, Words } from '../../lanes/columns/kernel-memory.ts';
import { areFinite, type Operand } from '../../lanes/columns/kernels.ts';
import { addScores, dropScore } from '../../lanes/columns/scores.ts';
import { ColumnStreams, executionKeys } from '../../lanes/columns/streams.ts';
import type { Entry } from '../../runtime/execution.ts';
import type { Distribution } from '../../runtime/handler.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { guideTogether } from '../sampling/column-guides.ts';
import { difference, scoreNumbers } from '../sampling/column-scores.ts';
import { numbersAt } from './column-choices.ts';
import { type Choosing, ColumnReplay, type Some } from './column-replay.ts';
import type { ChoiceColumn, ColumnTraces } from './column-traces.ts';
import type { Proposal } from './proposals.ts';

export class ColumnContinuation extends ColumnReplay {
  readonly guided: boolean;
  /** Whether a choice was drawn from a guide. */
  usedGuides = false;
  /** By execution: log-weights that its next factor, or its end, brought. */
  weights: Float64Array = new Float64Array(0);
  /** By execution: log of the joint probability of choices and factors, added up as they come. */
  scores: Float64Array = new Float64Array(0);
  /** By execution: the sum of the scores of its choices. */
  choiceScores: Float64Array = new Float64Array(0);
  /** By execution: the score of its next factor; 0 for those that meet none. */
  readonly factorScores: Float64Array;
  private readonly streams: ColumnStreams;
  private readonly joint: Doubles;
  private readonly choiceSums: Doubles;
  /** Importance weights, if guides are used. */
  private pending: Doubles | null = null;

  constructor(
    entry: Entry,
    who: Int32Array,
    traces: ColumnTraces,
    /** The scores of the executions in the traces, and of their choices alone. */
    scores: Float64Array,
    choiceScores: Float64Array,
    /** How many factors they have met. */
    private readonly factors: number,
    private readonly proposal: Proposal | null,
  ) {
    super(who, traces);
    this.guided = proposal !== null;
    this.factorScores = new Float64Array(who.length);
    this.joint = Doubles.of(numbersAt(scores, who));
    this.choiceSums = Doubles.of(numbersAt(choiceScores, who));
    // As in the reference: streams belong to places, and their choices are counted from each factor on.
    const first = traces.size + 1;
    this.streams = new ColumnStreams(() => executionKeys(entry, Words.of(who.map((number) => first + number))));
    this.streams.enter(factors);
  }

  protected override choose(choosing: Choosing, known: ChoiceColumn | undefined, again: Some): unknown {
    return this.value(known, again, () => this.draw(choosing));
  }

  private draw(choosing: Choosing): unknown {
    const { given, options, address } = choosing;
    const guide = this.proposal && guideTogether(this.proposal, null, given, options, address, this.streams);
    const from = distributionOf(guide ?? given);
    const value = drawColumns(from, this.streams.begin());
    const score = scoreColumns(distributionOf(given), value);
    if (guide && guide !== given) this.weighGuide(score, scoreColumns(from, value));
    addScores(this.joint, score);
    addScores(this.choiceSums, score);
    this.note(choosing, value, score);
    dropScore(score);
    return value;
  }

  private weighGuide(target: Operand, guide: Operand): void {
    this.usedGuides = true;
    this.pending ??= Doubles.zeros(this.who.length);
    const gained = difference(target, guide);
    addScores(this.pending, gained);
    gained.release();
    dropScore(guide);
    // A particle drawn from a guide whose choice is impossible ends there; that is left to executions alone.
    if (!areFinite(this.pending)) throw new OneByOne('weights', 'a guide draws what is impossible');
  }

  /** Observations that were scored before are not scored again. */
  observe<V>(distribution: Distribution<V>, value: V): void {
    if (!this.passFactor(this.factors + 1)) this.factor(scoreColumns(distributionOf(distribution), value));
  }

  override factor(score: unknown): void {
    const numbers = scoreNumbers(score);
    const { factorScores } = this;
    this.meetFactor(this.factors + 1, (slots, lanes) => {
      const each = typeof numbers === 'number' ? null : numbers.array;
      for (let k = 0; k < slots.length; k++) {
        const found = each === null ? (numbers as number) : each[lanes === null ? k : lanes[k]];
        if (found === Infinity) throw new OneByOne('weights', 'a factor is infinite');
        factorScores[slots[k]] = found;
      }
    });
    dropScore(score);
  }

  protected override leave(): void {
    const { factorScores, pending } = this;
    const before = pending?.array;
    this.choiceScores = this.choiceSums.array;
    this.scores = this.joint.array.map((score, slot) => score + factorScores[slot]);
    this.weights = factorScores.map((score, slot) => (before === undefined ? 0 : before[slot]) + score);
  }
}
