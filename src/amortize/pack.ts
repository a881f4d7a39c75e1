/** Dreams as the arrays that a step of training reads. */
import type { DataShape, Signature } from './data-shape.ts';
import type { Dreams } from './dreams.ts';
import type { Row } from './rows.ts';
import { Scale } from './scale.ts';
import { type Key, type Site, TOLD_PARAMS } from './sites.ts';
import { HEADS, LIST_LENGTHS, PRIOR_FEATURES, VALUE_FEATURES } from './sizes.ts';

/** A place in the data: a signature and where it stands in lists. */
export interface DataKey {
  readonly signature: number;
  readonly positions: readonly [number, number];
}

/** How alike two places are: same iteration, the one before, the one after, same outer iteration. */
export const LIKENESSES = 4;

export function likeness(
  choice: readonly number[],
  datum: readonly number[],
  out: Float32Array | Float64Array,
  to: number,
): void {
  const [inner, outer] = choice;
  if (inner === 0) return;
  const distance = datum[0] - inner;
  if (datum[0] > 0 && (outer === 0 || datum[1] === 0 || outer === datum[1])) {
    if (distance === 0) out[to] = 1;
    else if (distance === -1) out[to + 1] = 1;
    else if (distance === 1) out[to + 2] = 1;
  }
  // A choice for a whole list within lists, and one for an element of a list of lists.
  if (datum[1] > 0 && (datum[1] === inner || datum[1] === outer)) out[to + 3] = 1;
}

/** The numbers of rows that the arrays of a step have room for. */
export interface Room {
  lanes: number;
  rows: number;
  choiceKeys: number;
  dataKeys: number;
  /** Tokens of each signature. */
  tokens: number[];
  /** Rows of each kind of head. */
  heads: Record<string, number>;
}

/** Makes room for at least so many, with some to spare, so that a few more need no new plan. */
const spared = (known: number, needed: number): number =>
  needed <= known ? known : Math.max(8, Math.ceil((needed * 1.15) / 8) * 8);

/** What a pack holds before it is padded. */
export class Pack {
  readonly order: Row[];
  readonly choiceKeys: Key[] = [];
  readonly dataKeys: DataKey[] = [];
  readonly counts: Float64Array;
  private readonly choiceNumbers = new Map<Key, number>();
  private readonly dataNumbers = new Map<string, number>();
  readonly tokens: { lane: number; key: number; leaves: unknown[] }[][];
  readonly byHead: Record<string, number[]> = Object.fromEntries(HEADS.map((head) => [head, []]));
  /** Weights of the executions, which add up to 1. */
  readonly weights: Float64Array;

  constructor(
    readonly dreams: Dreams,
    readonly shape: DataShape,
  ) {
    this.order = sorted(dreams.rows, dreams.size);
    this.weights = normalised(dreams.logWeights);
    this.tokens = shape.signatures.map(() => []);
    this.counts = new Float64Array(dreams.size);
    this.placeTokens();
    for (let r = 0; r < this.order.length; r++) {
      const { key } = this.order[r];
      this.choiceNumber(key);
      this.byHead[key.site.head]?.push(r);
    }
    scaleSites(this.order);
  }

  choiceNumber(key: Key): number {
    let number = this.choiceNumbers.get(key);
    if (number === undefined) {
      number = this.choiceKeys.length;
      this.choiceKeys.push(key);
      this.choiceNumbers.set(key, number);
    }
    return number;
  }

  private placeTokens(): void {
    const { shape, dreams } = this;
    for (const { lanes, tokens, leaf } of dreams.forms) {
      for (const token of tokens) {
        const signature = shape.signature(token);
        if (signature === undefined) continue;
        this.tokens[signature.number] ??= [];
        const key = this.dataNumber(signature, token.positions);
        for (let i = 0; i < lanes.length; i++) {
          const lane = lanes[i];
          this.counts[lane]++;
          const leaves = token.leaves.map(({ place }, k) => shape.embedded(signature, k, leaf(place, lane)));
          this.tokens[signature.number].push({ lane, key, leaves });
        }
      }
    }
    if (shape.learning) {
      for (const signature of shape.signatures) {
        const tokens = this.tokens[signature.number];
        if (tokens.length > 0)
          shape.learn(
            signature,
            signature.leaves.map((_, k) => tokens.map(({ leaves }) => leaves[k])),
          );
      }
    }
  }

  private dataNumber({ number }: Signature, positions: readonly [number, number]): number {
    const text = `${number} ${positions.join(' ')}`;
    let found = this.dataNumbers.get(text);
    if (found === undefined) {
      found = this.dataKeys.length;
      this.dataKeys.push({ signature: number, positions });
      this.dataNumbers.set(text, found);
    }
    return found;
  }

  /** The room that is there, made wide enough for this pack too; whether it had to be. */
  widen(room: Room): boolean {
    const before = JSON.stringify(room);
    // One more, for what is not there.
    room.lanes = Math.max(room.lanes, this.dreams.size + 1);
    room.rows = spared(room.rows, this.order.length + 1);
    room.choiceKeys = spared(room.choiceKeys, this.choiceKeys.length);
    room.dataKeys = spared(room.dataKeys, this.dataKeys.length);
    this.tokens.forEach((tokens, i) => {
      room.tokens[i] = spared(room.tokens[i] ?? 0, tokens.length);
    });
    for (const head of HEADS) {
      const { length } = this.byHead[head];
      room.heads[head] = length === 0 ? (room.heads[head] ?? 0) : spared(room.heads[head] ?? 0, length);
    }
    return before !== JSON.stringify(room);
  }
}

/** Rows of one execution after the other, each in its order. */
function sorted(rows: readonly Row[], lanes: number): Row[] {
  const starts = new Int32Array(lanes + 1);
  for (const { lane } of rows) starts[lane + 1]++;
  for (let i = 0; i < lanes; i++) starts[i + 1] += starts[i];
  const order = new Array<Row>(rows.length);
  for (const row of rows) order[starts[row.lane]++] = row;
  return order;
}

function normalised(logs: Float64Array): Float64Array {
  const largest = logs.reduce((a, b) => Math.max(a, b), -Infinity);
  if (largest === -Infinity) return new Float64Array(logs.length);
  const weights = logs.map((log) => Math.exp(log - largest));
  const total = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / total);
}

/** Sites that were not met before learn how large their numbers are. */
function scaleSites(rows: readonly Row[]): void {
  const fresh = new Map<Site, Row[]>();
  let last = -1;
  for (const row of rows) {
    const { site } = row.key;
    if (row.lane !== last) last = row.lane;
    site.met++;
    if (site.scales !== null) continue;
    const known = fresh.get(site);
    if (known === undefined) fresh.set(site, [row]);
    else known.push(row);
  }
  for (const [site, found] of fresh) {
    site.scales = [
      Scale.of(found.map(({ x }) => x)),
      ...Array.from({ length: TOLD_PARAMS }, (_, i) => Scale.of(found.map(({ params }) => params[i]))),
    ];
  }
}

/** Writes what a value is to later choices. */
export function writeValue(row: Row, out: Float32Array | Float64Array, to: number): void {
  const { u, upper, x, index } = row;
  const coordinate = row.key.site.head === 'whole' ? middle(u, upper) : u;
  out[to] = Math.asinh(Number.isFinite(coordinate) ? coordinate : 0);
  out[to + 1] = row.key.site.scales![0].squashed(x);
  out[to + 2] = Number.isNaN(x) ? 0 : Math.max(-5, Math.min(5, x));
  out[to + 3] = index < 0 ? 0 : 1;
}

export const middle = (lower: number, upper: number): number =>
  lower === -Infinity ? Math.min(upper, 0) : upper === Infinity ? Math.max(lower, 0) : (lower + upper) / 2;

/** Writes what the network is told of a prior, of how many data there are, and of how many choices were made. */
export function writePrior(
  site: Site,
  params: ArrayLike<number>,
  data: number,
  earlier: number,
  out: Float32Array | Float64Array,
  to: number,
): void {
  for (let i = 0; i < TOLD_PARAMS; i++) out[to + i] = site.scales![i + 1].squashed(params[i]);
  out[to + TOLD_PARAMS] = Math.log1p(data) / 2;
  out[to + PRIOR_FEATURES - 1] = Math.log1p(earlier) / 2;
}

/** How strongly the sum of all earlier choices counts. */
export const sumScale = (earlier: number): number => 1 / Math.sqrt(1 + earlier);

/** Numbers of a value in a list that head outputs speak of besides its place. */
export const listValue = (site: Site, x: number): number => site.scales![0].squashed(x);

export { LIST_LENGTHS, VALUE_FEATURES };
