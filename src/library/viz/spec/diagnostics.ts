/** Specifications of drawings that tell how an inference went. */
import { densityView, type NamedCurve } from './one-dimension.ts';
import { data, groups, numbers, places, type Spec, short, tiled, type View } from './view.ts';

/** Points of a line of one chain. */
const STEPS = 600;

/** Points of one field of a matrix of points. */
const DOTS = 200;

/** The numbers of each chain. */
interface ChainNumbers {
  readonly name: string;
  readonly chains: readonly ArrayLike<number>[];
}

interface Sizes {
  readonly width?: number;
  readonly height?: number;
}

const chainName = (c: number): string => `chain ${c + 1}`;

/** A row per quantity, a line per chain. */
export function traceView(quantities: readonly ChainNumbers[], { width = 520, height = 110 }: Sizes): View {
  const several = quantities[0].chains.length > 1;
  const views = quantities.map(({ name, chains }) => ({
    title: name,
    data: data(
      chains.flatMap((chain, c) =>
        places(chain.length, STEPS)
          .filter((i) => Number.isFinite(chain[i]))
          .map((i) => ({ step: i, value: short(chain[i]), chain: chainName(c) })),
      ),
    ),
    width,
    height,
    mark: { type: 'line', strokeWidth: 1, opacity: 0.8, interpolate: 'step-after' },
    encoding: {
      x: { field: 'step', type: 'quantitative', title: null },
      y: numbers('value', null),
      ...(several ? { color: groups('chain', null) } : {}),
    },
  }));
  return {
    ...tiled(views, 1),
    description: `Traces of ${quantities.map(({ name }) => name).join(', ')}, ${quantities[0].chains.length} chains`,
  };
}

/** How many ranks of each chain fall into each bin. */
interface Ranks {
  readonly name: string;
  /** Counts by chain and bin. */
  readonly counts: readonly ArrayLike<number>[];
  /** What each would be if chains agreed. */
  readonly expected: number;
}

/** A row per quantity, a histogram per chain, and a line where its bars should end. */
export function rankView(quantities: readonly Ranks[], { width = 140, height = 70 }: Sizes): View {
  const views = quantities.flatMap(({ name, counts, expected }) =>
    counts.map((own, c) => ({
      title: { text: `${name}, ${chainName(c)}`, fontSize: 11 },
      width,
      height,
      layer: [
        {
          data: data(Array.from(own, (count, bin) => ({ bin, count, chain: chainName(c) }))),
          mark: { type: 'bar', binSpacing: 0 },
          encoding: {
            x: { field: 'bin', type: 'ordinal', axis: { labels: false, ticks: false }, title: null },
            y: { field: 'count', type: 'quantitative', title: null },
            color: { ...groups('chain', null), legend: null },
          },
        },
        { data: data([{}]), mark: { type: 'rule', style: 'reference' }, encoding: { y: { datum: expected } } },
      ],
    })),
  );
  return {
    ...tiled(views, quantities[0].counts.length),
    description: `Rank histograms of ${quantities.map(({ name }) => name).join(', ')}; even bars mean that chains agree`,
  };
}

/** Where the middle of a quantity is. */
export interface Spread {
  readonly name: string;
  /** 2.5%, 25%, 50%, 75% and 97.5%. */
  readonly quantiles: readonly [number, number, number, number, number];
}

/** A row per quantity: the median, a thick line for 50%, a thin one for 95%. */
export function forestView(
  spreads: readonly Spread[],
  { width = 460, xLabel }: { width?: number; xLabel?: string },
): View {
  const finite = spreads.filter(({ quantiles }) => quantiles.every(Number.isFinite));
  const rows = finite.map(({ name, quantiles: [low, lower, median, upper, high] }) => ({
    name,
    low: short(low),
    lower: short(lower),
    median: short(median),
    upper: short(upper),
    high: short(high),
  }));
  const line = (from: string, to: string, strokeWidth: number): Spec => ({
    mark: { type: 'rule', style: 'forest', strokeWidth },
    encoding: { x: numbers(from, xLabel ?? null), x2: { field: to } },
  });
  return {
    description: `Medians, 50% and 95% intervals: ${rows
      .slice(0, 5)
      .map(({ name, median, low, high }) => `${name} ${median} (${low} to ${high})`)
      .join(', ')}${rows.length > 5 ? ', …' : ''}`,
    data: data(rows),
    width,
    height: { step: 22 },
    encoding: { y: { field: 'name', type: 'nominal', sort: null, title: null } },
    layer: [
      line('low', 'high', 1.5),
      line('lower', 'upper', 5),
      {
        mark: { type: 'point', style: 'observed', filled: true, size: 60, opacity: 1 },
        encoding: { x: { field: 'median', type: 'quantitative' } },
      },
    ],
  };
}

/** A quantity of a matrix of points, with a histogram of it. */
interface PairQuantity {
  readonly name: string;
  readonly values: ArrayLike<number>;
  readonly bins: { readonly lower: number; readonly upper: number; readonly weights: ArrayLike<number> };
}

/** Points for every two quantities, histograms on the diagonal. */
export function pairsView(quantities: readonly PairQuantity[]): View {
  const side = Math.max(90, Math.min(180, Math.floor(600 / quantities.length)));
  const size = { width: side, height: side };
  const views = quantities.flatMap((down, row) =>
    quantities.map((across, column) => {
      const bottom = row === quantities.length - 1 ? across.name : null;
      const left = column === 0 ? down.name : null;
      if (row === column) return { ...size, ...diagonal(across, bottom, left) };
      const rows = places(across.values.length, DOTS)
        .filter((i) => Number.isFinite(across.values[i]) && Number.isFinite(down.values[i]))
        .map((i) => ({ x: short(across.values[i]), y: short(down.values[i]) }));
      return {
        ...size,
        data: data(rows),
        mark: { type: 'point', size: 10, opacity: 0.45, aria: false },
        encoding: { x: small(numbers('x', bottom)), y: small(numbers('y', left)) },
      };
    }),
  );
  return {
    concat: views,
    columns: quantities.length,
    spacing: 8,
    description: `Points for every two of ${quantities.map(({ name }) => name).join(', ')}`,
  };
}

const small = (encoding: Spec): Spec => ({ ...encoding, axis: { tickCount: 3, labelFontSize: 9 } });

function diagonal({ bins: { lower, upper, weights } }: PairQuantity, bottom: string | null, left: string | null): View {
  const width = (upper - lower) / weights.length;
  return {
    data: data(
      Array.from(weights, (share, i) => ({
        from: short(lower + i * width),
        to: short(lower + (i + 1) * width),
        share: short(share),
      })),
    ),
    mark: { type: 'bar', binSpacing: 0, aria: false },
    encoding: {
      x: { ...small(numbers('from', bottom)), bin: { binned: true } },
      x2: { field: 'to' },
      y: { field: 'share', type: 'quantitative', title: left, axis: { labels: false, ticks: false } },
    },
  };
}

/** The density of the data over those of made-up data. */
export function predictiveView(
  observed: NamedCurve,
  predicted: readonly NamedCurve[],
  looks: { xLabel?: string; width?: number; height?: number },
): View {
  const named = predicted.map((curve, i) => ({ ...curve, group: String(i) }));
  const { data: rows, encoding } = densityView(named, looks) as { data: Spec; encoding: Spec };
  const own = densityView([observed], looks) as { data: Spec; encoding: Spec };
  const { color: _, ...axes } = encoding as { color: unknown };
  return {
    description: `Density of what was observed, over those of ${predicted.length} predicted data sets`,
    width: looks.width ?? 520,
    height: looks.height ?? 260,
    layer: [
      {
        data: rows,
        mark: { type: 'line', style: 'faint', opacity: 0.18, strokeWidth: 1 },
        encoding: { ...axes, detail: { field: 'group' } },
      },
      { data: own.data, mark: { type: 'line', style: 'observed', strokeWidth: 2.5 }, encoding: own.encoding },
    ],
  };
}
