/** The network in use: what a choice reads of given data, and what its head says to some executions at once. */
import { input } from '../tensor/leaves.ts';
import type { Node } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import { compilePlan, type Plan } from '../tensor/plan/compile.ts';
import { at, type DataShape, tokensOf } from './data-shape.ts';
import { LIKENESSES, likeness } from './pack.ts';
import type { Parameters } from './parameters.ts';
import type { Key } from './sites.ts';
import { EMBEDDING, type NetworkSizes, outputsOf, PRIOR_FEATURES } from './sizes.ts';

/** x · M, added to `out`; M has `columns` columns. */
function addProduct(
  x: ArrayLike<number>,
  start: number,
  matrix: Float64Array,
  rows: number,
  columns: number,
  out: Float64Array,
): void {
  for (let i = 0; i < rows; i++) {
    const factor = x[start + i];
    if (factor === 0) continue;
    for (let j = 0, k = i * columns; j < columns; j++, k++) out[j] += factor * matrix[k];
  }
}

interface DataToken {
  readonly positions: readonly [number, number];
  /** What it answers to, for each read. */
  readonly offer: Float64Array;
  readonly spoken: Float64Array;
}

/** Data, as the network reads them. */
export class Reading {
  readonly tokens: DataToken[] = [];
  /** Parts of the data that the training never met. */
  unknown = 0;
  /** What the first layer is given of place and data, by key. */
  private readonly known = new Map<Key, Float64Array>();

  constructor(
    readonly network: Network,
    shape: DataShape,
    data: unknown,
  ) {
    for (const places of tokensOf(data, shape.points)) {
      const signature = shape.signature(places);
      if (signature === undefined) {
        this.unknown++;
        continue;
      }
      const leaves = places.leaves.map(({ place }, k) => shape.embedded(signature, k, [at(data, place)]));
      const numbers = new Float64Array(signature.width);
      shape.write(signature, leaves, 1, numbers, 0);
      this.tokens.push(network.token(signature.number, numbers, places.positions));
    }
  }

  get count(): number {
    return this.tokens.length + this.unknown;
  }

  /** What is added to the first layer at this key, whatever was chosen before. */
  offsets(key: Key): Float64Array {
    let offsets = this.known.get(key);
    if (offsets === undefined) {
      offsets = this.network.offsets(key, this.tokens);
      this.known.set(key, offsets);
    }
    return offsets;
  }
}

/** Fewer executions are computed by loops; for more there are plans, for so many at a time and twice as many, … */
const FEW = 12;

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

  token(signature: number, numbers: Float64Array, positions: readonly [number, number]): DataToken {
    const { parameters, sizes } = this;
    const { read, reads } = sizes;
    const wide = 2 * read * reads;
    const place = this.embedding('signature', signature, 'data position', positions);
    const hidden = new Float64Array(wide);
    addProduct(numbers, 0, parameters.get(`signature ${signature}`), numbers.length, wide, hidden);
    addProduct(place, 0, parameters.get('data key'), EMBEDDING, wide, hidden);
    for (let i = 0; i < wide; i++) hidden[i] = Math.max(0, hidden[i]);
    const spoken = new Float64Array(read * reads);
    addProduct(hidden, 0, parameters.get('spoken'), wide, read * reads, spoken);
    const offer = new Float64Array((reads * EMBEDDING) / 2);
    addProduct(place, 0, parameters.get('offer'), EMBEDDING, offer.length, offer);
    return { positions, offer, spoken };
  }

  private embedding(table: string, row: number, position: string, positions: readonly number[]): Float64Array {
    const sum = this.parameters.get(table).slice(row * EMBEDDING, (row + 1) * EMBEDDING);
    positions.forEach((place, k) => {
      const rows = this.parameters.get(`${position} ${k}`);
      for (let i = 0; i < EMBEDDING; i++) sum[i] += rows[place * EMBEDDING + i];
    });
    return sum;
  }

  offsets({ site, positions }: Key, tokens: readonly DataToken[]): Float64Array {
    const { parameters, sizes } = this;
    const { hidden, read, reads } = sizes;
    const place = this.embedding('site', site.number, 'position', positions);
    const out = Float64Array.from(parameters.get('first bias'));
    addProduct(place, 0, parameters.get('key'), EMBEDDING, hidden, out);
    const query = new Float64Array((reads * EMBEDDING) / 2);
    addProduct(place, 0, parameters.get('query'), EMBEDDING, query.length, query);
    const mean = new Float64Array(read * reads);
    if (tokens.length > 0) for (let h = 0; h < reads; h++) this.readInto(mean, h, query, positions, tokens);
    addProduct(mean, 0, parameters.get('reading'), read * reads, hidden, out);
    return out;
  }

  /** The weighted mean of what tokens say. */
  private readInto(
    mean: Float64Array,
    h: number,
    query: Float64Array,
    positions: readonly number[],
    tokens: readonly DataToken[],
  ): void {
    const { read, reads } = this.sizes;
    const half = EMBEDDING / 2;
    const liked = this.parameters.get('likeness');
    const alike = new Float64Array(LIKENESSES);
    const scores = tokens.map(({ offer, positions: where }) => {
      alike.fill(0);
      likeness(positions, where, alike, 0);
      let score = 0;
      for (let i = 0; i < half; i++) score += query[h * half + i] * offer[h * half + i];
      for (let i = 0; i < LIKENESSES; i++) score += alike[i] * liked[i * reads + h];
      return score;
    });
    const largest = scores.reduce((a, b) => Math.max(a, b), -Infinity);
    let total = 0;
    tokens.forEach(({ spoken }, t) => {
      const weight = Math.exp(scores[t] - largest);
      total += weight;
      for (let i = h * read; i < (h + 1) * read; i++) mean[i] += weight * spoken[i];
    });
    for (let i = h * read; i < (h + 1) * read; i++) mean[i] /= total;
  }

  /** Numbers that each execution tells the first layer. */
  get told(): number {
    return 3 * this.sizes.token + PRIOR_FEATURES;
  }

  /** What a head says to each of some executions, which have told it a row of numbers each. */
  say(head: string, offsets: Float64Array, told: Float32Array, count: number): ArrayLike<number> {
    if (count >= FEW) return this.sayToMany(head, offsets, told, count);
    const { parameters, sizes } = this;
    const { hidden } = sizes;
    const outputs = outputsOf(head, sizes);
    const result = new Float64Array(count * outputs);
    const [first, second, last] = [parameters.get('told'), parameters.get('second'), parameters.get(`head ${head}`)];
    for (let lane = 0; lane < count; lane++) {
      const h1 = Float64Array.from(offsets);
      addProduct(told, lane * this.told, first, this.told, hidden, h1);
      for (let i = 0; i < hidden; i++) h1[i] = Math.max(0, h1[i]);
      const h2 = Float64Array.from(parameters.get('second bias'));
      addProduct(h1, 0, second, hidden, hidden, h2);
      for (let i = 0; i < hidden; i++) h2[i] = Math.max(0, h2[i]) + h1[i];
      const out = new Float64Array(outputs);
      addProduct(h2, 0, last, hidden, outputs, out);
      result.set(out, lane * outputs);
    }
    return result;
  }

  private single(name: string): Float32Array {
    let found = this.singles.get(name);
    if (found === undefined) {
      found = Float32Array.from(this.parameters.get(name));
      this.singles.set(name, found);
    }
    return found;
  }

  private sayToMany(head: string, offsets: Float64Array, told: Float32Array, count: number): ArrayLike<number> {
    const room = 2 ** Math.ceil(Math.log2(count));
    const given = new Float32Array(room * this.told);
    given.set(told.subarray(0, count * this.told));
    const plan = this.planFor(head, room);
    const names = ['told', 'second', 'second bias', `head ${head}`];
    const [output] = plan.run([given, Float32Array.from(offsets), ...names.map((name) => this.single(name))]);
    return output as ArrayLike<number>;
  }

  private planFor(head: string, room: number): Plan {
    const text = `${head} ${room}`;
    let plan = this.plans.get(text);
    if (plan === undefined) {
      const { hidden } = this.sizes;
      const told = input([room, this.told], 'f32');
      const offsets = input([hidden], 'f32');
      const first = input([this.told, hidden], 'f32');
      const second = input([hidden, hidden], 'f32');
      const bias = input([hidden], 'f32');
      const last = input([hidden, outputsOf(head, this.sizes)], 'f32');
      const h1 = ops.relu(ops.add(ops.matmul(told, first), offsets) as Node) as Node;
      const h2 = ops.add(ops.relu(ops.add(ops.matmul(h1, second), bias) as Node), h1) as Node;
      plan = compilePlan([ops.matmul(h2, last) as Node], [told, offsets, first, second, bias, last]);
      this.plans.set(text, plan);
    }
    return plan;
  }
}
