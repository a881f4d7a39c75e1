/** The network in use as a graph, compiled to a plan for executions of one form. */
import { input } from '../tensor/leaves.ts';
import type { Node } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import { compilePlan, type Plan } from '../tensor/plan/compile.ts';
import { part, tableRows } from './graph-inputs.ts';
import { mixtureOf } from './head-logs.ts';
import { layerNames, type NetworkSizes, outputsOf, POINT } from './sizes.ts';

/** The form of the executions that a plan is compiled for. */
export interface Form {
  readonly head: string;
  readonly kind: 'outputs' | 'draw';
  /** So many executions. */
  readonly room: number;
  /** How many places of data are searched; 0 if none. */
  readonly places: number;
  /** Whether all executions have the same datum. */
  readonly isOne: boolean;
  /** Whether they tell of earlier choices of their iterations. */
  readonly isPointed: boolean;
  /** How many data there is room for, if each has its own and something is looked for. */
  readonly data: number;
}

export function planOf(
  { head, kind, room, places, isOne, isPointed, data }: Form,
  sizes: NetworkSizes,
  featureWidth: number,
): Plan {
  const { hidden, components } = sizes;
  const inputs: Node[] = [];
  const given = (...shape: number[]): Node => {
    const node = input(shape, 'f32');
    inputs.push(node);
    return node;
  };
  const features = given(room, isPointed ? featureWidth + POINT : featureWidth);
  const offsets = isOne ? given(hidden) : given(room, hidden);
  const first = given(featureWidth, hidden);
  const layers = layerNames(sizes).map(() => [given(hidden, hidden), given(hidden)]);
  const points = isPointed ? { peer: given(POINT, hidden), query: given(hidden, POINT) } : null;
  const last = given(hidden, outputsOf(head, sizes));
  const noise = kind === 'draw' ? Array.from({ length: 3 }, () => input([room, 1], 'f64')) : [];
  inputs.push(...noise);
  const layer = ops.matmul(features, points === null ? first : (ops.concat([first, points.peer], 0) as Node)) as Node;
  let h1 = ops.relu(ops.add(layer, offsets) as Node) as Node;
  if (places > 0) {
    const found = isOne
      ? foundInOne(h1, given, places, sizes)
      : foundInEach(h1, given, room, places, data, sizes, inputs);
    h1 = ops.add(h1, found) as Node;
  }
  const h2 = layers.reduce(
    (h, [layer, bias]) => ops.add(ops.relu(ops.add(ops.matmul(h, layer), bias) as Node), h) as Node,
    h1,
  );
  const output = ops.matmul(h2, last) as Node;
  if (kind === 'outputs') {
    return compilePlan(points === null ? [output] : [output, ops.matmul(h2, points.query) as Node], inputs);
  }
  return compilePlan(drawn(ops.inDoublePrecision(output) as Node, components, noise), inputs);
}

type Given = (...shape: number[]) => Node;

/** What executions find in a datum that all of them have. */
function foundInOne(h1: Node, given: Given, places: number, { hidden, heads, width }: NetworkSizes): Node {
  const wide = heads * width;
  const [attends, keys, values] = [given(h1.shape[0], 1), given(places, wide), given(places, wide)];
  const [placeScores, query, attended] = [given(heads, places), given(hidden, wide), given(wide, hidden)];
  const queries = ops.matmul(h1, query) as Node;
  const found = Array.from({ length: heads }, (_, h) => {
    const scores = ops.add(
      ops.matmul(part(queries, h, width), part(keys, h, width), false, true),
      ops.sliceAxis(placeScores, 0, h, h + 1) as Node,
    ) as Node;
    const { shares, total } = sharesOf(scores);
    return ops.div(ops.matmul(shares, part(values, h, width)), total) as Node;
  });
  return ops.matmul(ops.mul(ops.concat(found, 1) as Node, attends) as Node, attended) as Node;
}

/** The same where each execution has a datum of its own. */
function foundInEach(
  h1: Node,
  given: Given,
  room: number,
  places: number,
  data: number,
  { hidden, heads, width }: NetworkSizes,
  inputs: Node[],
): Node {
  const wide = heads * width;
  const [attends, keys, values] = [given(room, 1), given(data, places * wide), given(data, places * wide)];
  const [placeScores, query, attended] = [given(data, heads * places), given(hidden, wide), given(wide, hidden)];
  const datum = input([room], 'i32');
  inputs.push(datum);
  const queries = ops.matmul(h1, query) as Node;
  const own = (table: Node): Node => ops.reshape(tableRows(table, datum), [room, places, wide]) as Node;
  const [ownKeys, ownValues, ownScores] = [own(keys), own(values), tableRows(placeScores, datum)];
  const found = Array.from({ length: heads }, (_, h) => {
    const ofHead = (table: Node): Node => ops.sliceAxis(table, 2, h * width, (h + 1) * width) as Node;
    const asked = ops.reshape(part(queries, h, width), [room, 1, width]) as Node;
    const scores = ops.add(
      ops.sum(ops.mul(ofHead(ownKeys), asked) as Node, 2) as Node,
      part(ownScores, h, places),
    ) as Node;
    const { shares, total } = sharesOf(scores);
    const weighted = ops.mul(ofHead(ownValues), ops.reshape(shares, [room, places, 1]) as Node) as Node;
    return ops.div(ops.sum(weighted, 1) as Node, total) as Node;
  });
  return ops.matmul(ops.mul(ops.concat(found, 1) as Node, attends) as Node, attended) as Node;
}

/** Shares of what is found, of which one may be nothing, and what they add up to. */
function sharesOf(scores: Node): { shares: Node; total: Node } {
  const top = ops.max(ops.maxOf(scores, 1, true) as Node, 0) as Node;
  const shares = ops.exp(ops.sub(scores, top) as Node) as Node;
  return { shares, total: ops.add(ops.sum(shares, 1, true) as Node, ops.exp(ops.neg(top) as Node) as Node) as Node };
}

/** Coordinates drawn from a mixture, and the log of its density over that of a standard normal number. */
function drawn(output: Node, components: number, [uniform, normal, isGiven]: readonly Node[]): Node[] {
  const { mean, spread, shares } = mixtureOf(output, components, 'f64');
  const share = ops.exp(shares) as Node;
  // The component that a uniform number picks: the first at which the shares so far add up to more.
  let before: Node = ops.mul(uniform, 0) as Node;
  let u: Node = before;
  const at = (matrix: Node, k: number): Node => part(matrix, k, 1);
  const deviation = ops.exp(spread) as Node;
  for (let k = 0; k < components; k++) {
    const own = ops.add(at(mean, k), ops.mul(at(deviation, k), normal) as Node) as Node;
    const upTo = k === components - 1 ? null : (ops.add(before, at(share, k)) as Node);
    const starts = ops.ge(uniform, before) as Node;
    u = (k === 0 ? own : ops.select(starts, own, u)) as Node;
    if (upTo !== null) before = upTo;
  }
  u = ops.select(ops.gt(isGiven, 0.5) as Node, normal, u) as Node;
  const z = ops.div(ops.sub(u, mean), deviation) as Node;
  const logs = ops.add(
    ops.sub(shares, spread),
    ops.mul(0.5, ops.sub(ops.square(u) as Node, ops.square(z) as Node) as Node),
  ) as Node;
  return [u, ops.logsumexp(logs, 1) as Node];
}
