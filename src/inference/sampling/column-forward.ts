/** Handlers of forward and importance sampling for executions side by side. */
import { drawColumns, drawScored, scoreColumns } from '../../lanes/columns/choices.ts';
import { type AnyDistribution, distributionOf } from '../../lanes/columns/distribution.ts';
import { Doubles } from '../../lanes/columns/kernel-memory.ts';
import type { Operand } from '../../lanes/columns/kernels.ts';
import { addScores, dropScore } from '../../lanes/columns/scores.ts';
import type { ColumnStreams } from '../../lanes/columns/streams.ts';
import type { Address } from '../../runtime/address.ts';
import type { Distribution, SampleOptions } from '../../runtime/handler.ts';
import { machine } from '../../runtime/machine.ts';
import { ChoicePlaces } from '../particles/column-places.ts';
import { fromAnyGuide } from '../particles/proposals.ts';
import { guideTogether } from './column-guides.ts';
import { drawJointly } from './column-joint.ts';
import type { ColumnWeighing } from './column-sampling.ts';
import { difference, giveUpImpossible, scoreNumbers } from './column-scores.ts';

/** Draws choices from the program as it stands; factors are only counted. */
export class ColumnDrawing implements ColumnWeighing {
  readonly name: string = 'forward';
  readonly synthesises: boolean = true;
  readonly reserved: number = 0;
  readonly choiceScores: Doubles;
  factorScores: Doubles | null = null;

  constructor(private readonly size: number) {
    this.choiceScores = Doubles.zeros(size);
  }

  sample<V>(given: Distribution<V>): V {
    const distribution: AnyDistribution = distributionOf(given);
    const streams = machine.stream as unknown as ColumnStreams;
    return drawScored(distribution, streams.begin(), this.choiceScores) as V;
  }

  factor(score: unknown): void {
    this.addFactor(scoreNumbers(score));
    dropScore(score);
    warnOfFactor();
  }

  protected addFactor(score: Operand): void {
    this.factorScores ??= Doubles.zeros(this.size);
    addScores(this.factorScores, score);
  }
}

/** The same, with executions weighed by their factors, and given up if they turn out impossible. */
export class ColumnImportance extends ColumnDrawing {
  override readonly name: string = 'importance';
  override readonly synthesises = false;

  override sample<V>(given: Distribution<V>): V {
    const streams = machine.stream as unknown as ColumnStreams;
    return drawColumns(distributionOf(given), streams.begin()) as V;
  }

  override factor(score: unknown): void {
    const numbers = scoreNumbers(score);
    this.addFactor(numbers);
    giveUpImpossible(numbers);
    dropScore(score);
  }
}

/** Draws choices from their guides; `factorScores` are then the importance weights. */
export class ColumnGuided extends ColumnDrawing {
  readonly guided = true;
  readonly usesAddresses = true;
  private readonly proposal = fromAnyGuide();
  private readonly places: ChoicePlaces;

  constructor(
    size: number,
    override readonly name: string,
    /** Whether executions that turn out impossible are given up. */
    private readonly givesUp: boolean,
  ) {
    super(size);
    this.places = new ChoicePlaces();
  }

  override sample<V>(given: Distribution<V>, options?: SampleOptions<V>, place?: Address): V {
    const streams = machine.stream as unknown as ColumnStreams;
    const drawn = drawJointly(this.proposal, given, options, place!, streams);
    if (drawn !== undefined) {
      this.places.note(place!);
      addScores(this.choiceScores, drawn.scores);
      this.weigh(difference(drawn.own, drawn.scores));
      return drawn.value as V;
    }
    const guide = guideTogether(this.proposal, this.places, given, options, place!, streams) ?? given;
    const from = distributionOf(guide);
    const value = drawColumns(from, streams.begin());
    const score = scoreColumns(from, value);
    addScores(this.choiceScores, score);
    if (guide !== given) this.weigh(difference(scoreColumns(distributionOf(given), value), score));
    return value as V;
  }

  override factor(score: unknown): void {
    this.weigh(scoreNumbers(score));
    dropScore(score);
  }

  private weigh(score: Operand): void {
    this.addFactor(score);
    if (this.givesUp) giveUpImpossible(score);
  }
}

/** Says once that factors have no effect. */
export function warnOfFactor(): void {
  machine.run.warn(
    'Forward sampling has met a factor (or condition, or observe) and goes on as if it were not there. ' +
      'Choose another method to take it into account.',
  );
}
