/** The pieces that Vega-Lite specifications are put together from. Nothing here needs Vega, or a host. */

/** A Vega-Lite specification, as plain data. */
export type Spec = Readonly<Record<string, unknown>>;

/** A specification, or a part of one: a view with its data. */
export type View = Spec;

/** Names and ends of axes, and looks, as the options of a drawing give them. */
export interface Looks {
  readonly xLabel?: string;
  readonly yLabel?: string;
  readonly xBounds?: readonly [number, number];
  readonly yBounds?: readonly [number, number];
  readonly width?: number;
  readonly height?: number;
  readonly color?: string;
  readonly strokeWidth?: number;
}

/** Points beyond this many are thinned out evenly: no eye tells them apart, and files stay small. */
const MOST_POINTS = 2000;

/** Sizes of a drawing by itself, and of one among others. */
const WHOLE = { width: 520, height: 260 };
export const PART = { width: 300, height: 130 };

/** Six digits are more than a picture shows. */
export function short(x: number): number {
  return Number(x.toPrecision(6));
}

/** Evenly chosen places, `most` of them if there are more. */
export function places(length: number, most = MOST_POINTS): number[] {
  if (length <= most) return Array.from({ length }, (_, i) => i);
  return Array.from({ length: most }, (_, i) => Math.floor((i * length) / most));
}

export function data(values: readonly Spec[]): Spec {
  return { values };
}

/** An axis for numbers, whose ends need not include zero. */
export function numbers(field: string, title: string | null, bounds?: readonly [number, number]): Spec {
  const scale = bounds === undefined ? { zero: false } : { zero: false, domain: bounds, clamp: true };
  return { field, type: 'quantitative', title, scale };
}

/** An axis for names, in the order in which they come. */
export function names(field: string, title: string | null, labels: readonly string[] = []): Spec {
  // Short labels stand upright.
  const upright = labels.length > 0 && labels.every((label) => label.length <= Math.max(3, 60 / labels.length));
  return { field, type: 'nominal', title, sort: null, ...(upright ? { axis: { labelAngle: 0 } } : {}) };
}

/** Colours by group. */
export function groups(field: string, title: string | null): Spec {
  return { field, type: 'nominal', title, sort: null };
}

export function sized(looks: Looks, usual: { width: number; height: number } = WHOLE): Spec {
  return { width: looks.width ?? usual.width, height: looks.height ?? usual.height };
}

/** A mark with the looks that the options give. */
export function marked(type: string, looks: Looks, more: Spec = {}): Spec {
  return {
    type,
    ...more,
    ...(looks.color === undefined ? {} : { color: looks.color }),
    ...(looks.strokeWidth === undefined ? {} : { strokeWidth: looks.strokeWidth }),
  };
}

/** Screen readers read a few marks one by one; hundreds would only be in the way. */
export const aria = (count: number): Spec => (count > 300 ? { aria: false } : {});

/** Views under each other, each with its own scales. */
export function stacked(views: readonly View[]): View {
  if (views.length === 1) return views[0];
  return { vconcat: views, resolve: { scale: { color: 'independent' } } };
}

/** Views beside each other, in rows of `columns`. */
export function tiled(views: readonly View[], columns: number): View {
  if (views.length === 1) return views[0];
  return { concat: views, columns, resolve: { scale: { color: 'shared' } } };
}
