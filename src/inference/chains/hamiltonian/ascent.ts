import { addScaled, Curvature, difference, dot } from './curvature.ts';
import type { LogDensity } from './density.ts';

/** A point that an ascent came by. */
export interface Station {
  readonly position: Float64Array;
  readonly gradient: Float64Array;
  readonly logDensity: number;
  /** What was known of the curvature here. */
  readonly curvature: Curvature;
}

/** Points visited at most. */
const MOST_STATIONS = 60;
/**
 * The ascent ends after this many steps that gain less, one after the other: where the summit is exactly does not matter,
 * but a step or two may gain little because the scale of a coordinate is not known yet.
 */
const LEAST_GAIN = 0.01;
const MOST_POOR_STEPS = 5;
/** Nor does it go on where this is all that there is to gain as far as the curvature is known. */
const LEAST_PROMISE = 1e-6;
const MOST_TRIALS = 20;
/** Of the gain that the slope promises, what a step must keep (Armijo), and what of the slope may be left (Wolfe). */
const KEPT_GAIN = 1e-4;
const LEFT_SLOPE = 0.9;

/** Climbs towards a summit of the log-density by L-BFGS. Returns the points on the way; none if the first is impossible. */
export function climb(density: LogDensity, from: Float64Array): Station[] {
  const stations: Station[] = [];
  let at = stationAt(density, from, Curvature.unknown(from.length));
  let poorSteps = 0;
  while (Number.isFinite(at.logDensity)) {
    stations.push(at);
    if (stations.length === MOST_STATIONS || poorSteps === MOST_POOR_STEPS) break;
    const next = stepFrom(density, at);
    if (next === null) break;
    poorSteps = next.logDensity - at.logDensity < LEAST_GAIN ? poorSteps + 1 : 0;
    at = next;
  }
  return stations;
}

/** Null if no step leads upwards, or not noticeably. */
function stepFrom(density: LogDensity, at: Station): Station | null {
  const { position, gradient, logDensity, curvature } = at;
  const direction = curvature.times(gradient);
  const slope = dot(direction, gradient);
  if (!(slope > 2 * LEAST_PROMISE && slope < Infinity)) return null;
  // Before anything is known of the scale, a step of length 1.
  let step = curvature.isUnknown ? Math.min(1, 1 / Math.sqrt(slope)) : 1;
  let low = 0;
  let high = Infinity;
  let best: Station | null = null;
  for (let trial = 0; trial < MOST_TRIALS; trial++) {
    const place = position.slice();
    addScaled(place, step, direction);
    const reached = stationAt(density, place, curvature);
    if (!(reached.logDensity >= logDensity + KEPT_GAIN * step * slope)) high = step;
    else {
      best = reached;
      if (dot(direction, reached.gradient) <= LEFT_SLOPE * slope) break;
      low = step;
    }
    step = high < Infinity ? (low + high) / 2 : 2 * low;
  }
  if (best === null) return null;
  const s = difference(best.position, position);
  const z = difference(gradient, best.gradient);
  return { ...best, curvature: curvature.after(s, z) };
}

function stationAt(density: LogDensity, position: Float64Array, curvature: Curvature): Station {
  const gradient = new Float64Array(position.length);
  const logDensity = density.evaluate(position, gradient);
  const usable = logDensity < Infinity && gradient.every(Number.isFinite);
  return { position, gradient, logDensity: usable ? logDensity : -Infinity, curvature };
}
