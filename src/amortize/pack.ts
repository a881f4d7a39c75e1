/** Dreams as the arrays that a step of training reads. */
import type { DataShape, Signature, TokenValues } from './data-shape.ts';
import type { Dreams } from './dreams.ts';
import { listMoments } from './list-standing.ts';
import type { Choice } from './recorder.ts';
import { Scale, squash } from './scale.ts';
import type { Key, Site } from './sites.ts';
import { HEADS, PARAM_FEATURES, PRIOR_FEATURES, VALUE_FEATURES } from './sizes.ts';

/** A place in the data: a signature and where it stands in lists. */
interface DataKey {
  readonly signature: number;
  readonly positions: readonly [number, number];
}

/** Distances between places in lists are told apart up to 3, then 4 to 7, then beyond. */
const DISTANCES = 11;
const distance = (d: number): number => {
  const size = Math.abs(d);
  const step = size < 4 ? size : size < 8 ? 4 : 5;
  return 5 + (d < 0 ? -step : step);
};

/**
 * The relation of two places: distances in iterations and in rounds of recursion, and whether they share an outer
 * iteration.
 */
export const RELATIONS = 2 * DISTANCES + 1;
/** Where the network is told that they are the same, by iterations and by rounds. */
export const SAME = distance(0);
export const SAME_ROUND = DISTANCES + SAME;
const OUTER = 2 * DISTANCES;

export function relation(
  choice: readonly number[],
  datum: readonly number[],
  out: Float32Array | Float64Array,
  to: number,
): void {
  const [inner, outer, depth] = choice;
  if (datum[0] === 0) return;
  if (inner > 0) {
    if (outer === 0 || datum[1] === 0 || outer === datum[1]) out[to + distance(datum[0] - inner)] = 1;
    // A choice for a whole list within lists, and one for an element of a list of lists.
    if (datum[1] > 0 && (datum[1] === inner || datum[1] === outer)) out[to + OUTER] = 1;
  }
  // The first round is a call, and those after it call themselves: so they are two places apart.
  out[to + DISTANCES + distance(datum[0] - depth - 2)] = 1;
}

/** Iterations that lists of values may point to. */
export const MOST_POINTED = 32;

/** The iteration of a choice, to which lists may point; −1 if there is none. */
export const iterationOf = ({ positions: [inner] }: Key): number => (inner > MOST_POINTED ? -1 : inner - 1);

/** The numbers of rows that the arrays of a step have room for. */
export interface Room {
  /** Whether choices are made in iterations, to which lists of values may point. */
  points: boolean;
  lanes: number;
  rows: number;
  choiceKeys: number;
  dataKeys: number;
  /** Tokens of each signature. */
  tokens: number[];
  /** Rows of each kind of head. */
  heads: Record<string, number>;
}

/**
 * Makes room for at least this many. If there was too little, some is added to spare, so that a few more need no new
 * plan.
 */
function spared(known: number, needed: number): number {
  if (needed <= known) return known;
  return Math.ceil((needed * (known === 0 ? 1 : 1.15)) / 8) * 8;
}

/** Tokens of one signature at one place in the data, for some executions. */
interface TokenBlock extends TokenValues {
  readonly lanes: ArrayLike<number>;
  readonly key: number;
}

/** A pack before it is padded. */
export class Pack {
  readonly choiceKeys: Key[] = [];
  readonly dataKeys: DataKey[] = [];
  /** How many data each execution has. */
  readonly counts: Float64Array;
  /** Choices of one execution after the other: where those of each begin. */
  readonly starts: Int32Array;
  readonly rows: number;
  private readonly choiceNumbers = new Map<Key, number>();
  private readonly dataNumbers = new Map<string, number>();
  /** The tokens, by signature. */
  readonly tokens: TokenBlock[][];
  readonly byHead: Record<string, Choice[]> = Object.fromEntries(HEADS.map((head) => [head, []]));
  /** The most choices that an execution has. */
  readonly longest: number;
  /** Weights of the executions, which add up to 1, or shares that may be negative. */
  readonly weights: Float64Array;

  constructor(
    readonly dreams: Dreams,
    readonly shape: DataShape,
  ) {
    const { size, choices } = dreams;
    this.weights = dreams.shares ?? normalised(dreams.logWeights);
    this.tokens = shape.signatures.map(() => []);
    this.counts = new Float64Array(size);
    this.placeTokens();
    this.starts = new Int32Array(size + 1);
    for (const choice of choices) {
      const { key, lanes } = choice;
      this.choiceNumber(key);
      this.byHead[key.site.head]?.push(choice);
      for (let i = 0; i < lanes.length; i++) this.starts[lanes[i] + 1]++;
    }
    this.longest = this.starts.reduce((most, count) => Math.max(most, count), 0);
    for (let lane = 0; lane < size; lane++) this.starts[lane + 1] += this.starts[lane];
    this.rows = this.starts[size];
    for (const { key, lanes } of choices) key.site.met += lanes.length;
    scaleSites(choices);
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
    for (const { lanes, tokens, leaves } of dreams.forms) {
      const known = tokens.filter((token) => shape.signature(token) !== undefined);
      const values = known.map((token) =>
        token.leaves.map(({ place }, k) => shape.embedded(shape.signature(token)!, k, leaves(place))),
      );
      const lists = listMoments(known, values, lanes.length);
      known.forEach((token, t) => {
        const signature = shape.signature(token)!;
        this.tokens[signature.number] ??= [];
        const key = this.dataNumber(signature, token.positions);
        for (let i = 0; i < lanes.length; i++) this.counts[lanes[i]]++;
        this.tokens[signature.number].push({ lanes, key, leaves: values[t], lists: lists[t] });
      });
    }
    if (!shape.learning) return;
    for (const signature of shape.signatures) {
      const blocks = this.tokens[signature.number];
      const column = (k: number): unknown[] => blocks.flatMap((block) => Array.from(block.leaves[k]));
      if (blocks.length > 0)
        shape.learn(
          signature,
          signature.leaves.map((_, k) => column(k)),
        );
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
    // One more row, for tokens that are missing.
    room.lanes = Math.max(room.lanes, this.dreams.size + 1);
    room.points ||= this.choiceKeys.some((key) => iterationOf(key) >= 0);
    room.rows = spared(room.rows, this.rows + 1);
    room.choiceKeys = spared(room.choiceKeys, this.choiceKeys.length);
    room.dataKeys = spared(room.dataKeys, this.dataKeys.length);
    this.tokens.forEach((blocks, i) => {
      room.tokens[i] = spared(room.tokens[i] ?? 0, lengthOf(blocks));
    });
    for (const head of HEADS) room.heads[head] = spared(room.heads[head] ?? 0, lengthOf(this.byHead[head]));
    return before !== JSON.stringify(room);
  }
}

const lengthOf = (blocks: readonly { readonly lanes: ArrayLike<number> }[]): number =>
  blocks.reduce((sum, { lanes }) => sum + lanes.length, 0);

function normalised(logs: Float64Array): Float64Array {
  const largest = logs.reduce((a, b) => Math.max(a, b), -Infinity);
  if (largest === -Infinity) return new Float64Array(logs.length);
  const weights = logs.map((log) => Math.exp(log - largest));
  const total = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / total);
}

/** Sites that were not met before learn how large their numbers are. */
export function scaleSites(choices: readonly Choice[]): void {
  const fresh = new Map<Site, Choice[]>();
  for (const choice of choices) {
    const { site } = choice.key;
    if (site.scales !== null) continue;
    const known = fresh.get(site);
    if (known === undefined) fresh.set(site, [choice]);
    else known.push(choice);
  }
  for (const [site, found] of fresh) {
    const all = (of: (choice: Choice) => ArrayLike<number>): number[] =>
      found.flatMap((choice) => Array.from(of(choice)));
    const params = all(({ params: own }) => own);
    site.scales = [
      Scale.of(all(({ x }) => x)),
      ...Array.from({ length: PARAM_FEATURES }, (_, k) => Scale.of(params.filter((__, i) => i % PARAM_FEATURES === k))),
    ];
  }
}

/** Writes the numbers by which later choices know a value; `u` is its coordinate, `index` its place in a list, or −1. */
export function writeValue(
  site: Site,
  u: number,
  x: number,
  index: number,
  out: Float32Array | Float64Array,
  to: number,
): void {
  out[to] = squash(u);
  out[to + 1] = site.scales![0].squashed(x);
  out[to + 2] = Number.isNaN(x) ? 0 : Math.max(-5, Math.min(5, x));
  out[to + 3] = index < 0 ? 0 : 1;
  out[to + 4] = site.scales![0].straight(x);
}

/**
 * Writes the numbers that describe values, each in its row. `at` are their coordinates, `index` their places in
 * lists, or null. For a value of a list the numbers of an earlier choice of it are copied.
 */
export function writeValues(
  site: Site,
  at: ArrayLike<number>,
  x: ArrayLike<number>,
  index: ArrayLike<number> | null,
  rows: ArrayLike<number>,
  out: Float32Array,
): void {
  if (index === null) {
    for (let i = 0; i < rows.length; i++) writeValue(site, at[i], x[i], -1, out, rows[i] * VALUE_FEATURES);
    return;
  }
  const firsts: number[] = [];
  for (let i = 0; i < rows.length; i++) {
    const to = rows[i] * VALUE_FEATURES;
    const first = firsts[index[i]];
    if (first !== undefined && Object.is(x[first], x[i])) {
      const from = rows[first] * VALUE_FEATURES;
      for (let f = 0; f < VALUE_FEATURES; f++) out[to + f] = out[from + f];
    } else {
      writeValue(site, at[i], x[i], index[i], out, to);
      firsts[index[i]] = i;
    }
  }
}

/** The middle of the interval that a whole number is. */
export const middle = (lower: number, upper: number): number =>
  lower === -Infinity ? Math.min(upper, 0) : upper === Infinity ? Math.max(lower, 0) : (lower + upper) / 2;

/** Writes what the network is told of priors, for each choice in its row; rows begin `width` numbers after each other. */
export function writePriors(
  site: Site,
  params: Float64Array,
  rows: ArrayLike<number> | null,
  out: Float32Array | Float64Array,
  width: number,
  offset: number,
): void {
  const count = params.length / PARAM_FEATURES;
  for (let k = 0; k < PARAM_FEATURES; k++) {
    const { centre, spread } = site.scales![k + 1];
    // They are often the same for all.
    let [before, squashed] = [Number.NaN, 0];
    for (let i = 0; i < count; i++) {
      const x = params[i * PARAM_FEATURES + k];
      if (x !== before) {
        before = x;
        squashed = squash((x - centre) / spread);
      }
      out[(rows === null ? i : rows[i]) * width + offset + k] = squashed;
    }
  }
}

/** Writes how many data there are, and how many choices were made, after what is told of the prior. */
export function writeCounts(data: number, earlier: number, out: Float32Array | Float64Array, to: number): void {
  out[to + PARAM_FEATURES] = halfLog(data);
  out[to + PRIOR_FEATURES - 1] = halfLog(earlier);
}

/** log(1 + n) / 2, of small whole numbers from a table. */
const halfLog = (n: number): number => (n < HALF_LOGS.length ? HALF_LOGS[n] : Math.log1p(n) / 2);
const HALF_LOGS = Float64Array.from({ length: 256 }, (_, n) => Math.log1p(n) / 2);

/** The factor of the sum of all earlier choices. */
export const sumScale = (earlier: number): number =>
  earlier < SUM_SCALES.length ? SUM_SCALES[earlier] : 1 / Math.sqrt(1 + earlier);
const SUM_SCALES = Float64Array.from({ length: 256 }, (_, n) => 1 / Math.sqrt(1 + n));

/**
 * Writes what heads know of a value in a list besides its place: the value and its square, as they are and squashed. So a head can say
 * of a value what a normal density says of it.
 */
export function writeListed(site: Site, x: number, out: Float32Array | Float64Array, to: number, step: number): void {
  const scale = site.scales![0];
  const [squashed, straight] = [scale.squashed(x), 3 * scale.straight(x)];
  out[to] = squashed;
  out[to + step] = squashed * squashed;
  out[to + 2 * step] = straight;
  out[to + 3 * step] = (straight * straight) / 6;
}
