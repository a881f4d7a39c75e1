/** Specifications of drawings of one component. */
import { data, groups, type Looks, marked, names, numbers, short, sized, type View } from './view.ts';

/** A label with a number. */
interface Bar {
  readonly label: string;
  readonly height: number;
  /** Bars of one label stand beside each other, in the colours of their groups. */
  readonly group?: string;
}

/** Room for one bar of a lying chart. */
const BAR = 22;

/** Bars that stand, or lie where labels are to be read. */
export function barView(bars: readonly Bar[], looks: Looks, { horizontal = false, heightLabel = '' } = {}): View {
  const grouped = bars.some(({ group }) => group !== undefined);
  const finite = bars.filter(({ height }) => Number.isFinite(height));
  const rows = finite.map(({ label, height, group }) => ({
    label,
    height: short(height),
    ...(group === undefined ? {} : { group }),
  }));
  const [labels, heights] = horizontal ? ['y', 'x'] : ['x', 'y'];
  const [labelTitle, heightTitle] = [looks.xLabel ?? null, looks.yLabel ?? (heightLabel || null)];
  const distinct = new Set(bars.map(({ label }) => label)).size;
  const size = horizontal
    ? { width: looks.width ?? 420, height: looks.height ?? { step: grouped ? 14 : BAR } }
    : { width: looks.width ?? (distinct > 20 ? 520 : { step: grouped ? 18 : 36 }), height: looks.height ?? 240 };
  return {
    description: `Bars of ${distinct} values: ${rows
      .slice(0, 5)
      .map(({ label, height }) => `${label} ${height}`)
      .join(', ')}${rows.length > 5 ? ', …' : ''}`,
    data: data(rows),
    ...size,
    mark: marked('bar', looks),
    encoding: {
      [labels]: names('label', labelTitle, horizontal ? [] : [...new Set(bars.map(({ label }) => label))]),
      [heights]: { field: 'height', type: 'quantitative', title: heightTitle },
      ...(grouped ? { [horizontal ? 'yOffset' : 'xOffset']: { field: 'group', sort: null } } : {}),
      ...(grouped ? { color: groups('group', null) } : {}),
    },
  };
}

/** Weights of bins of equal width. */
export function histogramView(
  { lower, upper, weights }: { lower: number; upper: number; weights: ArrayLike<number> },
  looks: Looks,
  size?: { width: number; height: number },
): View {
  const width = (upper - lower) / weights.length;
  const rows = Array.from(weights, (weight, i) => ({
    from: short(lower + i * width),
    to: short(lower + (i + 1) * width),
    share: short(weight),
  }));
  return {
    description: `Histogram from ${short(lower)} to ${short(upper)}, in ${weights.length} bins`,
    data: data(rows),
    ...sized(looks, size),
    mark: marked('bar', looks, { binSpacing: 1 }),
    encoding: {
      x: { ...numbers('from', looks.xLabel ?? null, looks.xBounds), bin: { binned: true } },
      x2: { field: 'to' },
      y: { field: 'share', type: 'quantitative', title: looks.yLabel ?? 'share' },
    },
  };
}

/** A curve at evenly spaced places, and the group it belongs to. */
export interface NamedCurve {
  readonly lower: number;
  readonly upper: number;
  readonly heights: ArrayLike<number>;
  readonly group?: string;
}

/** Filled curves; several overlap, in colours. */
export function densityView(
  curves: readonly NamedCurve[],
  looks: Looks,
  size?: { width: number; height: number },
): View {
  const grouped = curves.some(({ group }) => group !== undefined);
  const rows = curves.flatMap(({ lower, upper, heights, group }) =>
    Array.from(heights, (height, i) => ({
      x: short(lower + ((i + 0.5) / heights.length) * (upper - lower)),
      density: short(height),
      ...(group === undefined ? {} : { group }),
    })),
  );
  const [from, to] = [Math.min(...curves.map(({ lower }) => lower)), Math.max(...curves.map(({ upper }) => upper))];
  return {
    description: `Density from ${short(from)} to ${short(to)}${
      grouped ? `, for ${curves.map(({ group }) => group).join(', ')}` : ''
    }`,
    data: data(rows),
    ...sized(looks, size),
    mark: marked('area', looks, { fillOpacity: grouped ? 0.25 : 0.35, line: true }),
    encoding: {
      x: numbers('x', looks.xLabel ?? null, looks.xBounds),
      y: { field: 'density', type: 'quantitative', title: looks.yLabel ?? 'density', stack: null },
      ...(grouped ? { color: groups('group', null) } : {}),
    },
  };
}
