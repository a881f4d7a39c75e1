import { SampleBasedMarginal } from '../../distributions/marginal.ts';
import { sampleCount } from '../../distributions/sample-columns.ts';
import { TabulatedDistribution } from '../../distributions/tabulated.ts';
import { BAD_KHAT, badWeights } from '../../inference/diagnostics/advice.ts';
import type { Convergence } from '../../inference/diagnostics/convergence.ts';
import type { Distribution } from '../../runtime/handler.ts';
import { type Leaf, leavesOf } from '../leaves.ts';
import { commonFields, type NumberSummary, partSummary, type Summary, type ValueSummary } from '../summary.ts';
import { type Weighted, weightedValues } from '../weighted.ts';
import { sparkline } from './bars.ts';
import { areDraws, type ChainValues, chainOf, isContinuousChain } from './chain-values.ts';
import { clip, grid } from './grid.ts';
import { binned, columnChart } from './histogram.ts';
import { inlineText } from './inline.ts';
import { probabilityText, shortNumber } from './number.ts';
import { probabilityTable } from './table.ts';

/** Numbers with more different values than this are shown by their distribution, not one by one. */
const MANY_VALUES = 30;

/** A distribution as a reader wants it: a table, a histogram with quantiles, or what a program would write. */
export function showDistribution(dist: Distribution<unknown>): string {
  if (!(dist instanceof TabulatedDistribution) || dist.name === 'Categorical') return String(dist);
  const weighted = weightedValues(dist as Distribution<unknown>)!;
  const chain = chainOf(dist);
  const lines = isContinuous(weighted.values, chain, dist instanceof SampleBasedMarginal)
    ? numberLines(dist, weighted as Weighted<number>, mixingOf(dist).value)
    : (partLines(dist, weighted, chain) ?? tableLines(dist));
  return [titleOf(dist), ...lines, ...restLines(dist, weighted.values, chain)].join('\n');
}

/** Whether values are numbers to be shown by where they lie, and not one by one. */
function isContinuous(values: readonly unknown[], chain: ChainValues | undefined, drawn: boolean): boolean {
  if (isSpread(values) || isContinuousChain(chain?.values, chain?.acceptance)) return true;
  return drawn && areDraws(values);
}

/** Fewer independent samples than this tell little. */
const FEW = 10;

/** From this many samples on, and this many times their effective size, the chain is to blame. */
const ENOUGH = 50;
const TIMES = 20;

/** A guide whose weights are not to be trusted, and a chain that hardly moved, are said to be so. */
function restLines(dist: Distribution<unknown>, values: readonly unknown[], chain: ChainValues | undefined): string[] {
  const advice =
    dist instanceof SampleBasedMarginal && dist.weights !== undefined ? badWeights(dist.diagnostics ?? {}) : undefined;
  if (advice !== undefined) return ['', ...advice.split(/(?<=\.) (?=[A-Z])/).map((line) => `  ${line}`)];
  if (chain === undefined || values.length < ENOUGH) return [];
  const stays = (leaf: Leaf): boolean => isContinuousChain(leaf.values, chain.acceptance);
  const worth = leavesOf(chain.values)
    .filter(stays)
    .map(({ name, values: own }) => {
      const { bulkEss = Infinity, tailEss = Infinity } = mixingOf(dist)[name === '' ? 'value' : name] ?? {};
      // A constant defeats the formulas; different values are never fewer than independent ones.
      const distinct = new Set(own).size;
      return distinct === 1 ? 1 : Math.min(distinct, ...[bulkEss, tailEss].filter(Number.isFinite));
    });
  const least = Math.min(...worth, Infinity);
  if (!(least < Math.min(FEW, values.length / TIMES))) return [];
  const size = Math.max(1, Math.round(least));
  return [
    '',
    `  The chain hardly moved: its ${values.length} samples are worth about ${size} independent ${size === 1 ? 'one' : 'ones'}.`,
    "  Take more samples, or another method: kernel 'NUTS', or SMC.",
  ];
}

function titleOf(dist: TabulatedDistribution<unknown>): string {
  const parts = [dist instanceof SampleBasedMarginal ? `${sampleCount(dist)} samples` : 'Marginal'];
  const { chains, divergences } = (dist as { diagnostics?: Record<string, unknown> }).diagnostics ?? {};
  if (typeof chains === 'number') parts[0] += ` of ${chains} chains`;
  if (typeof divergences === 'number' && divergences > 0)
    parts.push(divergences === 1 ? '1 divergence' : `${divergences} divergences`);
  const { logZ } = dist as { logZ?: number };
  if (logZ !== undefined && logZ !== 0 && Math.abs(logZ) > 1e-12) parts.push(`log evidence ${shortNumber(logZ)}`);
  if (dist instanceof SampleBasedMarginal) parts.push(...guideFacts(dist));
  return `${parts.join(', ')}:`;
}

/** How good the guide is as an importance sampler, where samples were drawn from one. */
function guideFacts({ diagnostics }: SampleBasedMarginal<unknown>): string[] {
  const { ess, khat } = diagnostics ?? {};
  if (typeof ess !== 'number' || typeof khat !== 'number') return [];
  const samples = Math.round(ess);
  const size = `guide worth ${samples} ${samples === 1 ? 'sample' : 'samples'}`;
  if (Number.isNaN(khat)) return [size];
  return [`${size} (k̂ ${shortNumber(khat)}${khat > BAD_KHAT ? ', unreliable' : ''})`];
}

function tableLines(dist: TabulatedDistribution<unknown>): string[] {
  return probabilityTable(dist.support().map((value) => ({ value, probability: Math.exp(dist.score(value)) })));
}

/** Whether the values are numbers, too many different ones to list. */
export function isSpread(values: readonly unknown[]): values is readonly number[] {
  if (!values.every((value) => typeof value === 'number')) return false;
  const different = new Set<unknown>();
  return values.some((value) => different.add(value).size > MANY_VALUES);
}

/** How well chains have mixed, by component of the values; nothing for other samples. */
function mixingOf(dist: Distribution<unknown>): Record<string, Convergence | undefined> {
  const { diagnostics } = dist as { diagnostics?: { convergence?: Record<string, Convergence> } };
  return diagnostics?.convergence ?? {};
}

/** Too few samples have no R-hat. */
const isKnown = (mixing: Convergence | undefined): mixing is Convergence => Number.isFinite(mixing?.rhat);

function numberLines(
  dist: Distribution<unknown>,
  weighted: Weighted<number>,
  mixing: Convergence | undefined,
): string[] {
  const { mean, sd, quantiles, ess } = partSummary(dist, !isKnown(mixing))(weighted) as NumberSummary;
  const isOne = weighted.values.every((value) => value === weighted.values[0]);
  const facts = [`mean ${shortNumber(mean)}`, `sd ${shortNumber(isOne ? 0 : sd)}`];
  // Samples that are all the same have an effective size of one, whatever the formula gives.
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

/** Parts beyond this many are counted, not shown. */
const MOST_PARTS = 40;

/** One line per part, if the values are objects or lists of which some part is too spread out to list. */
function partLines(
  dist: Distribution<unknown>,
  { values, weights }: Weighted<unknown>,
  chain: ChainValues | undefined,
): string[] | undefined {
  if (commonFields(values) === undefined) return undefined;
  const parts = leavesOf(values);
  const inOrder = chain === undefined ? undefined : leavesOf(chain.values);
  const drawn = dist instanceof SampleBasedMarginal;
  const spread = parts.some((part, i) => {
    const own = inOrder?.[i];
    return isContinuous(part.values, own === undefined ? undefined : { ...chain!, values: own.values }, drawn);
  });
  if (!spread) return undefined;
  const shown = parts.slice(0, MOST_PARTS);
  const named = mixingOf(dist);
  const mixing = shown.map(({ name }) => named[name]);
  const summaryOf = partSummary(dist, !mixing.some(isKnown));
  const facts = shown.map((part) => summaryOf({ values: part.values, weights }));
  const columns = [...NUMBERS, ...mixingColumns(mixing, facts)];
  const sides = ['left' as const, ...columns.map(() => 'right' as const), 'left' as const];
  const rows = shown.map((part, i) => [
    clip(part.name, 24),
    ...columns.map(({ of }) => of(facts[i], mixing[i])),
    picture(part.values, weights, facts[i]),
  ]);
  const lines = grid([['', ...columns.map(({ title }) => title), ''], ...rows], sides).map((line) => `  ${line}`);
  return parts.length > MOST_PARTS ? [...lines, `  … ${parts.length - MOST_PARTS} more parts`] : lines;
}

/** A column of such a table; '' where it does not apply. */
interface Column {
  readonly title: string;
  of(facts: Summary, mixing: Convergence | undefined): string;
}

const isNumbers = (facts: Summary): facts is NumberSummary => 'mean' in facts && typeof facts.mean === 'number';

const numberColumn = (title: string, pick: (facts: NumberSummary) => number): Column => ({
  title,
  of: (facts) => (isNumbers(facts) ? shortNumber(pick(facts)) : ''),
});

const NUMBERS: readonly Column[] = [
  numberColumn('mean', ({ mean }) => mean),
  numberColumn('sd', ({ sd }) => sd),
  numberColumn('2.5%', ({ quantiles }) => quantiles['2.5%']),
  numberColumn('50%', ({ quantiles }) => quantiles['50%']),
  numberColumn('97.5%', ({ quantiles }) => quantiles['97.5%']),
];

const known = (pick: (mixing: Convergence) => string): Column['of'] => {
  return (_, mixing) => (isKnown(mixing) ? pick(mixing) : '');
};

const MIXING: readonly Column[] = [
  { title: 'R-hat', of: known(({ rhat }) => rhat.toFixed(3)) },
  { title: 'ESS', of: known(({ bulkEss }) => `${Math.round(bulkEss)}`) },
  { title: 'tail ESS', of: known(({ tailEss }) => `${Math.round(tailEss)}`) },
];

const SIZE: Column = {
  title: 'ESS',
  of: (facts) => (isNumbers(facts) && facts.ess !== undefined ? `${Math.round(facts.ess)}` : ''),
};

/** The effective sample size: of chains by their autocorrelation, of others by their weights. */
function mixingColumns(mixing: readonly (Convergence | undefined)[], facts: readonly Summary[]): readonly Column[] {
  if (mixing.some(isKnown)) return MIXING;
  return facts.some((one) => isNumbers(one) && one.ess !== undefined) ? [SIZE] : [];
}

/** Where the numbers of a part lie, or what its most probable value is. */
function picture(values: readonly unknown[], weights: ArrayLike<number>, facts: Summary): string {
  if (isNumbers(facts)) return sparkline(binned({ values: Float64Array.from(values, Number), weights }, 16).weights);
  if ('distinct' in facts && typeof facts.distinct === 'number') {
    const { mode, probability, distinct } = facts as ValueSummary;
    return `${clip(inlineText(mode), 20)} ${probabilityText(probability)}${distinct > 1 ? `, ${distinct - 1} other` : ''}`;
  }
  return clip(inlineText(values[0]), 30);
}
