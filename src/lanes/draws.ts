/** Choices in lanes: every lane draws from its own stream what it would draw alone. */
import * as families from '../distributions/index.ts';
import type { Distribution } from '../runtime/handler.ts';
import type { RandomStream } from '../runtime/random.ts';
import { OneByOne } from '../runtime/signals.ts';
import { constant } from '../tensor/leaves.ts';
import { Node, type Value } from '../tensor/node.ts';
import { add, cumsum, eq, le, lt, min, mul, reshape, select, sliceAxis, sum } from '../tensor/ops.ts';
import { SCALAR, type Shape } from '../tensor/shape.ts';
import { Tensor } from '../tensor/tensor.ts';
import { currentLanes, type Lanes } from './lanes.ts';
import { changeable, recording } from './rerun.ts';
import { laneNoise, type NoiseKind } from './stream-forest.ts';
import type { LaneStreams } from './streams.ts';
import { liftedTableOf, tableItems, tableScore, weightsOf } from './tables.ts';
import { differs, laneAt, laneNode, laneValue, placesIn, type Varied, variedOf } from './value.ts';

type Make = (params: object) => Distribution<unknown>;

/** The value of a choice for all lanes. `streams` are at the choice. */
export function drawInLanes(distribution: Distribution<unknown>, lanes: Lanes, streams: LaneStreams): unknown {
  const table = liftedTableOf(distribution);
  if (table !== undefined) return tableItems(table.values, drawPlace(weightsOf(table), lanes, streams));
  const fast = FAST[distribution.name]?.(distribution.params as Record<string, unknown>, lanes, streams);
  if (fast !== undefined) return fast;
  const differing = differs(distribution.params);
  if (differing) recording.current?.obstruct(`a choice from ${distribution.name} is drawn for each datum by itself`);
  const values = Array.from({ length: lanes.size }, (_, lane) =>
    (differing ? inLane(distribution, lane, lanes) : distribution).draw(streams.lane(lane)),
  );
  const value = laneNode(values, lanes) ?? laneValue(values, lanes);
  return differing ? value : drawnAgain(distribution, value, streams.all);
}

/** Whether a node can be scored: not by tables, which compare values by structure. */
export function takesNodes(distribution: Distribution<unknown>): boolean {
  const { family } = distribution as { family?: { score?: unknown } };
  return family?.score !== undefined || distribution.isContinuous;
}

/** The value of a choice with plain parameters, as a leaf that a recording knows how to draw again. */
export function drawnAgain(
  distribution: Distribution<unknown>,
  drawn: unknown,
  streams: readonly RandomStream[],
): unknown {
  const rerun = recording.current;
  if (rerun === null) return drawn;
  if (!(drawn instanceof Node)) {
    rerun.obstruct(`a choice from ${distribution.name} is neither a number nor a tensor`);
    return drawn;
  }
  const value = changeable(drawn);
  const each = value.shape.reduce((size, n) => size * n, 1);
  rerun.noise(
    value,
    streams,
    (random, into, from) => {
      const next = distribution.draw(random);
      if (next instanceof Tensor) into.set(next.data, from);
      else into[from] = Number(next);
    },
    each,
  );
  return value;
}

/** The distribution as one lane sees it. */
function inLane(distribution: Distribution<unknown>, lane: number, lanes: Lanes): Distribution<unknown> {
  const make = (families as unknown as Record<string, Make>)[distribution.name];
  if (make === undefined) throw new OneByOne(`${distribution.name} differs between iterations`);
  return make(laneAt(distribution.params, lane, lanes) as object);
}

/** The score of a value, for all lanes if there are any. */
export function scoreOf(distribution: Distribution<unknown>, value: unknown): number {
  const lanes = currentLanes();
  const varied = lanes === null ? undefined : variedOf(value);
  if (varied !== undefined) return scoreOfVaried(distribution, varied, lanes!);
  if (value instanceof Node && !takesNodes(distribution)) return tableScore(distribution, value) as unknown as number;
  return distribution.score(value);
}

/** The score of each distinct value for all lanes, and for each lane that of its own. */
function scoreOfVaried(distribution: Distribution<unknown>, varied: Varied, lanes: Lanes): number {
  const places = constant(Float64Array.from(placesIn(varied, lanes)), SCALAR, lanes.space);
  let score: Value = -Infinity;
  varied.table.forEach((item, place) => {
    score = select(eq(places, place), distribution.score(item), score);
  });
  return score as unknown as number;
}

type Fast = (params: Record<string, unknown>, lanes: Lanes, streams: LaneStreams) => unknown;

/**
 * Families that are drawn often enough to deserve a rule of their own. Where their parameters are nodes, the value is
 * computed in the graph from uniform numbers, so that nothing need be evaluated for it.
 */
const FAST: Readonly<Record<string, Fast>> = {
  Bernoulli({ p }, lanes, streams) {
    return lt(uniforms(lanes, streams), p as Value);
  },

  Gaussian({ mu, sigma }, lanes, streams) {
    if (typeof mu !== 'number' || typeof sigma !== 'number') return undefined;
    return scaled(mu, sigma, noise(lanes, streams, 'gaussian'));
  },

  TensorGaussian({ mu, sigma, dims }, lanes, streams) {
    if (typeof mu !== 'number' || typeof sigma !== 'number' || !Array.isArray(dims)) return undefined;
    const each = dims.reduce((size: number, n: number) => size * n, 1);
    return scaled(mu, sigma, noise(lanes, streams, 'gaussian', dims, each));
  },

  MultivariateBernoulli({ ps }, lanes, streams) {
    if (!(ps instanceof Node)) return undefined;
    const n = ps.shape.reduce((size, length) => size * length, 1);
    const uniform = noise(lanes, streams, 'uniform', ps.shape, n);
    return select(lt(uniform, ps), 1, 0);
  },

  Discrete({ ps }, lanes, streams) {
    if (!(ps instanceof Node)) return undefined;
    const n = ps.shape.reduce((size, length) => size * length, 1);
    return drawPlace(reshape(ps, [n]) as Node, lanes, streams);
  },
};

/** The first index whose running sum exceeds u times the total: as many as there are that do not. */
function drawPlace(weights: Node, lanes: Lanes, streams: LaneStreams): Node {
  const [n] = weights.shape;
  const sums = cumsum(weights) as Node;
  const total = reshape(sliceAxis(sums, 0, n - 1, n), []) as Node;
  const target = mul(uniforms(lanes, streams), total);
  const below = sum(select(le(sums, target), 1, 0) as Node) as Node;
  // By rounding, the last sum may fall short of the target.
  return min(below, n - 1) as Node;
}

const uniforms = (lanes: Lanes, streams: LaneStreams): Node => noise(lanes, streams, 'uniform');

const scaled = (mu: number, sigma: number, noise: Node): Value =>
  mu === 0 && sigma === 1 ? noise : add(mu, mul(sigma, noise));

/** Random numbers for each lane: one, or as many as a shape has elements. */
function noise(lanes: Lanes, streams: LaneStreams, kind: NoiseKind, shape: Shape = SCALAR, each = 1): Node {
  const fixed = constant(laneNoise(kind, streams.all, each), shape, lanes.space);
  if (recording.current === null) return fixed;
  const node = changeable(fixed);
  recording.current.plainNoise(node, kind, streams.all, each);
  return node;
}
