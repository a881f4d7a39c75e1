import { SampleBasedMarginal } from '../../distributions/marginal.ts';
import { TabulatedDistribution } from '../../distributions/tabulated.ts';
import type { Convergence } from '../../inference/diagnostics/convergence.ts';
import type { Distribution } from '../../runtime/handler.ts';
import { commonFields, fieldOf, type NumberSummary, type Summary, summary, type ValueSummary } from '../summary.ts';
import { type Weighted, weightedValues } from '../weighted.ts';
import { sparkline } from './bars.ts';
import { type ChainValues, chainOf, isContinuousChain } from './chain-values.ts';
import { clip, grid } from './grid.ts';
import { binned, columnChart } from './histogram.ts';
import { inlineText } from './inline.ts';
import { probabilityText, shortNumber } from './number.ts';
import { probabilityTable } from './table.ts';

/** Numbers with more different values than this are shown by their distribution, not one by one. */
export const MANY_VALUES = 30;

/** A distribution as a reader wants it: a table, a histogram with quantiles, or what a program would write. */
export function showDistribution(dist: Distribution<unknown>): string {
  if (!(dist instanceof TabulatedDistribution) || dist.name === 'Categorical') return String(dist);
  const weighted = weightedValues(dist as Distribution<unknown>)!;
  const sequence = chainOf(dist);
  const lines =
    isSpread(weighted.values) || isContinuousChain(sequence?.values, sequence?.acceptance)
      ? numberLines(weighted as Weighted<number>, summary(dist) as NumberSummary, mixingOf(dist).value)
      : (fieldLines(dist, weighted, sequence) ?? tableLines(dist));
  return [titleOf(dist), ...lines].join('\n');
}

function titleOf(dist: TabulatedDistribution<unknown>): string {
  const parts = [dist instanceof SampleBasedMarginal ? `${dist.samples.length} samples` : 'Marginal'];
  const { chains, divergences } = (dist as { diagnostics?: Record<string, unknown> }).diagnostics ?? {};
  if (typeof chains === 'number') parts[0] += ` of ${chains} chains`;
  if (typeof divergences === 'number' && divergences > 0)
    parts.push(divergences === 1 ? '1 divergence' : `${divergences} divergences`);
  const { logZ } = dist as { logZ?: number };
  if (logZ !== undefined && logZ !== 0 && Math.abs(logZ) > 1e-12) parts.push(`log evidence ${shortNumber(logZ)}`);
  if (dist instanceof SampleBasedMarginal) parts.push(...guideFacts(dist));
  return `${parts.join(', ')}:`;
}

/** From this k̂ on importance sampling cannot be trusted, however many samples are drawn. */
const UNRELIABLE = 0.7;

/** How good the guide is as an importance sampler, where samples were drawn from one. */
function guideFacts({ diagnostics }: SampleBasedMarginal<unknown>): string[] {
  const { ess, khat } = diagnostics ?? {};
  if (typeof ess !== 'number' || typeof khat !== 'number') return [];
  const samples = Math.round(ess);
  const size = `guide worth ${samples} ${samples === 1 ? 'sample' : 'samples'}`;
  if (Number.isNaN(khat)) return [size];
  return [`${size} (k̂ ${shortNumber(khat)}${khat > UNRELIABLE ? ', unreliable' : ''})`];
}

function tableLines(dist: TabulatedDistribution<unknown>): string[] {
  return probabilityTable(dist.support().map((value) => ({ value, probability: Math.exp(dist.score(value)) })));
}

/** Whether the values are numbers, too many different ones to list. */
export function isSpread(values: readonly unknown[]): values is readonly number[] {
  return values.every((value) => typeof value === 'number') && new Set(values).size > MANY_VALUES;
}

/** How well chains have mixed, by component of the values; nothing for other samples. */
function mixingOf(dist: Distribution<unknown>): Record<string, Convergence | undefined> {
  const { diagnostics } = dist as { diagnostics?: { convergence?: Record<string, Convergence> } };
  return diagnostics?.convergence ?? {};
}

/** Too few samples have no R-hat. */
const isKnown = (mixing: Convergence | undefined): mixing is Convergence => Number.isFinite(mixing?.rhat);

function numberLines(
  weighted: Weighted<number>,
  { mean, sd, quantiles, ess }: NumberSummary,
  mixing: Convergence | undefined,
): string[] {
  const isOne = weighted.values.every((value) => value === weighted.values[0]);
  const facts = [`mean ${shortNumber(mean)}`, `sd ${shortNumber(isOne ? 0 : sd)}`];
  // Samples that are all one are worth one, whatever formulas make of them.
  if (isOne) facts.push('effective sample size 1');
  else if (isKnown(mixing)) {
    const [bulk, tail] = [mixing.bulkEss, mixing.tailEss].map(Math.round);
    facts.push(`effective sample size ${bulk} (in the tails ${tail})`, `R-hat ${mixing.rhat.toFixed(3)}`);
  } else if (ess !== undefined) {
    facts.push(`effective sample size ${Math.round(ess)}`);
  }
  const names = Object.keys(quantiles);
  const rows = grid(
    [names, Object.values(quantiles).map(shortNumber)],
    names.map(() => 'right'),
  );
  const numbers = { values: Float64Array.from(weighted.values), weights: weighted.weights };
  const { lower, upper, weights } = binned(numbers, 60);
  return [facts.join(', '), ...rows, '', ...columnChart(weights, lower, upper, 6)].map((line) => `  ${line}`.trimEnd());
}

/** One line per field, if the values are objects or lists of which some field is too spread out to list. */
function fieldLines(
  dist: Distribution<unknown>,
  { values, weights }: Weighted<unknown>,
  chain: ChainValues | undefined,
): string[] | undefined {
  const fields = commonFields(values);
  if (fields === undefined) return undefined;
  const columns = fields.map((field) => values.map((value) => fieldOf(value, field)));
  const isContinuous = (field: string): boolean =>
    isContinuousChain(
      chain?.values.map((value) => fieldOf(value, field)),
      chain?.acceptance,
    );
  if (!columns.some((column) => isSpread(column)) && !(chain !== undefined && fields.some(isContinuous)))
    return undefined;
  const summaries = summary(dist) as Record<string, Summary>;
  const titles = ['', 'mean', 'sd', '2.5%', '50%', '97.5%', ''];
  const rows = fields.map((field, i) => fieldRow(field, columns[i], weights, summaries[field]));
  const sides: ('left' | 'right')[] = ['left', 'right', 'right', 'right', 'right', 'right', 'left'];
  const named = mixingOf(dist);
  const mixing = fields.map((field) => named[field] ?? named[`[${field}]`]);
  if (mixing.some(isKnown)) {
    titles.splice(6, 0, 'R-hat', 'ESS', 'tail ESS');
    sides.splice(6, 0, 'right', 'right', 'right');
    rows.forEach((row, i) => {
      const one = mixing[i];
      const known = isKnown(one)
        ? [one.rhat.toFixed(3), ...[one.bulkEss, one.tailEss].map((n) => `${Math.round(n)}`)]
        : [];
      row.splice(6, 0, ...(known.length > 0 ? known : ['', '', '']));
    });
  }
  return grid([titles, ...rows], sides).map((line) => `  ${line}`);
}

function fieldRow(field: string, values: readonly unknown[], weights: ArrayLike<number>, facts: Summary): string[] {
  const name = clip(field, 16);
  if ('mean' in facts && typeof facts.mean === 'number') {
    const { mean, sd, quantiles } = facts as NumberSummary;
    const numbers = { values: Float64Array.from(values, Number), weights };
    const shown = [mean, sd, quantiles['2.5%'], quantiles['50%'], quantiles['97.5%']].map(shortNumber);
    return [name, ...shown, sparkline(binned(numbers, 16).weights)];
  }
  if ('distinct' in facts && typeof facts.distinct === 'number') {
    const { mode, probability, distinct } = facts as ValueSummary;
    const text = `${clip(inlineText(mode), 20)} ${probabilityText(probability)}${distinct > 1 ? `, ${distinct - 1} other` : ''}`;
    return [name, '', '', '', '', '', text];
  }
  return [name, '', '', '', '', '', clip(inlineText(values[0]), 30)];
}
