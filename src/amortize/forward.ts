/** The network in use: what its heads say to executions that have told it what they chose. */
import { input } from '../tensor/leaves.ts';
import type { Node } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import { compilePlan, type Plan, type RunOutput } from '../tensor/plan/compile.ts';
import { part } from './graph-inputs.ts';
import { mixtureOf } from './head-logs.ts';
import { onOneThread } from './one-thread.ts';
import type { Parameters } from './parameters.ts';
import { addProduct } from './plain-products.ts';
import type { Reading } from './reading.ts';
import type { Key } from './sites.ts';
import { type NetworkSizes, outputsOf, POINT, PRIOR_FEATURES } from './sizes.ts';

/** Fewer executions are computed by loops; for more there are plans, for some numbers of them: see `roomFor`. */
const FEW = 12;

/** Executions at a choice. */
export interface Asking {
  readonly reading: Reading;
  readonly key: Key;
  readonly count: number;
  /** What each tells the first layer, a row each. */
  readonly told: Float32Array;
  /** Whether each looks for data: 1 or 0. */
  readonly attends: Float32Array;
}

/** What a head says to each, and what its lists look for among earlier choices. */
export interface Said {
  readonly outputs: ArrayLike<number>;
  readonly queries: ArrayLike<number>;
}

/** What a mixture is drawn by: a uniform number, a normal one, and 1 for those whose coordinate is the normal number itself. */
export interface Noise {
  readonly uniforms: ArrayLike<number>;
  readonly normals: ArrayLike<number>;
  readonly given: ArrayLike<number>;
}

/** Coordinates that were drawn, and the log of the guide over the prior. */
export interface Drawn {
  readonly u: ArrayLike<number>;
  readonly ratios: ArrayLike<number>;
}

const SHARED = ['told', 'peer', 'second', 'second bias', 'point query'] as const;
const ATTENTION = ['attention query', 'attended'] as const;

export class Network {
  private readonly plans = new Map<string, Plan>();
  /** The parameters as plans take them. */
  private readonly singles = new Map<string, Float32Array>();

  constructor(
    readonly parameters: Parameters,
    readonly sizes: NetworkSizes,
  ) {}

  /** The parameters have moved. */
  refresh(): this {
    this.singles.clear();
    return this;
  }

  get attends(): boolean {
    return this.sizes.heads > 0 && this.sizes.attending > 0;
  }

  /** Numbers that each execution tells the first layer. */
  get told(): number {
    return 3 * this.sizes.token + PRIOR_FEATURES + POINT;
  }

  /** What a head says to each. */
  say(head: string, asking: Asking): Said {
    if (asking.count < FEW) return this.sayToFew(head, asking);
    const [outputs, queries] = this.run(head, 'say', asking, []);
    return { outputs: outputs as ArrayLike<number>, queries: queries as ArrayLike<number> };
  }

  /** Draws real coordinates for many; null for few, who take what the head says. */
  draw(asking: Asking, noise: Noise): Drawn | null {
    if (asking.count < FEW) return null;
    const room = roomFor(asking.count);
    const given = [noise.uniforms, noise.normals, noise.given].map((numbers) => {
      const padded = new Float64Array(room);
      padded.set(numbers as Float64Array);
      return padded;
    });
    const [u, ratios] = this.run('real', 'draw', asking, given);
    return { u: u as ArrayLike<number>, ratios: ratios as ArrayLike<number> };
  }

  private sayToFew(head: string, { reading, key, count, told, attends }: Asking): Said {
    const { parameters, sizes } = this;
    const { hidden } = sizes;
    const width = outputsOf(head, sizes);
    const outputs = new Float64Array(count * width);
    const queries = new Float64Array(count * POINT);
    const own = this.told - POINT;
    for (let lane = 0; lane < count; lane++) {
      const h1 = Float64Array.from(reading.offsets(key));
      addProduct(told, lane * this.told, parameters.get('told'), own, hidden, h1);
      addProduct(told, lane * this.told + own, parameters.get('peer'), POINT, hidden, h1);
      for (let i = 0; i < hidden; i++) h1[i] = Math.max(0, h1[i]);
      if (reading.findable !== null && attends[lane] === 1) this.attend(h1, reading, key);
      const h2 = Float64Array.from(parameters.get('second bias'));
      addProduct(h1, 0, parameters.get('second'), hidden, hidden, h2);
      for (let i = 0; i < hidden; i++) h2[i] = Math.max(0, h2[i]) + h1[i];
      addProduct(h2, 0, parameters.get(`head ${head}`), hidden, width, outputs.subarray(lane * width));
      addProduct(h2, 0, parameters.get('point query'), hidden, POINT, queries.subarray(lane * POINT));
    }
    return { outputs, queries };
  }

  /** Adds what an execution finds in the data to its hidden layer. */
  private attend(h1: Float64Array, reading: Reading, key: Key): void {
    const { parameters, sizes } = this;
    const { heads, width, hidden } = sizes;
    const { places, keys, values } = reading.findable!;
    const liking = reading.liking(key);
    const wide = heads * width;
    const query = new Float64Array(wide);
    addProduct(h1, 0, parameters.get('attention query'), hidden, wide, query);
    const found = new Float64Array(wide);
    const scores = new Float64Array(places);
    for (let h = 0; h < heads; h++) {
      let top = 0;
      for (let p = 0; p < places; p++) {
        let score = liking[h * places + p];
        for (let i = h * width; i < (h + 1) * width; i++) score += query[i] * keys[p * wide + i];
        scores[p] = score;
        top = Math.max(top, score);
      }
      let total = Math.exp(-top);
      for (let p = 0; p < places; p++) {
        const share = Math.exp(scores[p] - top);
        total += share;
        for (let i = h * width; i < (h + 1) * width; i++) found[i] += share * values[p * wide + i];
      }
      for (let i = h * width; i < (h + 1) * width; i++) found[i] /= total;
    }
    addProduct(found, 0, parameters.get('attended'), wide, hidden, h1);
  }

  private single(name: string): Float32Array {
    let found = this.singles.get(name);
    if (found === undefined) {
      found = Float32Array.from(this.parameters.get(name));
      this.singles.set(name, found);
    }
    return found;
  }

  private run(head: string, kind: 'say' | 'draw', asking: Asking, more: readonly Float64Array[]): RunOutput[] {
    const { reading, key, count, told, attends } = asking;
    const room = roomFor(count);
    const padded = (numbers: Float32Array, width: number): Float32Array => {
      if (count === room) return numbers;
      const all = new Float32Array(room * width);
      all.set(numbers);
      return all;
    };
    const { findable } = reading;
    const given: (Float32Array | Float64Array)[] = [
      padded(told, this.told),
      reading.offsets(key),
      ...SHARED.map((name) => this.single(name)),
      this.single(`head ${head}`),
      ...more,
    ];
    if (findable !== null) {
      given.push(padded(attends, 1), findable.keys, findable.values, reading.liking(key));
      given.push(...ATTENTION.map((name) => this.single(name)));
    }
    return onOneThread(() => this.planFor(head, kind, room, findable?.places ?? 0).run(given));
  }

  private planFor(head: string, kind: 'say' | 'draw', room: number, places: number): Plan {
    const text = `${head} ${kind} ${room} ${places}`;
    let plan = this.plans.get(text);
    if (plan === undefined) {
      plan = planOf(head, kind, room, places, this.sizes, this.told);
      this.plans.set(text, plan);
    }
    return plan;
  }
}

/** In steps of an eighth of the next power of two, so that little is computed for nobody and there are few plans. */
function roomFor(count: number): number {
  const step = Math.max(4, 2 ** (Math.ceil(Math.log2(count)) - 3));
  return step * Math.ceil(count / step);
}

function planOf(
  head: string,
  kind: 'say' | 'draw',
  room: number,
  places: number,
  sizes: NetworkSizes,
  toldWidth: number,
): Plan {
  const { hidden, heads, width, components } = sizes;
  const inputs: Node[] = [];
  const given = (...shape: number[]): Node => {
    const node = input(shape, 'f32');
    inputs.push(node);
    return node;
  };
  const [told, offsets] = [given(room, toldWidth), given(hidden)];
  const [first, peer, second, bias] = [
    given(toldWidth - POINT, hidden),
    given(POINT, hidden),
    given(hidden, hidden),
    given(hidden),
  ];
  const [pointing, last] = [given(hidden, POINT), given(hidden, outputsOf(head, sizes))];
  const noise = kind === 'draw' ? Array.from({ length: 3 }, () => input([room, 1], 'f64')) : [];
  inputs.push(...noise);
  const layer = ops.matmul(told, ops.concat([first, peer], 0) as Node) as Node;
  let h1 = ops.relu(ops.add(layer, offsets) as Node) as Node;
  if (places > 0) {
    const wide = heads * width;
    const [attends, keys, values] = [given(room, 1), given(places, wide), given(places, wide)];
    const [liking, query, attended] = [given(heads, places), given(hidden, wide), given(wide, hidden)];
    const queries = ops.matmul(h1, query) as Node;
    const found = Array.from({ length: heads }, (_, h) => {
      const scores = ops.add(
        ops.matmul(part(queries, h, width), part(keys, h, width), false, true),
        ops.sliceAxis(liking, 0, h, h + 1) as Node,
      ) as Node;
      const top = ops.max(ops.maxOf(scores, 1, true) as Node, 0) as Node;
      const shares = ops.exp(ops.sub(scores, top) as Node) as Node;
      const total = ops.add(ops.sum(shares, 1, true) as Node, ops.exp(ops.neg(top) as Node) as Node);
      return ops.div(ops.matmul(shares, part(values, h, width)), total) as Node;
    });
    const all = ops.matmul(ops.mul(ops.concat(found, 1) as Node, attends) as Node, attended) as Node;
    h1 = ops.add(h1, all) as Node;
  }
  const h2 = ops.add(ops.relu(ops.add(ops.matmul(h1, second), bias) as Node), h1) as Node;
  const output = ops.matmul(h2, last) as Node;
  if (kind === 'say') return compilePlan([output, ops.matmul(h2, pointing) as Node], inputs);
  return compilePlan(drawn(ops.inDoublePrecision(output) as Node, components, noise), inputs);
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
