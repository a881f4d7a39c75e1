import { BAD_KHAT } from '../../inference/diagnostics/advice.ts';
import type { Distribution } from '../../runtime/handler.ts';
import type { RandomStream } from '../../runtime/random.ts';
import { numbersOf, placeAmong } from './draws.ts';
import { type LogScore, Scoring } from './log-score.ts';
import type { Quantity } from './quantities.ts';
import type { Simulation } from './simulations.ts';
import type { MethodQuality } from './verdict.ts';

/** The median of the numbers of draws, or the upper of two; exact posteriors count as infinitely many draws. */
const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => (a === b ? 0 : a - b))[Math.floor(numbers.length / 2)];

/** Of one simulation: for each quantity the place of its true value in the posterior, and the scores of both. */
export interface Placed {
  readonly places: readonly { readonly rank: number; readonly score: readonly [after: number, before: number] }[];
  readonly draws: number;
  readonly khat: number | undefined;
}

/** Where the true value of each quantity lies in its posterior, simulation after simulation. */
export class Ranking {
  readonly ranks: readonly number[][];
  private readonly truths: readonly number[][];
  private readonly scoring: readonly Scoring[];
  private readonly draws: number[] = [];
  private readonly khats: number[] = [];

  constructor(
    private readonly quantities: readonly Quantity[],
    private readonly simulations: readonly Simulation[],
  ) {
    this.ranks = quantities.map(() => []);
    this.truths = quantities.map((quantity) => simulations.map(({ value, data }) => quantity.of(value, data)));
    this.scoring = this.truths.map((truths) => new Scoring(truths));
  }

  /** Where the true values of the i-th simulation lie in its posterior, and their scores. */
  placed(i: number, posterior: Distribution<unknown>, random: RandomStream): Placed {
    const numbers = numbersOf(posterior, this.quantities, this.simulations[i].data, random);
    const places = numbers.map((own, q) => ({
      rank: placeAmong(own, this.truths[q][i], random.begin().uniform()),
      score: this.scoring[q].scoreOf(i, own),
    }));
    const { khat } = ((posterior as { diagnostics?: object }).diagnostics ?? {}) as { khat?: unknown };
    const isNumber = typeof khat === 'number' && !Number.isNaN(khat);
    return { places, draws: numbers[0].draws, khat: isNumber ? khat : undefined };
  }

  add({ places, draws, khat }: Placed): void {
    places.forEach(({ rank, score }, q) => {
      this.ranks[q].push(rank);
      this.scoring[q].add(score);
    });
    this.draws.push(draws);
    if (khat !== undefined) this.khats.push(khat);
  }

  get scores(): LogScore[] {
    return this.scoring.map(({ result }) => result);
  }

  get quality(): MethodQuality {
    const draws = median(this.draws);
    if (this.khats.length === 0) return { draws };
    const bad = this.khats.filter((khat) => khat > BAD_KHAT).length / this.simulations.length;
    return { draws, khat: { median: median(this.khats), bad } };
  }
}
