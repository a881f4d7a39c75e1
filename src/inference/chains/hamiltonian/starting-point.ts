import { climb, type Station } from './ascent.ts';
import { addScaled } from './curvature.ts';
import type { LogDensity } from './density.ts';
import type { Chance } from './nuts.ts';

/** A place to start from, and the log of the posterior mass that it stands for. */
interface Candidate {
  readonly position: Float64Array;
  readonly logWeight: number;
}

/** Points of an ascent whose normal approximations are tried. */
const TRIED = 3;
const DRAWS = 6;

/**
 * Where to start a chain, given points to start the search from: Pathfinder (Zhang, Carpenter, Gelman & Vehtari 2022).
 * From each point an ascent leads to a summit, and the curvature on the way gives normal approximations, of which the
 * one with the best ELBO is kept. The draws from those of all ascents are weighed by density over approximation, and one is
 * taken by its weight. So chains start where there is mass, not in a summit of little mass that one of the points
 * happened to be near, nor in a narrow one whose density alone is high; and each starts from a place of its own.
 * Null if no ascent led anywhere.
 */
export function startingPoint(
  density: LogDensity,
  points: readonly Float64Array[],
  chance: Chance,
): Float64Array | null {
  const candidates = points.flatMap((point) => candidatesFrom(climb(density, point), density, chance));
  let best: Float64Array | null = null;
  let bestKey = -Infinity;
  for (const { position, logWeight } of candidates) {
    // The largest of log-weights with Gumbel noise belongs to each candidate with its probability.
    const key = logWeight - Math.log(-Math.log(chance.uniform()));
    if (!(key > bestKey)) continue;
    best = position;
    bestKey = key;
  }
  return best;
}

/** Draws from the best approximation along an ascent, those that are possible. */
function candidatesFrom(stations: readonly Station[], density: LogDensity, chance: Chance): Candidate[] {
  let best: Candidate[] = [];
  let bestElbo = -Infinity;
  for (const station of mostMassive(stations)) {
    const draws = drawsAround(station, density, chance);
    const elbo = draws.reduce((sum, { logWeight }) => sum + logWeight, 0) / draws.length;
    if (elbo > bestElbo || best.length === 0) best = draws;
    bestElbo = Math.max(elbo, bestElbo);
  }
  return best.filter(({ logWeight }) => Number.isFinite(logWeight));
}

/** The points at which a normal distribution of the height and curvature there has the most mass. */
function mostMassive(stations: readonly Station[]): Station[] {
  return stations
    .filter(({ curvature }) => !curvature.isUnknown)
    .map((station) => ({ station, mass: station.logDensity + station.curvature.normal.logVolume }))
    .sort((a, b) => b.mass - a.mass)
    .slice(0, TRIED)
    .map(({ station }) => station);
}

function drawsAround({ position, gradient, curvature }: Station, density: LogDensity, chance: Chance): Candidate[] {
  const toSummit = curvature.times(gradient);
  const { normal } = curvature;
  const unused = new Float64Array(position.length);
  return Array.from({ length: DRAWS }, () => {
    const offset = curvature.draw(() => chance.gaussian());
    const drawn = position.slice();
    addScaled(drawn, 1, toSummit);
    addScaled(drawn, 1, offset);
    return { position: drawn, logWeight: density.evaluate(drawn, unused) - normal.score(offset) };
  });
}
