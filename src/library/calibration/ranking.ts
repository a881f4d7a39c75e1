import { BAD_KHAT } from '../../inference/diagnostics/advice.ts';
import type { Distribution } from '../../runtime/handler.ts';
import type { RandomStream } from '../../runtime/random.ts';
import { numbersOf, placeAmong } from './draws.ts';
import { type LogScore, Scoring } from './log-score.ts';
import type { Quantity } from './quantities.ts';
import type { Simulation } from './simulations.ts';
import type { MethodQuality } from './verdict.ts';

/** The middle one, or the upper of two; of exact posteriors there are infinitely many draws. */
const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => (a === b ? 0 : a - b))[Math.floor(numbers.length / 2)];

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

  add(i: number, posterior: Distribution<unknown>, random: RandomStream): void {
    const numbers = numbersOf(posterior, this.quantities, this.simulations[i].data, random);
    numbers.forEach((own, q) => {
      this.ranks[q].push(placeAmong(own, this.truths[q][i], random.begin().uniform()));
      this.scoring[q].add(i, own);
    });
    this.draws.push(numbers[0].draws);
    const { khat } = ((posterior as { diagnostics?: object }).diagnostics ?? {}) as { khat?: unknown };
    if (typeof khat === 'number' && !Number.isNaN(khat)) this.khats.push(khat);
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
