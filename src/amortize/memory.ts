/**
 * The choices that executions have made so far, as the network remembers them, and the inputs that they give to its
 * next call.
 */
import { type ChoiceInputs, roomFor } from './choice-inputs.ts';
import type { ChosenValues } from './chosen-values.ts';
import type { Coordinates } from './coordinates-of-many.ts';
import { Gates } from './gates.ts';
import { iterationOf, sumScale, writeCounts, writePriors, writeValue } from './pack.ts';
import { Points } from './points.ts';
import type { ReadingsOfEach } from './readings.ts';
import type { Key, Site } from './sites.ts';
import { mostProposed, POINT, VALUE_FEATURES } from './sizes.ts';

export class Memory {
  readonly points: Points;
  private last: Float32Array;
  private sums: Float32Array;
  private counts: Int32Array;
  /** The most choices that any of them has made. */
  private most = 0;
  private readonly bySite = new Map<number, Float32Array>();
  private readonly tokens: Tokens;
  private readonly gates: Gates;
  /** The last choice, whose token is computed when the next choice asks for it: that of the last is never needed. */
  private latest: { slots: ArrayLike<number>; key: Key; noted: ChosenValues } | null = null;

  constructor(
    private readonly readings: ReadingsOfEach,
    private readonly size: number,
  ) {
    const { parameters, sizes } = readings.network;
    const { token } = sizes;
    this.gates = new Gates(parameters, token);
    this.last = new Float32Array(size * token);
    this.sums = new Float32Array(size * token);
    this.counts = new Int32Array(size);
    this.points = new Points(readings.network, size);
    this.tokens = new Tokens(readings.network);
  }

  /** Executions go on as copies of others: for each, the number of the one it goes on as. */
  copy(ancestors: ArrayLike<number>): void {
    this.settle();
    const rows = (from: Float32Array): Float32Array => {
      const width = from.length / this.size;
      const to = new Float32Array(from.length);
      for (let i = 0; i < ancestors.length; i++) {
        to.set(from.subarray(ancestors[i] * width, (ancestors[i] + 1) * width), i * width);
      }
      return to;
    };
    this.last = rows(this.last);
    this.sums = rows(this.sums);
    this.points.copy(rows);
    this.counts = Int32Array.from(ancestors, (a) => this.counts[a]);
    for (const [site, tokens] of this.bySite) this.bySite.set(site, rows(tokens));
  }

  /** Saves what it remembers of some executions. The function that is returned restores it. */
  bookmark(): (slots: ArrayLike<number>) => void {
    this.settle();
    const pointsAgain = this.points.bookmark();
    const [last, sums, counts] = [this.last.slice(), this.sums.slice(), this.counts.slice()];
    const bySite = new Map([...this.bySite].map(([site, tokens]) => [site, tokens.slice()]));
    return (slots) => {
      // The last choices of other executions stay.
      this.settle();
      const { token } = this.readings.network.sizes;
      rowsAgain(this.last, last, token, slots);
      rowsAgain(this.sums, sums, token, slots);
      rowsAgain(this.counts, counts, 1, slots);
      pointsAgain(slots);
      for (const [site, tokens] of this.bySite) rowsAgain(tokens, bySite.get(site), token, slots);
    };
  }

  /** Which of these executions have made so many choices that nothing is proposed to them any more; null if none has. */
  beyond(slots: ArrayLike<number>): Uint8Array | null {
    this.settle();
    const limit = mostProposed(this.readings.network.sizes);
    if (this.most < limit) return null;
    const found = new Uint8Array(slots.length);
    for (let i = 0; i < slots.length; i++) found[i] = this.counts[slots[i]] < limit ? 0 : 1;
    return found;
  }

  /** What executions tell the first layer. */
  inputs(slots: ArrayLike<number>, key: Key, { params, count }: Coordinates): ChoiceInputs {
    this.settle();
    const { readings, last, sums, counts, points } = this;
    const { network } = readings;
    const { token, attending } = network.sizes;
    const isPointed = points.areUsed;
    const width = network.featureWidth(isPointed);
    const room = roomFor(count);
    const features = network.scratch(room * width);
    const attends = new Float32Array(room);
    const same = this.bySite.get(key.site.number);
    const [, exit] = this.gates.at(key);
    const iteration = iterationOf(key);
    const one = readings.count === 1 ? readings.at(0).count : -1;
    for (let i = 0; i < count; i++) {
      const slot = slots[i];
      const from = slot * token;
      const to = i * width;
      const earlier = counts[slot];
      const scale = sumScale(earlier);
      for (let k = 0; k < token; k++) {
        features[to + k] = last[from + k];
        features[to + token + k] = same === undefined ? 0 : same[from + k];
        features[to + 2 * token + k] = scale * exit[k] * sums[from + k];
      }
      writeCounts(one >= 0 ? one : readings.at(slot).count, earlier, features, to + 3 * token);
      if (isPointed) points.tell(slot, iteration, features, to + width - POINT);
      attends[i] = earlier < attending ? 1 : 0;
    }
    writePriors(key.site, params, null, features, width, 3 * token);
    return { readings, slots, key, count, features, isPointed, attends };
  }

  /** Takes note of what was chosen. */
  remember(slots: ArrayLike<number>, key: Key, noted: ChosenValues): void {
    this.settle();
    this.latest = { slots, key, noted };
  }

  private settle(): void {
    if (this.latest === null) return;
    const { slots, key, noted } = this.latest;
    this.latest = null;
    const { site } = key;
    const { token } = this.readings.network.sizes;
    const { last, sums, counts, tokens } = this;
    let same = this.bySite.get(site.number);
    if (same === undefined) {
      same = new Float32Array(this.size * token);
      this.bySite.set(site.number, same);
    }
    const count = noted.u.length;
    const rows = tokens.of(site, noted);
    const [entry] = this.gates.at(key);
    for (let i = 0; i < count; i++) {
      const made = ++counts[slots[i]];
      if (made > this.most) this.most = made;
      for (let k = 0, to = slots[i] * token, from = tokens.places[i]; k < token; k++, to++, from++) {
        const value = rows[from];
        last[to] = value;
        same[to] = value;
        sums[to] += entry[k] * value;
      }
    }
    const iteration = iterationOf(key);
    if (iteration >= 0) this.points.add(slots, count, last, site.number, iteration);
  }
}

/** Sets rows of a table to what they were; to 0 where there was no table. */
function rowsAgain(
  table: Float32Array | Int32Array,
  before: Float32Array | Int32Array | undefined,
  width: number,
  slots: ArrayLike<number>,
): void {
  for (let i = 0; i < slots.length; i++) {
    const from = slots[i] * width;
    for (let k = from; k < from + width; k++) table[k] = before === undefined ? 0 : before[k];
  }
}

/** The tokens of choices, as later choices read them. Those of one value of a list are the same, and computed once. */
class Tokens {
  /** Where the token of each choice begins. */
  places = new Int32Array(0);
  private rows = new Float64Array(0);
  private readonly features = new Float64Array(VALUE_FEATURES);
  /** Rows of the places of a list that are known, and which value they are of. */
  private readonly listed = new Map<number, { readonly x: number; readonly row: number }>();

  constructor(private readonly network: ReadingsOfEach['network']) {}

  of(site: Site, { u, x, index }: ChosenValues): Float64Array {
    const { token } = this.network.sizes;
    const count = u.length;
    if (this.places.length < count) {
      this.places = new Int32Array(count);
      this.rows = new Float64Array(count * token);
    }
    const { places, listed } = this;
    const write = this.writer(site);
    listed.clear();
    for (let i = 0; i < count; i++) {
      const known = index[i] < 0 ? undefined : listed.get(index[i]);
      if (known !== undefined && Object.is(known.x, x[i])) places[i] = known.row;
      else {
        places[i] = i * token;
        write(u[i], x[i], index[i], i * token);
        if (index[i] >= 0) listed.set(index[i], { x: x[i], row: i * token });
      }
    }
    return this.rows;
  }

  private writer(site: Site): (u: number, x: number, index: number, to: number) => void {
    const { rows, features } = this;
    const { parameters, sizes } = this.network;
    const { token } = sizes;
    const weights = parameters.get('value');
    const sites = parameters.get('token site');
    const indices = parameters.get('token index');
    const own = site.number * token;
    const sums = new Float64Array(token);
    return (u, x, index, to) => {
      const place = (index + 1) * token;
      writeValue(site, u, x, index, features, 0);
      for (let k = 0; k < token; k++) sums[k] = sites[own + k] + indices[place + k];
      for (let f = 0, at = 0; f < VALUE_FEATURES; f++) {
        const feature = features[f];
        for (let k = 0; k < token; k++, at++) sums[k] += feature * weights[at];
      }
      for (let k = 0; k < token; k++) rows[to + k] = sums[k] / (1 + Math.abs(sums[k]));
    };
  }
}
