/** Drawings that tell how chains went, and where the numbers of a posterior lie. */
import { convergence } from '../../inference/diagnostics/convergence.ts';
import { sparkline } from '../show/bars.ts';
import { clip, grid, padEnd } from '../show/grid.ts';
import { binned } from '../show/histogram.ts';
import { shortNumber } from '../show/number.ts';
import { weightedMean, weightedQuantiles, weightedVariance } from '../weighted-numbers.ts';
import { boundsOf, Canvas } from './canvas.ts';
import { type Chains, type Quantity, quantitiesOf, weightedQuantities } from './chains.ts';
import type { Drawing } from './chart.ts';
import type { DrawingOptions } from './options.ts';
import { forestView, pairsView, rankView, type Spread, traceView } from './spec/diagnostics.ts';

export type { Chains } from './chains.ts';

/** Quantities that are drawn; what is left out is counted. */
const MOST = { trace: 12, rank: 6, pairs: 5, forest: 60 };

function limited<T>(items: readonly T[], most: number): { shown: readonly T[]; rest: string[] } {
  const left = items.length - most;
  return { shown: items.slice(0, most), rest: left > 0 ? [`  … and ${left} more, which are not drawn`] : [] };
}

/** A line per chain over its steps. */
export function traceDrawing(caller: string, data: Chains, options: DrawingOptions): Drawing {
  const { shown, rest } = limited(quantitiesOf(caller, data), MOST.trace);
  const lines = shown.flatMap((quantity, i) => [...(i === 0 ? [] : ['']), ...traceLines(quantity)]);
  return { lines: [...lines, ...rest], view: traceView(shown, options) };
}

function traceLines({ name, chains }: Quantity): string[] {
  const { rhat } = convergence(chains);
  const title = `${name}${Number.isFinite(rhat) ? `, R-hat ${rhat.toFixed(3)}` : ''}:`;
  const longest = Math.max(...chains.map(({ length }) => length));
  const canvas = new Canvas(
    { lower: 0, upper: Math.max(1, longest - 1) },
    boundsOf(chains.flatMap((chain) => Array.from(chain))),
    60,
    6,
  );
  for (const chain of chains) {
    for (let i = 1; i < chain.length; i++) canvas.line(i - 1, chain[i - 1], i, chain[i]);
    if (chain.length === 1) canvas.point(0, chain[0]);
  }
  return [title, ...canvas.lines()];
}

/** How evenly each chain's numbers are spread among those of all. */
export function rankDrawing(caller: string, data: Chains, options: DrawingOptions): Drawing {
  const { shown, rest } = limited(quantitiesOf(caller, data), MOST.rank);
  const ranks = shown.map((quantity) => ({
    name: quantity.name,
    counts: rankCounts(quantity.chains, options.numBins ?? 20),
    expected: quantity.chains[0].length / (options.numBins ?? 20),
  }));
  const lines = ranks.flatMap(({ name, counts }) => [
    `${name}:`,
    ...counts.map((own, c) => `  chain ${c + 1}  ${sparkline(own)}`.trimEnd()),
  ]);
  return { lines: [...lines, ...rest], view: rankView(ranks, options) };
}

/** Counts of each chain's ranks among all, in bins. Ties share their mean rank. */
export function rankCounts(chains: readonly Float64Array[], bins: number): Float64Array[] {
  const all = chains.flatMap((chain, c) => Array.from(chain, (value) => ({ value, c })));
  all.sort((a, b) => a.value - b.value);
  const counts = chains.map(() => new Float64Array(bins));
  for (let i = 0; i < all.length; ) {
    let j = i;
    while (j + 1 < all.length && all[j + 1].value === all[i].value) j++;
    const bin = Math.min(bins - 1, Math.floor(((i + j + 1) / 2 / all.length) * bins));
    for (let k = i; k <= j; k++) counts[all[k].c][bin]++;
    i = j + 1;
  }
  return counts;
}

/** Points for every two numbers; in text, their correlations. */
export function pairsDrawing(caller: string, data: Chains, { samples }: DrawingOptions): Drawing {
  const { shown, rest } = limited(weightedQuantities(caller, data, samples), MOST.pairs);
  const standard = shown.map(({ numbers }) => {
    const [mean, sd] = [weightedMean(numbers), Math.sqrt(weightedVariance(numbers))];
    return numbers.values.map((x) => (x - mean) / sd);
  });
  const { weights } = shown[0].numbers;
  const correlation = (a: Float64Array, b: Float64Array): number =>
    a.reduce((sum, x, i) => sum + weights[i] * x * b[i], 0);
  const text = (r: number): string => (Number.isNaN(r) ? '–' : r.toFixed(2));
  const rows = shown.map(({ name }, i) => [clip(name, 16), ...standard.map((b) => text(correlation(standard[i], b)))]);
  const titles = ['correlation', ...shown.map(({ name }) => clip(name, 10))];
  const lines = grid([titles, ...rows], ['left', ...shown.map(() => 'right' as const)]).map((line) => `  ${line}`);
  const view = pairsView(
    shown.map(({ name, numbers }) => ({ name, values: numbers.values, bins: binned(numbers, 20) })),
  );
  return { lines: [...lines, ...rest], view };
}

/** Medians and intervals under each other. */
export function forestDrawing(caller: string, data: Chains, options: DrawingOptions): Drawing {
  const { shown, rest } = limited(weightedQuantities(caller, data, options.samples), MOST.forest);
  const spreads: Spread[] = shown.map(({ name, numbers }) => {
    const at = weightedQuantiles(numbers);
    return { name, quantiles: [at(0.025), at(0.25), at(0.5), at(0.75), at(0.975)] };
  });
  return { lines: [...forestLines(spreads), ...rest], view: forestView(spreads, options) };
}

const FOREST_WIDTH = 36;

function forestLines(spreads: readonly Spread[]): string[] {
  const { lower, upper } = boundsOf(spreads.flatMap(({ quantiles }) => quantiles));
  const place = (x: number): number =>
    Math.max(0, Math.min(FOREST_WIDTH - 1, Math.round(((x - lower) / (upper - lower)) * (FOREST_WIDTH - 1))));
  const width = Math.min(16, Math.max(...spreads.map(({ name }) => name.length)));
  return spreads.map(({ name, quantiles: [low, from, median, to, high] }) => {
    const cells = new Array<string>(FOREST_WIDTH).fill(' ');
    for (let i = place(low); i <= place(high); i++) cells[i] = '─';
    for (let i = place(from); i <= place(to); i++) cells[i] = '━';
    cells[place(median)] = '●';
    const words = `${shortNumber(median)} (${shortNumber(low)} to ${shortNumber(high)})`;
    return `  ${padEnd(clip(name, 16), width)}  ${cells.join('')}  ${words}`;
  });
}
