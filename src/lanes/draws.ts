/** Choices in lanes: every lane draws from its own stream what it would draw alone. */
import type { FamilyDefinition } from '../distributions/family.ts';
import * as families from '../distributions/index.ts';
import { wholeNumbers } from '../distributions/value-kind.ts';
import type { Distribution } from '../runtime/handler.ts';
import type { RandomStream } from '../runtime/random.ts';
import { OneByOne } from '../runtime/signals.ts';
import { mapNode } from '../tensor/lane-gather.ts';
import type { LaneSpace } from '../tensor/lane-space.ts';
import { constant, leafOf } from '../tensor/leaves.ts';
import { Node, type Value } from '../tensor/node.ts';
import { add, cumsum, eq, le, lt, min, mul, reshape, select, sigmoid, sliceAxis, sum } from '../tensor/ops.ts';
import { laneNoiseAt } from '../tensor/partition.ts';
import { SCALAR, type Shape, sizeOf } from '../tensor/shape.ts';
import { Tensor } from '../tensor/tensor.ts';
import { laneNode } from './lane-numbers.ts';
import { closedLanes, currentLanes, type Lanes } from './lanes.ts';
import { keepPlace } from './list-places.ts';
import { drawInPlan } from './planned-draws.ts';
import { recording } from './recording.ts';
import { type Choices, changeable, type Rerun } from './rerun.ts';
import { laneNoise, type NoiseKind } from './stream-forest.ts';
import type { LaneStreams } from './streams.ts';
import { liftedTableOf, tableItems, tableScore, weightsOf } from './tables.ts';
import { differs, holdsNode, laneAt, laneValue } from './value.ts';
import { placesIn, type Varied, variedOf } from './varied.ts';

type Make = (params: object) => Distribution<unknown>;

/** The value of a choice for all lanes. `streams` are at the choice. */
export function drawInLanes(distribution: Distribution<unknown>, lanes: Lanes, streams: LaneStreams): unknown {
  const rerun = recording.current;
  const settled = rerun === null || !rerun.isOpen || streams.isSettled;
  const noise = settled ? noiseFrom(lanes.space, () => streams.all) : openNoise(lanes, streams, rerun);
  const computed = drawInGraph(distribution, noise);
  if (computed !== undefined) return computed;
  if (rerun !== null && (!settled || holdsNode(distribution.params))) {
    const planned = drawInPlan(distribution, rerun, () => choicesOf(lanes, streams, rerun));
    if (planned !== undefined) return placed(distribution, planned);
  }
  if (!settled) rerun.obstruct('family', `a choice from ${distribution.name} is made on a side of a conditional`);
  const differing = differs(distribution.params);
  if (differing)
    recording.current?.obstruct('family', `a choice from ${distribution.name} is drawn for each datum by itself`);
  const values = Array.from({ length: lanes.size }, (_, lane) =>
    (differing ? inLane(distribution, lane, lanes) : distribution).draw(streams.lane(lane)),
  );
  const value = laneNode(values, lanes.space) ?? laneValue(values, lanes);
  return differing ? value : drawnAgain(distribution, value, streams.all);
}

/** The value of a choice outside lanes. A recording keeps it as a leaf, to be drawn again, or computes it. */
export function drawAlone(distribution: Distribution<unknown>, stream: RandomStream): unknown {
  const rerun = recording.current;
  if (rerun === null || rerun.obstacle !== null || distribution.name === 'Delta') return distribution.draw(stream);
  const computed = drawInGraph(
    distribution,
    noiseFrom(null, () => [stream]),
  );
  if (computed !== undefined) return computed;
  const planned = holdsNode(distribution.params)
    ? drawInPlan(distribution, rerun, () => rerun.choiceOf(stream))
    : undefined;
  if (planned !== undefined) return placed(distribution, planned);
  const value = distribution.draw(stream);
  return drawnAgain(distribution, leafOf(value) ?? value, [stream]);
}

/** Whether a node can be scored: not by tables, which compare values by structure. Distributions made of another one have no list of values. */
function takesNodes(distribution: Distribution<unknown>): boolean {
  const { family } = distribution as { family?: { score?: unknown; make?: unknown } };
  return family?.score !== undefined || family?.make !== undefined || distribution.isContinuous;
}

/** The value of a choice, known to be one of so many places if it is: lists are indexed by these. */
function placed(distribution: Distribution<unknown>, value: Node): Node {
  const { family } = distribution as { family?: Partial<FamilyDefinition<object, unknown>> };
  const count = family?.values === wholeNumbers ? family.count?.(distribution.params) : undefined;
  return count !== undefined && Number.isInteger(count) ? keepPlace(value, count) : value;
}

/** The value of a choice with plain parameters, as a leaf that a recording knows how to draw again. */
function drawnAgain(distribution: Distribution<unknown>, drawn: unknown, streams: readonly RandomStream[]): unknown {
  const rerun = recording.current;
  if (rerun === null) return drawn;
  if (!(drawn instanceof Node)) {
    rerun.obstruct('family', `a choice from ${distribution.name} is neither a number nor a tensor`);
    return drawn;
  }
  const value = placed(distribution, changeable(drawn));
  const each = sizeOf(value.shape);
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
  if (make === undefined) throw new OneByOne('family', `${distribution.name} differs between iterations`);
  return make(laneAt(distribution.params, lane, lanes) as object);
}

/** The score of a value, for all lanes if there are any. */
export function scoreOf(distribution: Distribution<unknown>, value: unknown): number {
  const varied = variedOf(value);
  if (varied !== undefined) return scoreOfVaried(distribution, varied);
  if (value instanceof Node && !takesNodes(distribution)) return tableScore(distribution, value) as unknown as number;
  return distribution.score(value);
}

/** The score of each distinct value for all lanes, and for each lane that of its own. */
function scoreOfVaried(distribution: Distribution<unknown>, varied: Varied): number {
  const lanes = currentLanes();
  const places = varied.by ?? constant(Float64Array.from(placesIn(varied, lanes)), SCALAR, lanes!.space);
  let score: Value = -Infinity;
  varied.table.forEach((item, place) => {
    score = select(eq(places, place), distribution.score(item), score);
  });
  return score as unknown as number;
}

/** Random numbers for a choice, of a shape. */
type Noise = (kind: NoiseKind, shape?: Shape) => Node;
type Fast = (params: Record<string, unknown>, noise: Noise) => unknown;

/**
 * Families that are drawn often enough to deserve a rule of their own. Where their parameters are nodes, the value is
 * computed in the graph from uniform numbers, so that nothing need be evaluated for it.
 */
const FAST: Readonly<Record<string, Fast>> = {
  Bernoulli({ p }, noise) {
    return lt(noise('uniform'), p as Value);
  },

  BernoulliLogits({ logits }, noise) {
    return lt(noise('uniform'), sigmoid(logits as Value));
  },

  Gaussian({ mu, sigma }, noise) {
    if (typeof mu !== 'number' || typeof sigma !== 'number') return undefined;
    return scaled(mu, sigma, noise('gaussian'));
  },

  TensorGaussian({ mu, sigma, dims }, noise) {
    if (typeof mu !== 'number' || typeof sigma !== 'number' || !Array.isArray(dims)) return undefined;
    return scaled(mu, sigma, noise('gaussian', dims));
  },

  MultivariateBernoulli({ ps }, noise) {
    if (!(ps instanceof Node)) return undefined;
    return select(lt(noise('uniform', ps.shape), ps), 1, 0);
  },

  Discrete({ ps }, noise) {
    if (!(ps instanceof Node)) return undefined;
    return drawPlace(reshape(ps, [sizeOf(ps.shape)]) as Node, noise);
  },
};

/** The value of a choice computed in the graph, where that can be done. */
function drawInGraph(distribution: Distribution<unknown>, noise: Noise): unknown {
  const table = liftedTableOf(distribution);
  if (table !== undefined) return tableItems(table.values, drawPlace(weightsOf(table), noise));
  return FAST[distribution.name]?.(distribution.params as Record<string, unknown>, noise);
}

/** The first index whose running sum exceeds u times the total: as many as there are that do not. */
function drawPlace(weights: Node, noise: Noise): Node {
  const [n] = weights.shape;
  const sums = cumsum(weights) as Node;
  const total = reshape(sliceAxis(sums, 0, n - 1, n), []) as Node;
  const target = mul(noise('uniform'), total);
  const below = sum(select(le(sums, target), 1, 0) as Node) as Node;
  // By rounding, the last sum may fall short of the target.
  return keepPlace(min(below, n - 1) as Node, n);
}

const scaled = (mu: number, sigma: number, noise: Node): Value =>
  mu === 0 && sigma === 1 ? noise : add(mu, mul(sigma, noise));

/** Random numbers where it depends on the sides that lanes have taken which choice they are at. */
const openNoise =
  (lanes: Lanes, streams: LaneStreams, rerun: Rerun): Noise =>
  (kind, shape = SCALAR) =>
    laneNoiseAt(kind, shape, ...choicesOf(lanes, streams, rerun));

/** The choice that each lane is at, whose stream it draws from, and the keys of these streams. */
function choicesOf(lanes: Lanes, streams: LaneStreams, rerun: Rerun): Choices {
  const { space } = lanes;
  if (!rerun.isOpen || streams.isSettled) {
    // (The streams may be those of an iteration, which has the lanes of others.)
    const { all } = streams;
    const at = Float64Array.from(all, ({ position }) => position);
    return [constant(at, SCALAR, space), ownPlaces(all.length, space), ...rerun.keysOf(all, space)];
  }
  const closed = closedLanes(lanes);
  const map = space === closed.space ? ownPlaces(closed.size, space) : mapNode(space, closed.space);
  return [streams.choiceIn(space), map, ...rerun.keysOf(streams.whole.all, closed.space)];
}

/** 0, 1, … in the lanes of a space. */
const ownPlaces = (size: number, space: LaneSpace): Node =>
  constant(
    Int32Array.from({ length: size }, (_, lane) => lane),
    SCALAR,
    space,
  );

/** Random numbers from streams, one for each lane of the space, or one without: as many as a shape has elements. */
function noiseFrom(space: LaneSpace | null, streams: () => readonly RandomStream[]): Noise {
  return (kind, shape = SCALAR) => {
    const all = streams();
    const each = sizeOf(shape);
    const fixed = constant(laneNoise(kind, all, each), shape, space);
    if (recording.current === null) return fixed;
    const node = changeable(fixed);
    recording.current.plainNoise(node, kind, all, each);
    return node;
  };
}
