/** Charts of what a program says, as Vega-Lite specifications. */

import { automaticDrawing } from '../../src/library/viz/automatic.ts';
import { chartOf, isChart } from '../../src/library/viz/chart.ts';
import { drawn } from '../../src/library/viz/data.ts';
import { familyDrawing } from '../../src/library/viz/drawings.ts';
import { isDistribution } from '../../src/runtime/primitives.ts';

/** That of an output that is a chart. */
export const chartOfOutput = (value: unknown): object | undefined => (isChart(value) ? value.spec : undefined);

/** That of a program's value: a distribution is drawn as `viz` would. */
export function chartOfValue(value: unknown): object | undefined {
  if (!isDistribution(value)) return chartOfOutput(value);
  try {
    const drawing = familyDrawing(value, {}) ?? automaticDrawing(drawn('viz', value), {});
    return chartOf(drawing, { text: [] }).spec;
  } catch {
    // Values that nobody can draw have their text.
    return undefined;
  }
}
