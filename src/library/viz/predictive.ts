/** Data beside what a model predicts of them. */
import { describe } from '../../runtime/describe.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import { Tensor } from '../../tensor/tensor.ts';
import { grid } from '../show/grid.ts';
import { shortNumber } from '../show/number.ts';
import { evenly } from '../weighted.ts';
import { type WeightedNumbers, weightedMean, weightedQuantiles, weightedVariance } from '../weighted-numbers.ts';
import { boundsOf } from './canvas.ts';
import type { Drawing } from './chart.ts';
import { coordinates, type Drawable, drawn } from './data.ts';
import { densityCurve } from './density.ts';
import type { DrawingOptions } from './options.ts';
import { predictiveView } from './spec/diagnostics.ts';
import { places } from './spec/view.ts';

/** Curves of predicted data that are drawn. */
const CURVES = 40;

const numbersOf = (values: readonly number[]): WeightedNumbers => {
  const { weights } = evenly(values);
  return { values: Float64Array.from(values), weights };
};

/** Statistics that are compared, besides the curves. */
const FACTS: readonly { name: string; of(numbers: WeightedNumbers): number }[] = [
  { name: 'mean', of: weightedMean },
  { name: 'sd', of: (numbers) => Math.sqrt(weightedVariance(numbers)) },
  { name: 'least', of: ({ values }) => values.reduce((a, b) => Math.min(a, b)) },
  { name: 'median', of: (numbers) => weightedQuantiles(numbers)(0.5) },
  { name: 'most', of: ({ values }) => values.reduce((a, b) => Math.max(a, b)) },
];

export function predictiveDrawing(
  caller: string,
  observed: ArrayLike<number>,
  predicted: Drawable,
  options: DrawingOptions,
): Drawing {
  const own = coordinates(caller, observed);
  if (own.length === 0) throw new WaymarkError(`${caller} needs at least one observation.`);
  const { values, weights } = drawn(caller, predicted);
  const sets = values.map((value) => {
    if (!Array.isArray(value) && !(value instanceof Tensor)) {
      throw new WaymarkError(
        `${caller} needs a list of predicted data for every sample, and here is ${describe(value)}. Let the model return one, as in repeat(n, () => gaussian(mu, sigma)).`,
      );
    }
    return numbersOf(coordinates(caller, value));
  });
  if (sets.some((set) => set.values.length === 0)) throw new WaymarkError(`${caller}: a sample predicts no data.`);
  const data = numbersOf(own);
  const { lower, upper } = boundsOf([...own, ...sets.flatMap((set) => Array.from(set.values))]);
  const room = 0.05 * (upper - lower);
  const bounds =
    options.bounds === undefined
      ? { lower: lower - room, upper: upper + room }
      : { lower: options.bounds[0], upper: options.bounds[1] };
  const curves = places(sets.length, CURVES).map((i) => densityCurve(sets[i], 80, bounds));
  return {
    lines: factLines(data, sets, weights),
    view: predictiveView(densityCurve(data, 80, bounds), curves, options),
  };
}

/** Each statistic of the data, beside its quantiles for predicted data. */
function factLines(data: WeightedNumbers, sets: readonly WeightedNumbers[], weights: ArrayLike<number>): string[] {
  const rows = FACTS.map(({ name, of }) => {
    const own = of(data);
    const values = Float64Array.from(sets, of);
    const at = weightedQuantiles({ values, weights });
    const above = values.reduce((sum, value, i) => sum + (value >= own ? weights[i] : 0), 0);
    return [name, ...[own, at(0.025), at(0.5), at(0.975)].map(shortNumber), above.toFixed(2)];
  });
  const titles = ['', 'observed', '2.5%', '50%', '97.5%', 'as large'];
  return grid([titles, ...rows], ['left', 'right', 'right', 'right', 'right', 'right']).map((line) => `  ${line}`);
}
