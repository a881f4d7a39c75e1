/** The network in use: what its heads say to executions that have told it what they chose. */
import { input } from '../tensor/leaves.ts';
import type { Node } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import { compilePlan, type Plan, type RunOutput } from '../tensor/plan/compile.ts';
import { type Asking, askingOf, ownOf, placesOf, roomFor, rowsByDatum } from './asking.ts';
import { part, tableRows } from './graph-inputs.ts';
import { mixtureOf } from './head-logs.ts';
import { onOneThread } from './one-thread.ts';
import type { Parameters } from './parameters.ts';
import { addProduct } from './plain-products.ts';
import { QuantileTables } from './quantile-tables.ts';
import type { Reading } from './reading.ts';
import type { Key } from './sites.ts';
import { layerNames, type NetworkSizes, outputsOf, POINT, PRIOR_FEATURES } from './sizes.ts';

/** Fewer executions are computed by loops; for more there are plans, for some numbers of them: see `roomFor`. */
const FEW = 12;

/** So many forms of data are remembered at a time. */
const MOST_FORMS = 64;

/** What a head says to each, and what its lists look for among earlier choices. */
interface Said {
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

/** Names of parameters that all heads share, in the order in which plans take them. */
const sharedNames = (sizes: NetworkSizes): string[] => [
  'told',
  ...layerNames(sizes).flatMap((layer) => [layer, `${layer} bias`]),
];
/** And those of choices that tell of others of their iterations. */
const POINTING = ['peer', 'point query'] as const;
const ATTENTION = ['attention query', 'attended'] as const;

export class Network {
  /** Tables of quantiles, for priors that thousands of executions draw from. */
  readonly quantiles = new QuantileTables();
  private readonly plans = new Map<string, Plan>();
  private readonly shared: readonly string[];
  private room = new Float32Array(0);
  /** The parameters as plans take them. */
  private readonly singles = new Map<string, Float32Array>();
  /** With which weights choices read data, by how these are made: the same for all data that are made alike. */
  private readonly attitudes = new Map<string, Map<Key, Float64Array>>();

  constructor(
    readonly parameters: Parameters,
    readonly sizes: NetworkSizes,
  ) {
    this.shared = sharedNames(sizes);
  }

  /** To be called when parameters have changed. */
  refresh(): this {
    this.singles.clear();
    this.attitudes.clear();
    return this;
  }

  /** Weights for data that are made like this, by choice. */
  attitudesTo(form: string): Map<Key, Float64Array> {
    let found = this.attitudes.get(form);
    if (found === undefined) {
      if (this.attitudes.size === MOST_FORMS) this.attitudes.clear();
      found = new Map();
      this.attitudes.set(form, found);
    }
    return found;
  }

  get attends(): boolean {
    return this.sizes.heads > 0 && this.sizes.attending > 0;
  }

  /** Numbers that each execution tells the first layer; with or without earlier choices of its iteration. */
  toldWidth(isPointed: boolean): number {
    return 3 * this.sizes.token + PRIOR_FEATURES + (isPointed ? POINT : 0);
  }

  /** A buffer for so many numbers, which is overwritten when the next one is asked for. */
  scratch(length: number): Float32Array {
    if (this.room.length < length) this.room = new Float32Array(length);
    return this.room.subarray(0, length);
  }

  /** What a head says to each. */
  say(head: string, asking: Asking): Said {
    if (asking.count < FEW) return this.sayToFew(head, asking);
    const [outputs, queries] = this.run(head, 'say', asking, []);
    return { outputs: outputs as ArrayLike<number>, queries: (queries ?? []) as ArrayLike<number> };
  }

  /** Draws real coordinates for many; null for few executions, which are drawn from what the head says. */
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

  private sayToFew(head: string, { readings, slots, key, count, told, isPointed, attends }: Asking): Said {
    const { parameters, sizes } = this;
    const { hidden } = sizes;
    const width = outputsOf(head, sizes);
    const outputs = new Float64Array(count * width);
    const queries = new Float64Array(isPointed ? count * POINT : 0);
    const [own, wide] = [this.toldWidth(false), this.toldWidth(isPointed)];
    for (let lane = 0; lane < count; lane++) {
      const reading = readings.at(slots[lane]);
      const h1 = Float64Array.from(reading.offsets(key));
      addProduct(told, lane * wide, parameters.get('told'), own, hidden, h1);
      if (isPointed) addProduct(told, lane * wide + own, parameters.get('peer'), POINT, hidden, h1);
      for (let i = 0; i < hidden; i++) h1[i] = Math.max(0, h1[i]);
      if (reading.findable !== null && attends[lane] === 1) this.attend(h1, reading, key);
      for (const layer of layerNames(sizes)) {
        const more = Float64Array.from(parameters.get(`${layer} bias`));
        addProduct(h1, 0, parameters.get(layer), hidden, hidden, more);
        for (let i = 0; i < hidden; i++) h1[i] += Math.max(0, more[i]);
      }
      addProduct(h1, 0, parameters.get(`head ${head}`), hidden, width, outputs.subarray(lane * width));
      if (isPointed) addProduct(h1, 0, parameters.get('point query'), hidden, POINT, queries.subarray(lane * POINT));
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
    const { readings, slots, key, count, told, isPointed, attends } = asking;
    const room = roomFor(count);
    const padded = (numbers: Float32Array, width: number): Float32Array => {
      if (numbers.length === room * width) return numbers;
      const all = new Float32Array(room * width);
      all.set(numbers);
      return all;
    };
    const one = readings.common(slots);
    const parts = one === null && this.attends ? rowsByDatum(asking) : [];
    if (parts.length > 0 && count >= WORTH_A_RUN * parts.length) return this.runApart(head, kind, asking, more, parts);
    const given: (Float32Array | Float64Array | Int32Array)[] = [
      padded(told, this.toldWidth(isPointed)),
      one === null ? this.offsetsOfEach(asking, room) : one.offsets(key),
      ...(isPointed ? [...this.shared, ...POINTING] : this.shared).map((name) => this.single(name)),
      this.single(`head ${head}`),
      ...more,
    ];
    const findable = (one ?? readings.readings).findable;
    const data = one === null && findable !== null ? readings.readings.findable!.data : 0;
    if (findable !== null) {
      given.push(padded(attends, 1), findable.keys, findable.values, (one ?? readings.readings).liking(key));
      given.push(...ATTENTION.map((name) => this.single(name)));
      if (one === null) given.push(placesOf(asking, room));
    }
    const form: Form = { head, kind, room, places: findable?.places ?? 0, isOne: one !== null, isPointed, data };
    return onOneThread(() => this.planFor(form).run(given));
  }

  /** Datum by datum: where data are looked for, what is found is a product for all executions that have the same. */
  private runApart(
    head: string,
    kind: 'say' | 'draw',
    asking: Asking,
    more: readonly Float64Array[],
    parts: readonly Int32Array[],
  ): RunOutput[] {
    const all: Float64Array[] = [];
    for (const rows of parts) {
      const own = this.run(head, kind, askingOf(asking, rows, this.toldWidth(asking.isPointed)), ownOf(more, rows));
      own.forEach((output, k) => {
        const numbers = output as ArrayLike<number>;
        const width = numbers.length / roomFor(rows.length);
        all[k] ??= new Float64Array(asking.count * width);
        for (let i = 0; i < rows.length; i++) {
          for (let j = 0; j < width; j++) all[k][rows[i] * width + j] = numbers[i * width + j];
        }
      });
    }
    return all;
  }

  /** What is added to the first layer, a row for each execution. */
  private offsetsOfEach({ readings, slots, key, count }: Asking, room: number): Float32Array {
    const { hidden } = this.sizes;
    const rows = new Float32Array(room * hidden);
    for (let i = 0; i < count; i++) rows.set(readings.at(slots[i]).offsets(key), i * hidden);
    return rows;
  }

  private planFor(form: Form): Plan {
    const text = Object.values(form).join(' ');
    let plan = this.plans.get(text);
    if (plan === undefined) {
      plan = planOf(form, this.sizes, this.toldWidth(false));
      this.plans.set(text, plan);
    }
    return plan;
  }
}

/** From so many executions with the same datum on, a run of their own pays. */
const WORTH_A_RUN = 48;

/** What a plan is for. */
interface Form {
  readonly head: string;
  readonly kind: 'say' | 'draw';
  /** So many executions. */
  readonly room: number;
  /** Places of data that are looked among; 0 if nothing is looked for. */
  readonly places: number;
  /** Whether all executions have the same datum. */
  readonly isOne: boolean;
  /** Whether they tell of earlier choices of their iterations. */
  readonly isPointed: boolean;
  /** How many data there is room for, if each has its own and something is looked for. */
  readonly data: number;
}

function planOf(
  { head, kind, room, places, isOne, isPointed, data }: Form,
  sizes: NetworkSizes,
  toldWidth: number,
): Plan {
  const { hidden, components } = sizes;
  const inputs: Node[] = [];
  const given = (...shape: number[]): Node => {
    const node = input(shape, 'f32');
    inputs.push(node);
    return node;
  };
  const told = given(room, isPointed ? toldWidth + POINT : toldWidth);
  const offsets = isOne ? given(hidden) : given(room, hidden);
  const first = given(toldWidth, hidden);
  const layers = layerNames(sizes).map(() => [given(hidden, hidden), given(hidden)]);
  const points = isPointed ? { peer: given(POINT, hidden), query: given(hidden, POINT) } : null;
  const last = given(hidden, outputsOf(head, sizes));
  const noise = kind === 'draw' ? Array.from({ length: 3 }, () => input([room, 1], 'f64')) : [];
  inputs.push(...noise);
  const layer = ops.matmul(told, points === null ? first : (ops.concat([first, points.peer], 0) as Node)) as Node;
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
  if (kind === 'say') {
    return compilePlan(points === null ? [output] : [output, ops.matmul(h2, points.query) as Node], inputs);
  }
  return compilePlan(drawn(ops.inDoublePrecision(output) as Node, components, noise), inputs);
}

type Given = (...shape: number[]) => Node;

/** What executions find in a datum that all of them have. */
function foundInOne(h1: Node, given: Given, places: number, { hidden, heads, width }: NetworkSizes): Node {
  const wide = heads * width;
  const [attends, keys, values] = [given(h1.shape[0], 1), given(places, wide), given(places, wide)];
  const [liking, query, attended] = [given(heads, places), given(hidden, wide), given(wide, hidden)];
  const queries = ops.matmul(h1, query) as Node;
  const found = Array.from({ length: heads }, (_, h) => {
    const scores = ops.add(
      ops.matmul(part(queries, h, width), part(keys, h, width), false, true),
      ops.sliceAxis(liking, 0, h, h + 1) as Node,
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
  const [liking, query, attended] = [given(data, heads * places), given(hidden, wide), given(wide, hidden)];
  const datum = input([room], 'i32');
  inputs.push(datum);
  const queries = ops.matmul(h1, query) as Node;
  const own = (table: Node): Node => ops.reshape(tableRows(table, datum), [room, places, wide]) as Node;
  const [ownKeys, ownValues, liked] = [own(keys), own(values), tableRows(liking, datum)];
  const found = Array.from({ length: heads }, (_, h) => {
    const ofHead = (table: Node): Node => ops.sliceAxis(table, 2, h * width, (h + 1) * width) as Node;
    const asked = ops.reshape(part(queries, h, width), [room, 1, width]) as Node;
    const scores = ops.add(ops.sum(ops.mul(ofHead(ownKeys), asked) as Node, 2) as Node, part(liked, h, places)) as Node;
    const { shares, total } = sharesOf(scores);
    const heard = ops.mul(ofHead(ownValues), ops.reshape(shares, [room, places, 1]) as Node) as Node;
    return ops.div(ops.sum(heard, 1) as Node, total) as Node;
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
