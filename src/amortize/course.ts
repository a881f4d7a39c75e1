/** What executions have chosen so far, as the network remembers it, and what it proposes to them next. */
import type { Address } from '../runtime/address.ts';
import type { Distribution } from '../runtime/handler.ts';
import type { Random } from '../runtime/random.ts';
import { type Chain, chainOf, partValue } from './chains.ts';
import { type Coordinate, coordinateOf } from './coordinates.ts';
import type { Reading } from './forward.ts';
import { listValue, sumScale, writePrior, writeValue } from './pack.ts';
import { headFor, rowOf } from './recorder.ts';
import { asNumbers, toldParams } from './rows.ts';
import { proposeReal, proposeWhole, ratioOfReal, ratioOfWhole, SaidList, SaidMixture } from './said.ts';
import type { Key, Sites } from './sites.ts';
import { outputsOf, PRIOR_FEATURES, VALUE_FEATURES } from './sizes.ts';

/** How a choice is met by some executions: for each, what it is drawn from, and with which random numbers. */
export interface Meeting {
  readonly address: Address;
  readonly base: Address;
  /** The numbers of the executions. */
  readonly slots: ArrayLike<number>;
  target(i: number): Distribution<unknown>;
  /** Valid until the next call. */
  random(i: number): Random;
  /** One that stays. */
  ownRandom(i: number): Random;
  /** Values that are given, and only weighed; undefined where they are to be drawn. */
  given?(i: number): unknown;
  /** Whether the choice has a guide of its own. */
  readonly hasGuide?: boolean;
}

export class Course {
  /** Log of the guide over the prior, for all choices so far. */
  readonly ratios: Float64Array;
  /** Choices that the training never met. */
  unseen = 0;
  choices = 0;
  private last: Float32Array;
  private sums: Float32Array;
  private counts: Int32Array;
  private bySite = new Map<number, Float32Array>();
  private readonly mixture: SaidMixture;
  private readonly list = new SaidList();

  constructor(
    private readonly sites: Sites,
    private readonly reading: Reading,
    private readonly size: number,
    /** Executions that draw from the prior: 1. */
    readonly fromPrior: Uint8Array,
  ) {
    const { token, components } = reading.network.sizes;
    this.ratios = new Float64Array(size);
    this.last = new Float32Array(size * token);
    this.sums = new Float32Array(size * token);
    this.counts = new Int32Array(size);
    this.mixture = new SaidMixture(components);
  }

  /** Executions go on as copies of others: for each, the number of the one it goes on as. */
  copy(ancestors: ArrayLike<number>): void {
    const { token } = this.reading.network.sizes;
    const rows = (from: Float32Array): Float32Array => {
      const to = new Float32Array(from.length);
      for (let i = 0; i < ancestors.length; i++) {
        to.set(from.subarray(ancestors[i] * token, (ancestors[i] + 1) * token), i * token);
      }
      return to;
    };
    this.last = rows(this.last);
    this.sums = rows(this.sums);
    this.counts = Int32Array.from(ancestors, (a) => this.counts[a]);
    this.ratios.set(Float64Array.from(ancestors, (a) => this.ratios[a]));
    this.fromPrior.set(Uint8Array.from(ancestors, (a) => this.fromPrior[a]));
    for (const [site, tokens] of this.bySite) this.bySite.set(site, rows(tokens));
  }

  /** Makes a choice: gives the value of each. Ratios are brought up to date. */
  choose(meeting: Meeting): unknown[] {
    const { slots, hasGuide } = meeting;
    const count = slots.length;
    this.choices += count;
    const chains = hasGuide === true ? null : chainsOf(meeting, count);
    if (chains === null) return this.scalar(meeting, -1, undefined);
    const values = new Array<unknown>(count);
    for (const [length, members] of byLength(chains)) {
      const parts = members.map((): (number | boolean)[] => []);
      const randoms = members.map((m) => meeting.ownRandom(m));
      const wanted = members.map((m) => {
        const given = meeting.given?.(m);
        return given === undefined ? null : chains[m].partsOf(given);
      });
      for (let i = 0; i < length; i++) {
        const targets = members.map((m, k) => chains[m].part(i, parts[k]));
        const chosen = this.scalar(
          {
            address: meeting.address,
            base: meeting.base,
            slots: members.map((m) => slots[m]),
            target: (k) => targets[k],
            random: (k) => randoms[k],
            ownRandom: (k) => randoms[k],
            given: (k) => (wanted[k] === null ? undefined : partValue(targets[k], wanted[k]![i])),
          },
          i,
          meeting.target(members[0]).name,
        );
        chosen.forEach((value, k) => void parts[k].push(value as number | boolean));
      }
      members.forEach((m, k) => {
        values[m] = meeting.given?.(m) ?? chains[m].whole(parts[k]);
      });
    }
    return values;
  }

  /** One scalar choice; executions whose choices are of another kind go apart. */
  private scalar(meeting: Meeting, part: number, family: string | undefined): unknown[] {
    const { slots, hasGuide } = meeting;
    const count = slots.length;
    const values = new Array<unknown>(count);
    const coordinates = new Array<Coordinate | null>(count);
    const byKey = new Map<Key | null, number[]>();
    let earlier: Distribution<unknown> | null = null;
    let key: Key | null = null;
    for (let i = 0; i < count; i++) {
      const target = meeting.target(i);
      if (target === earlier) coordinates[i] = coordinates[i - 1];
      else {
        earlier = target;
        coordinates[i] = hasGuide ? null : coordinateOf(target);
        const head = hasGuide ? 'own' : headFor(coordinates[i]);
        key = this.sites.keyOf(meeting.address, meeting.base, family ?? target.name, head, part);
      }
      const members = byKey.get(key);
      if (members === undefined) byKey.set(key, [i]);
      else members.push(i);
    }
    for (const [found, members] of byKey) this.atKey(meeting, found, members, coordinates, values);
    return values;
  }

  private atKey(
    meeting: Meeting,
    key: Key | null,
    members: readonly number[],
    coordinates: readonly (Coordinate | null)[],
    values: unknown[],
  ): void {
    const isKnown = key?.site.scales != null;
    const speaks = isKnown && key.site.head !== 'own' && key.site.head !== 'prior';
    if (!isKnown) this.unseen += members.length;
    if (!speaks) {
      for (const i of members) values[i] = meeting.given?.(i) ?? meeting.target(i).draw(meeting.random(i));
    } else this.propose(meeting, key, members, coordinates, values);
    if (isKnown) this.remember(meeting, key, members, coordinates, values);
  }

  private propose(
    meeting: Meeting,
    key: Key,
    members: readonly number[],
    coordinates: readonly (Coordinate | null)[],
    values: unknown[],
  ): void {
    const { network } = this.reading;
    const { head } = key.site;
    const said = network.say(head, this.reading.offsets(key), this.told(meeting, key, members), members.length);
    const width = outputsOf(head, network.sizes);
    for (let m = 0; m < members.length; m++) {
      const i = members[m];
      const slot = meeting.slots[i];
      const target = meeting.target(i);
      const random = meeting.random(i);
      let given = meeting.given?.(i);
      if (given === undefined && this.fromPrior[slot] === 1) given = target.draw(random);
      this.ratios[slot] += this.one(key, coordinates[i]!, target, said, m * width, given, random, (value) => {
        values[i] = value;
      });
    }
  }

  /** Draws or weighs one value; gives the log of guide over prior. */
  private one(
    key: Key,
    coordinate: Coordinate,
    target: Distribution<unknown>,
    said: ArrayLike<number>,
    start: number,
    given: unknown,
    random: Random,
    put: (value: unknown) => void,
  ): number {
    if (coordinate.kind === 'finite') {
      const numbers = asNumbers(coordinate.values)?.map((x) => listValue(key.site, x)) ?? null;
      const list = this.list.take(said, start, Number(key.site.head.slice(6)), coordinate, numbers);
      const index = given === undefined ? list.draw(random) : coordinate.values.indexOf(given);
      put(coordinate.values[index]);
      return list.logRatio(index, coordinate.logs);
    }
    const mixture = this.mixture.take(said, start);
    if (given !== undefined) {
      put(given);
      return coordinate.kind === 'real'
        ? ratioOfReal(mixture, coordinate, given as number)
        : ratioOfWhole(mixture, coordinate, (x) => target.score(x), given as number);
    }
    const { value, logRatio } =
      coordinate.kind === 'real'
        ? proposeReal(mixture, coordinate, random)
        : proposeWhole(mixture, coordinate, (x) => target.score(x), random);
    put(value);
    return logRatio;
  }

  /** What executions tell the first layer. */
  private told(meeting: Meeting, key: Key, members: readonly number[]): Float32Array {
    const { network, count } = this.reading;
    const { token } = network.sizes;
    const width = network.told;
    const told = new Float32Array(members.length * width);
    const same = this.bySite.get(key.site.number);
    let earlier: Distribution<unknown> | null = null;
    let params: Float64Array | null = null;
    for (let m = 0; m < members.length; m++) {
      const i = members[m];
      const slot = meeting.slots[i];
      const from = slot * token;
      const to = m * width;
      const scale = sumScale(this.counts[slot]);
      for (let k = 0; k < token; k++) {
        told[to + k] = this.last[from + k];
        if (same !== undefined) told[to + token + k] = same[from + k];
        told[to + 2 * token + k] = scale * this.sums[from + k];
      }
      const target = meeting.target(i);
      if (target !== earlier) {
        earlier = target;
        params = toldParams(target.params);
      }
      writePrior(key.site, params!, count, this.counts[slot], told, to + width - PRIOR_FEATURES);
    }
    return told;
  }

  /** Takes note of what was chosen. */
  private remember(
    meeting: Meeting,
    key: Key,
    members: readonly number[],
    coordinates: readonly (Coordinate | null)[],
    values: readonly unknown[],
  ): void {
    const { parameters, sizes } = this.reading.network;
    const { token } = sizes;
    const { site } = key;
    const [weights, sites, indices] = ['value', 'token site', 'token index'].map((name) => parameters.get(name));
    let same = this.bySite.get(site.number);
    if (same === undefined) {
      same = new Float32Array(this.size * token);
      this.bySite.set(site.number, same);
    }
    const features = new Float64Array(VALUE_FEATURES);
    for (const i of members) {
      const slot = meeting.slots[i];
      const row = rowOf(key, 0, meeting.target(i), values[i], coordinates[i]);
      writeValue(row, features, 0);
      for (let k = 0; k < token; k++) {
        let sum = sites[site.number * token + k] + indices[(row.index + 1) * token + k];
        for (let f = 0; f < VALUE_FEATURES; f++) sum += features[f] * weights[f * token + k];
        const value = sum / (1 + Math.abs(sum));
        this.last[slot * token + k] = value;
        same[slot * token + k] = value;
        this.sums[slot * token + k] += value;
      }
      this.counts[slot]++;
    }
  }
}

/** The chains of all executions; null if there are none. */
function chainsOf(meeting: Meeting, count: number): Chain[] | null {
  const first = chainOf(meeting.target(0));
  if (first === null) return null;
  const chains = [first];
  let earlier = meeting.target(0);
  for (let i = 1; i < count; i++) {
    const target = meeting.target(i);
    const chain = target === earlier ? chains[i - 1] : chainOf(target);
    if (chain === null) return null;
    earlier = target;
    chains.push(chain);
  }
  return chains;
}

function byLength(chains: readonly Chain[]): Map<number, number[]> {
  const members = new Map<number, number[]>();
  chains.forEach(({ length }, i) => {
    const known = members.get(length);
    if (known === undefined) members.set(length, [i]);
    else known.push(i);
  });
  return members;
}
