/** Choices in lanes: every lane draws from its own stream what it would draw alone. */
import { drawIndex, totalOf } from '../distributions/draws/weights.ts';
import * as families from '../distributions/index.ts';
import type { Distribution } from '../runtime/handler.ts';
import { OneByOne } from '../runtime/signals.ts';
import { constant } from '../tensor/leaves.ts';
import { Node, type Value } from '../tensor/node.ts';
import { eq, select } from '../tensor/ops.ts';
import { SCALAR } from '../tensor/shape.ts';
import { type Lanes, laneNumbers } from './lanes.ts';
import type { LaneStreams } from './streams.ts';
import { differs, laneAt, laneValue, placesIn, variedOf } from './value.ts';

type Make = (params: object) => Distribution<unknown>;

/** The value of a choice for all lanes. `streams` are at the choice. */
export function drawInLanes(distribution: Distribution<unknown>, lanes: Lanes, streams: LaneStreams): unknown {
  const fast = FAST[distribution.name]?.(distribution.params as Record<string, unknown>, lanes, streams);
  if (fast !== undefined) return fast;
  const differing = differs(distribution.params);
  const values = Array.from({ length: lanes.size }, (_, lane) =>
    (differing ? inLane(distribution, lane, lanes) : distribution).draw(streams.lane(lane)),
  );
  return laneValue(values, lanes);
}

/** The distribution as one lane sees it. */
function inLane(distribution: Distribution<unknown>, lane: number, lanes: Lanes): Distribution<unknown> {
  const make = (families as unknown as Record<string, Make>)[distribution.name];
  if (make === undefined) throw new OneByOne(`${distribution.name} differs between iterations`);
  return make(laneAt(distribution.params, lane, lanes) as object);
}

/** The score of a value for all lanes: of each distinct value for all of them, and for each lane that of its own. */
export function scoreInLanes(distribution: Distribution<unknown>, value: unknown, lanes: Lanes): number {
  const varied = variedOf(value);
  if (varied === undefined) return distribution.score(value);
  const places = constant(Float64Array.from(placesIn(varied, lanes)), SCALAR, lanes.space);
  let score: Value = -Infinity;
  varied.table.forEach((item, place) => {
    score = select(eq(places, place), distribution.score(item), score);
  });
  return score as unknown as number;
}

type Fast = (params: Record<string, unknown>, lanes: Lanes, streams: LaneStreams) => unknown;

/** Families that are drawn often enough to deserve a loop of their own. */
const FAST: Readonly<Record<string, Fast>> = {
  Bernoulli({ p }, lanes, streams) {
    const ps = p instanceof Node ? laneNumbers(p, lanes) : undefined;
    const data = new Float32Array(lanes.size);
    for (let i = 0; i < data.length; i++) {
      data[i] = streams.lane(i).uniform() < (ps === undefined ? (p as number) : ps[i]) ? 1 : 0;
    }
    return constant(data, SCALAR, lanes.space, 'bool');
  },

  Gaussian({ mu, sigma }, lanes, streams) {
    if (typeof mu !== 'number' || typeof sigma !== 'number') return undefined;
    const data = new Float64Array(lanes.size);
    for (let i = 0; i < data.length; i++) data[i] = mu + sigma * streams.lane(i).gaussian();
    return constant(data, SCALAR, lanes.space);
  },

  Discrete({ ps }, lanes, streams) {
    if (!(ps instanceof Node)) return undefined;
    const rows = ps.elements();
    const n = ps.shape.reduce((size, length) => size * length, 1);
    const map = ps.space === null ? null : lanes.mapTo(ps.space);
    const data = new Float64Array(lanes.size);
    for (let i = 0; i < data.length; i++) {
      const at = ps.space === null ? 0 : (map === null ? i : map[i]) * n;
      const row = rows.subarray(at, at + n);
      data[i] = drawIndex(row, totalOf(row), streams.lane(i));
    }
    return constant(data, SCALAR, lanes.space);
  },
};
