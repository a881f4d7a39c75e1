import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import type { Distribution, Interval } from '../runtime/handler.ts';
import { isDistribution } from '../runtime/primitives.ts';
import { type Numeric, numbersFor, quantiles } from './statistics.ts';
import { weightedValues } from './weighted.ts';
import { ascending } from './weighted-numbers.ts';

/** Equal-tailed intervals leave out the same probability on both sides; those of highest density are as narrow as possible. */
export type IntervalKind = 'equal-tailed' | 'highest-density';

/**
 * An interval that holds the given mass of a distribution (or of a list of samples).
 *
 *     const posterior = Infer({method: 'forward', samples: 1000, model: () => exponential(1)});
 *     [credibleInterval(posterior, 0.9), credibleInterval(posterior, 0.9, 'highest-density')]
 */
export function credibleInterval(numeric: Numeric, mass = 0.95, kind: IntervalKind = 'equal-tailed'): Interval {
  if (typeof mass !== 'number' || !(mass > 0 && mass < 1)) {
    throw new WaymarkError(`credibleInterval needs a mass between 0 and 1, such as 0.95; got ${describe(mass)}.`);
  }
  if (kind === 'highest-density') return highestDensity(numeric, mass);
  if (kind !== 'equal-tailed') {
    throw new WaymarkError(
      `credibleInterval is 'equal-tailed' or 'highest-density' as its third argument says; got ${describe(kind)}.`,
    );
  }
  const at = quantiles('credibleInterval', numeric);
  return { lower: at((1 - mass) / 2), upper: at((1 + mass) / 2) };
}

function highestDensity(numeric: Numeric, mass: number): Interval {
  const listed = !isDistribution(numeric) || weightedValues(numeric as Distribution<unknown>) !== undefined;
  if (!listed && 'quantile' in (numeric as object)) return narrowest(quantiles('credibleInterval', numeric), mass);
  const { values, weights } = ascending(numbersFor('credibleInterval', numeric));
  let best: Interval = { lower: values[0], upper: values[values.length - 1] };
  let inside = 0;
  let to = 0;
  for (let from = 0; from < values.length; from++) {
    while (to < values.length && inside < mass - 1e-12) inside += weights[to++];
    if (inside < mass - 1e-12) break;
    if (values[to - 1] - values[from] < best.upper - best.lower) best = { lower: values[from], upper: values[to - 1] };
    inside -= weights[from];
  }
  return best;
}

/** Steps of the search for the best place, then of its refinement by golden section. */
const COARSE = 64;
const FINE = 60;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** For a distribution with known quantiles: the place of the window [q(p), q(p + mass)] at which it is narrowest. */
function narrowest(at: (p: number) => number, mass: number): Interval {
  const room = 1 - mass;
  const width = (p: number): number => at(Math.min(1, p + mass)) - at(p);
  let best = 0;
  for (let i = 1; i <= COARSE; i++) if (width((room * i) / COARSE) < width((room * best) / COARSE)) best = i;
  let low = (room * Math.max(0, best - 1)) / COARSE;
  let high = (room * Math.min(COARSE, best + 1)) / COARSE;
  for (let i = 0; i < FINE; i++) {
    const a = high - GOLDEN * (high - low);
    const b = low + GOLDEN * (high - low);
    if (width(a) < width(b)) high = b;
    else low = a;
  }
  // An end of the support may be the best place, and is never reached by halving.
  const middle = (low + high) / 2;
  const p = [0, room].reduce((found, end) => (width(end) <= width(found) ? end : found), middle);
  return { lower: at(p), upper: at(Math.min(1, p + mass)) };
}
