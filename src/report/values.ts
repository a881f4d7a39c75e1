/** Values of a program as blocks of a report. */
import { isContainer } from '../algebra/host-arguments.ts';
import { SampleBasedMarginal } from '../distributions/marginal.ts';
import { TabulatedDistribution } from '../distributions/tabulated.ts';
import { componentsOf } from '../inference/diagnostics/components.ts';
import type { Convergence } from '../inference/diagnostics/convergence.ts';
import { inlineText } from '../library/show/inline.ts';
import { shortNumber } from '../library/show/number.ts';
import { rowTable } from '../library/show/rows.ts';
import { show } from '../library/show/value.ts';
import { automaticDrawing } from '../library/viz/automatic.ts';
import { weightedQuantities } from '../library/viz/chains.ts';
import { chartOf, type Drawing, isChart } from '../library/viz/chart.ts';
import { drawn } from '../library/viz/data.ts';
import { forestDrawing, pairsDrawing, rankDrawing, traceDrawing } from '../library/viz/diagnostics.ts';
import { familyDrawing } from '../library/viz/drawings.ts';
import { weightedMean, weightedQuantiles, weightedVariance } from '../library/weighted-numbers.ts';
import { WaymarkError } from '../runtime/errors.ts';
import type { Distribution } from '../runtime/handler.ts';
import { isDistribution } from '../runtime/primitives.ts';
import type { Block, Figure, Table } from './blocks.ts';

/** Objects within objects beyond this depth are shown as text. */
const DEPTH = 3;

/** Rows of a table; what is left out is counted. */
const MOST_ROWS = 200;

/** A value as the page shows it: charts, distributions with pictures, tables, and text. */
export function blocksOf(value: unknown, text: string, depth = 0): Block[] {
  if (isChart(value)) return [{ kind: 'figure', figure: chartFigure(value.spec, value.text) }];
  if (isDistribution(value)) return distributionBlocks(value);
  const rows = rowTable(value);
  if (rows !== undefined) return [{ kind: 'table', table: limited({ caption: '', ...rows }) }];
  if (depth < DEPTH && holdsDistribution(value)) {
    return Object.entries(value as object).flatMap(([name, field]): Block[] => [
      { kind: 'heading', text: name },
      ...blocksOf(field, show(field), depth + 1),
    ]);
  }
  return [{ kind: 'text', text }];
}

function limited({ caption, head, rows }: Table): Table {
  if (rows.length <= MOST_ROWS) return { caption, head, rows };
  const words = `${caption}${caption === '' ? '' : ', '}the first ${MOST_ROWS} of ${rows.length} rows`;
  return { caption: words, head, rows: rows.slice(0, MOST_ROWS) };
}

function chartFigure(spec: Figure['spec'], text: string): Figure {
  const title = typeof spec.title === 'string' ? spec.title : '';
  const caption = title === '' && typeof spec.description === 'string' ? spec.description : title;
  return { name: title === '' ? 'chart' : title, caption, spec, text };
}

const holdsDistribution = (value: unknown): boolean =>
  isContainer(value) && Object.values(value).some((field) => isDistribution(field) || isChart(field));

/** A result of inference: what it is, its numbers, its picture, and how chains went. */
function distributionBlocks(dist: Distribution<unknown>): Block[] {
  const text = show(dist);
  const [title] = text.split('\n');
  const isResult = dist instanceof TabulatedDistribution && dist.name !== 'Categorical';
  const blocks: Block[] = [isResult ? { kind: 'note', text: title.replace(/:$/, '') } : { kind: 'text', text }];
  const table = isResult ? numbersTable(dist) : undefined;
  if (table !== undefined) blocks.push({ kind: 'table', table });
  const main = attempt(() => familyDrawing(dist, {}) ?? automaticDrawing(drawn('viz', dist), {}));
  if (main !== undefined) blocks.push({ kind: 'figure', figure: figureOf('posterior', 'The distribution', main) });
  else if (isResult && table === undefined) blocks.push({ kind: 'text', text });
  blocks.push(...diagnosticBlocks(dist));
  return blocks;
}

const figureOf = (name: string, caption: string, drawing: Drawing): Figure => {
  const { spec, text } = chartOf(drawing, { text: [] });
  const said = typeof spec.description === 'string' ? spec.description : '';
  return { name, caption: said === '' ? caption : `${caption}. ${said}`, spec, text };
};

/** A drawing, unless there is nothing that it could draw. */
function attempt(make: () => Drawing): Drawing | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof WaymarkError) return undefined;
    throw error;
  }
}

/** Mean, spread and mixing of every number in the values, unless there are none or a table of values says more. */
function numbersTable(dist: Distribution<unknown>): Table | undefined {
  if (!(dist instanceof SampleBasedMarginal) || componentsOf(dist.samples[0].value).size === 0) return undefined;
  const { convergence = {} } = (dist.diagnostics ?? {}) as { convergence?: Record<string, Convergence> };
  const mixed = Object.values(convergence).some(({ rhat }) => Number.isFinite(rhat));
  try {
    const rows = weightedQuantities('viz', dist).map(({ name, numbers }) => {
      const at = weightedQuantiles(numbers);
      const facts = [weightedMean(numbers), Math.sqrt(weightedVariance(numbers)), at(0.025), at(0.5), at(0.975)];
      const own = convergence[name];
      const mixing = own === undefined ? ['', '', ''] : [own.rhat.toFixed(3), ...[own.bulkEss, own.tailEss].map(size)];
      return [name, ...facts.map(shortNumber), ...(mixed ? mixing : [])];
    });
    const head = ['', 'mean', 'sd', '2.5%', '50%', '97.5%', ...(mixed ? ['R-hat', 'ESS', 'tail ESS'] : [])];
    return limited({ caption: '', head, rows });
  } catch (error) {
    if (error instanceof WaymarkError) return undefined;
    throw error;
  }
}

const size = (n: number): string => (Number.isFinite(n) ? String(Math.round(n)) : inlineText(n));

/** Forest, trace, rank and pair plots of chains. */
function diagnosticBlocks(dist: Distribution<unknown>): Block[] {
  const isChain =
    dist instanceof SampleBasedMarginal && dist.diagnostics !== undefined && 'acceptance' in dist.diagnostics;
  if (!isChain) return [];
  const several = Number(dist.diagnostics?.chains ?? 1) > 1;
  const drawings: [string, string, () => Drawing][] = [
    ['forest', 'Medians, with the intervals that hold 50% and 95%', () => forestDrawing('viz.forest', dist, {})],
    ['trace', 'Traces: what each chain went through', () => traceDrawing('viz.trace', dist, {})],
    ...(several
      ? [['rank', 'Ranks by chain: even bars mean that chains agree', () => rankDrawing('viz.rank', dist, {})] as const]
      : []),
    ['pairs', 'Every two numbers', () => pairsDrawing('viz.pairs', dist, {})],
  ] as [string, string, () => Drawing][];
  const figures = drawings.flatMap(([name, caption, make]): Figure[] => {
    const drawing = attempt(make);
    if (drawing === undefined || (name === 'pairs' && !('concat' in drawing.view && hasSeveral(drawing)))) return [];
    const { spec, text } = chartOf(drawing, { text: [] });
    return [{ name, caption, spec, text }];
  });
  return figures.length === 0 ? [] : [{ kind: 'group', title: 'How the chains went', figures }];
}

/** Pairs of one number are none. */
const hasSeveral = ({ view }: Drawing): boolean => (view.concat as readonly unknown[]).length > 1;
