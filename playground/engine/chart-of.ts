/** The chart of a value, as a Vega-Lite specification, if it is one or has one. */
export function chartOf(value: unknown): object | undefined {
  const chart = value as { kind?: unknown; spec?: unknown } | null | undefined;
  if (typeof chart !== 'object' || chart === null || chart.kind !== 'chart') return undefined;
  return typeof chart.spec === 'object' && chart.spec !== null ? chart.spec : undefined;
}
