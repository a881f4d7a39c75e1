/** The inputs of a step of training: a pack of dreams, padded to the room there is. */
import { LIKENESSES, likeness, listValue, type Pack, type Room, sumScale, writePrior, writeValue } from './pack.ts';
import { HEADS, PRIOR_FEATURES, VALUE_FEATURES } from './sizes.ts';

type Arrays = Map<string, Float32Array | Float64Array | Int32Array>;

/** Log-probabilities of values that a list does not have. */
const NEVER = -1e9;
/** Ends of intervals that are at infinity. */
const FAR = 40;

export function feed(pack: Pack, room: Room): Arrays {
  const arrays: Arrays = new Map();
  feedKeys(pack, room, arrays);
  feedTokens(pack, room, arrays);
  feedRows(pack, room, arrays);
  for (const head of HEADS) if (room.heads[head]) feedHead(head, pack, room.heads[head], arrays);
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
  const likenesses = new Float32Array(choices * data * LIKENESSES);
  choiceKeys.forEach(({ positions }, i) => {
    dataKeys.forEach((datum, j) => {
      likeness(positions, datum.positions, likenesses, (i * data + j) * LIKENESSES);
    });
  });
  arrays.set('likeness', likenesses);
}

function feedTokens({ tokens, shape }: Pack, room: Room, arrays: Arrays): void {
  const { lanes, dataKeys } = room;
  const there = new Float32Array(lanes * dataKeys);
  tokens.forEach((list, s) => {
    const count = room.tokens[s];
    if (count === 0) return;
    const signature = shape.signatures[s];
    const { width } = signature;
    const numbers = new Float32Array(count * width);
    const keys = new Int32Array(count);
    // What is not there is put where nobody reads: the last execution is none.
    const places = new Int32Array(count).fill(lanes * dataKeys - 1);
    list.forEach(({ lane, key, leaves }, i) => {
      shape.write(signature, leaves, numbers, i * width);
      keys[i] = key;
      places[i] = lane * dataKeys + key;
      there[lane * dataKeys + key]++;
    });
    arrays.set(`tokens ${s}`, numbers);
    arrays.set(`token key ${s}`, keys);
    arrays.set(`token place ${s}`, places);
  });
  arrays.set('there', there);
}

function feedRows(pack: Pack, room: Room, arrays: Arrays): void {
  const { order, counts } = pack;
  const { rows, choiceKeys } = room;
  const values = new Float32Array(rows * VALUE_FEATURES);
  const priors = new Float32Array(rows * PRIOR_FEATURES);
  // The first row is nobody's, and 0: the sum before the first choice, and what there is before it.
  const [keys, sites, index, reads, last, same, before, start] = Array.from({ length: 8 }, () => new Int32Array(rows));
  const real = new Float32Array(rows);
  const scales = new Float32Array(rows);
  let lane = -1;
  let first = 0;
  let latest = new Map<number, number>();
  for (let i = 0; i < order.length; i++) {
    const row = order[i];
    const r = i + 1;
    if (row.lane !== lane) {
      lane = row.lane;
      first = r;
      latest = new Map();
    }
    const { site } = row.key;
    const key = pack.choiceNumber(row.key);
    writeValue(row, values, r * VALUE_FEATURES);
    writePrior(site, row.params, counts[lane], r - first, priors, r * PRIOR_FEATURES);
    keys[r] = key;
    sites[r] = site.number;
    index[r] = row.index + 1;
    reads[r] = lane * choiceKeys + key;
    real[r] = 1;
    scales[r] = sumScale(r - first);
    if (r > first) last[r] = r - 1;
    same[r] = latest.get(site.number) ?? 0;
    latest.set(site.number, r);
    before[r] = r - 1;
    start[r] = first - 1;
  }
  for (const [name, array] of Object.entries({ value: values, prior: priors, last, same, before, start })) {
    arrays.set(name, array);
  }
  arrays.set('row key', keys);
  arrays.set('row site', sites);
  arrays.set('row index', index);
  arrays.set('row read', reads);
  arrays.set('row is real', real);
  arrays.set('sum scale', scales);
}

function feedHead(head: string, { order, byHead, weights }: Pack, count: number, arrays: Arrays): void {
  const rows = byHead[head];
  const indices = new Int32Array(count);
  const weight = new Float64Array(count);
  const numbers = (): Float64Array => new Float64Array(count);
  const [a, b, log] = [numbers(), numbers(), numbers()];
  const length = head.startsWith('finite') ? Number(head.slice(6)) : 0;
  const [logs, chosen, list] = [0, 1, 2].map(() => new Float32Array(count * length));
  if (length === 0 && head === 'whole') b.fill(1);
  rows.forEach((r, i) => {
    const row = order[r];
    indices[i] = r + 1;
    weight[i] = weights[row.lane];
    const coordinate = (u: number): number => Math.max(-FAR, Math.min(FAR, u));
    a[i] = coordinate(row.u);
    if (head === 'real') log[i] = 0.5 * a[i] * a[i];
    else {
      b[i] = coordinate(row.upper);
      log[i] = row.log;
    }
    for (let k = 0; k < length; k++) {
      const to = i * length + k;
      logs[to] = k < row.logs!.length ? Math.max(NEVER, row.logs![k]) : NEVER;
      chosen[to] = k === row.index ? 1 : 0;
      if (row.list !== null && k < row.list.length) list[to] = listValue(row.key.site, row.list[k]);
    }
  });
  arrays.set(`${head} rows`, indices);
  arrays.set(`${head} weight`, weight);
  if (head === 'real') {
    arrays.set('real u', a);
    arrays.set('real offset', log);
  } else if (head === 'whole') {
    arrays.set('whole lower', a);
    arrays.set('whole upper', b);
    arrays.set('whole log', log);
  } else {
    arrays.set(`${head} list`, list);
    arrays.set(`${head} logs`, logs);
    arrays.set(`${head} chosen`, chosen);
    arrays.set(`${head} log`, log);
  }
}
