/** The inputs of a step of training: a pack of dreams, padded to the room there is. */

import { feedAttention } from './feed-attention.ts';
import { feedPoints } from './feed-points.ts';
import {
  middle,
  type Pack,
  RELATIONS,
  type Room,
  relation,
  sumScale,
  writeCounts,
  writeListed,
  writePriors,
  writeValues,
} from './pack.ts';
import type { Choice } from './recorder.ts';
import { HEADS, LIST_FEATURES, PRIOR_FEATURES, VALUE_FEATURES } from './sizes.ts';

export type Arrays = Map<string, Float32Array | Float64Array | Int32Array>;

export function feed(pack: Pack, room: Room, attending: number): Arrays {
  const arrays: Arrays = new Map();
  feedKeys(pack, room, arrays);
  feedTokens(pack, room, arrays);
  feedRows(pack, room, arrays);
  if (room.points) feedPoints(pack, room, arrays);
  if (attending > 0) feedAttention(pack, room, attending, arrays);
  return arrays;
}

function feedKeys({ choiceKeys, dataKeys }: Pack, room: Room, arrays: Arrays): void {
  const column = (name: string, length: number, of: (i: number) => number): void => {
    arrays.set(
      name,
      Int32Array.from({ length }, (_, i) => of(i)),
    );
  };
  const { choiceKeys: choices, dataKeys: data } = room;
  column('key site', choices, (i) => choiceKeys[i]?.site.number ?? 0);
  for (let k = 0; k < 3; k++) column(`key position ${k}`, choices, (i) => choiceKeys[i]?.positions[k] ?? 0);
  for (let k = 0; k < 2; k++) column(`data position ${k}`, data, (i) => dataKeys[i]?.positions[k] ?? 0);
  column('data signature', data, (i) => dataKeys[i]?.signature ?? 0);
  const relations = new Float32Array(choices * data * RELATIONS);
  choiceKeys.forEach(({ positions }, i) => {
    dataKeys.forEach((datum, j) => {
      relation(positions, datum.positions, relations, (i * data + j) * RELATIONS);
    });
  });
  arrays.set('likeness', relations);
}

function feedTokens({ tokens, shape }: Pack, room: Room, arrays: Arrays): void {
  const { lanes, dataKeys } = room;
  const there = new Float32Array(lanes * dataKeys);
  tokens.forEach((blocks, s) => {
    const count = room.tokens[s];
    if (count === 0) return;
    const signature = shape.signatures[s];
    const { width } = signature;
    const numbers = new Float32Array(count * width);
    const keys = new Int32Array(count);
    // Tokens that are missing are written to the last row, which is not read.
    const places = new Int32Array(count).fill(lanes * dataKeys - 1);
    let row = 0;
    for (const block of blocks) {
      shape.write(signature, block, block.lanes.length, numbers, row * width);
      for (let i = 0; i < block.lanes.length; i++, row++) {
        const place = block.key * lanes + block.lanes[i];
        keys[row] = block.key;
        places[row] = place;
        there[place]++;
      }
    }
    arrays.set(`tokens ${s}`, numbers);
    arrays.set(`token key ${s}`, keys);
    arrays.set(`token place ${s}`, places);
  });
  arrays.set('there', there);
}

/** Rows of choices, and of those of each head. */
function feedRows(pack: Pack, room: Room, arrays: Arrays): void {
  const { dreams, counts, starts } = pack;
  const { rows } = room;
  const values = new Float32Array(rows * VALUE_FEATURES);
  const priors = new Float32Array(rows * PRIOR_FEATURES);
  // Row 0 belongs to no choice. It is zero: the sum before the first choice, and the token of the choice before it.
  const [keys, sites, indices, reads, last, same] = Array.from({ length: 6 }, () => new Int32Array(rows));
  // Rows of an execution are a run. Those that belong to none are runs of their own.
  const begins = new Float32Array(rows).fill(1);
  const real = new Float32Array(rows);
  const scales = new Float32Array(rows);
  const met = new Int32Array(dreams.size);
  const latest = new Map<number, Int32Array>();
  const heads = new Map<string, HeadArrays>();
  for (const choice of dreams.choices) {
    const { key, lanes, x, u, upper, index, params } = choice;
    const { site } = key;
    const number = pack.choiceNumber(key);
    let own = latest.get(site.number);
    if (own === undefined) {
      own = new Int32Array(dreams.size);
      latest.set(site.number, own);
    }
    let head = heads.get(site.head);
    if (head === undefined && room.heads[site.head] > 0) {
      head = new HeadArrays(site.head, room.heads[site.head]);
      heads.set(site.head, head);
    }
    const places = new Int32Array(lanes.length);
    for (let i = 0; i < lanes.length; i++) {
      const lane = lanes[i];
      const first = starts[lane] + 1;
      const earlier = met[lane]++;
      const r = first + earlier;
      places[i] = r;
      writeCounts(counts[lane], earlier, priors, r * PRIOR_FEATURES);
      keys[r] = number;
      sites[r] = site.number;
      indices[r] = index === null ? 0 : index[i] + 1;
      reads[r] = number * room.lanes + lane;
      real[r] = 1;
      scales[r] = sumScale(earlier);
      if (earlier > 0) {
        last[r] = r - 1;
        begins[r] = 0;
      }
      same[r] = own[lane];
      own[lane] = r;
    }
    const at = upper === null ? u : u.map((lower, i) => middle(lower, upper[i]));
    writeValues(site, at, x, index, places, values);
    writePriors(site, params, places, priors, PRIOR_FEATURES, 0);
    head?.add(choice, places, pack.weights);
  }
  for (const head of HEADS) {
    if (room.heads[head] > 0) (heads.get(head) ?? new HeadArrays(head, room.heads[head])).put(arrays);
  }
  for (const [name, array] of Object.entries({ value: values, prior: priors, last, same, begins })) {
    arrays.set(name, array);
  }
  arrays.set('row key', keys);
  arrays.set('row site', sites);
  arrays.set('row index', indices);
  arrays.set('row read', reads);
  arrays.set('row is real', real);
  arrays.set('sum scale', scales);
}

/** The rows of one head. */
class HeadArrays {
  private readonly length: number;
  private readonly indices: Int32Array;
  private readonly weight: Float64Array;
  private readonly u: Float64Array;
  private readonly upper: Float64Array;
  private readonly log: Float64Array;
  private readonly logs: Float32Array;
  private readonly chosen: Float32Array;
  private readonly list: Float32Array;
  private count = 0;

  constructor(
    private readonly head: string,
    size: number,
  ) {
    this.length = head.startsWith('finite') ? Number(head.slice(6)) : 0;
    this.indices = new Int32Array(size);
    [this.weight, this.u, this.upper, this.log] = Array.from({ length: 4 }, () => new Float64Array(size));
    [this.logs, this.chosen] = Array.from({ length: 2 }, () => new Float32Array(size * this.length));
    this.list = new Float32Array(LIST_FEATURES * size * this.length);
    // Rows that belong to no choice must have a logarithm.
    if (head === 'whole') this.upper.fill(1);
  }

  add(choice: Choice, rows: Int32Array, weights: Float64Array): void {
    const { u, upper, log, lanes } = choice;
    const from = this.count;
    this.count += rows.length;
    this.indices.set(rows, from);
    for (let i = 0; i < rows.length; i++) {
      const at = from + i;
      const own = near(u[i]);
      this.weight[at] = weights[lanes[i]];
      this.u[at] = own;
      if (upper !== null) this.upper[at] = near(upper[i]);
      this.log[at] = log === null ? 0.5 * own * own : log[i];
    }
    if (this.length > 0) this.addLists(choice, from);
  }

  private addLists({ key, logs, numbers, index, lanes }: Choice, from: number): void {
    const { length } = this;
    const step = this.logs.length;
    this.logs.set(logs!, from * length);
    for (let i = 0; i < lanes.length; i++) {
      const to = (from + i) * length;
      for (let k = 0; k < length; k++) {
        const x = numbers![i * length + k];
        if (!Number.isNaN(x)) writeListed(key.site, x, this.list, to + k, step);
      }
      this.chosen[to + index![i]] = 1;
    }
  }

  put(arrays: Arrays): void {
    const { head, u, upper, log } = this;
    arrays.set(`${head} rows`, this.indices);
    arrays.set(`${head} weight`, this.weight);
    if (head === 'real') {
      arrays.set('real u', new Float32Array(u));
      arrays.set('real offset', new Float32Array(log));
    } else if (head === 'whole') {
      arrays.set('whole lower', u);
      arrays.set('whole upper', upper);
      arrays.set('whole log', log);
    } else {
      const { length } = this.logs;
      for (let f = 0; f < LIST_FEATURES; f++) {
        arrays.set(`${head} list ${f}`, this.list.subarray(f * length, (f + 1) * length));
      }
      arrays.set(`${head} logs`, this.logs);
      arrays.set(`${head} chosen`, this.chosen);
      arrays.set(`${head} log`, log);
    }
  }
}

/** Infinite coordinates become ones at which a normal density is 0. */
const near = (u: number): number => Math.max(-FAR, Math.min(FAR, u));
const FAR = 40;
