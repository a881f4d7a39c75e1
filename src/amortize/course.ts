/** What executions have chosen so far, as the network remembers it, and what it proposes to them next. */
import { type AnyDistribution, distributionAt } from '../lanes/columns/distribution.ts';
import type { Address } from '../runtime/address.ts';
import type { Distribution } from '../runtime/handler.ts';
import { type Chain, chainOf, partValue } from './chains.ts';
import { EDGE } from './coordinates.ts';
import { type Coordinates, coordinatesOf, placeIn } from './coordinates-of-many.ts';
import type { Reading } from './forward.ts';
import { middle, sumScale, writePrior, writeValue } from './pack.ts';
import { pick, SaidList, SaidMixture } from './said.ts';
import type { Key, Sites } from './sites.ts';
import { outputsOf, PRIOR_FEATURES, TOLD_PARAMS, VALUE_FEATURES } from './sizes.ts';
import { asNumber } from './told.ts';

/** How a choice is met by some executions. */
export interface Meeting {
  readonly address: Address;
  readonly base: Address;
  /** The numbers of the executions. */
  readonly slots: ArrayLike<number>;
  readonly target: AnyDistribution;
  /** A random number for each execution, new ones with each call. */
  uniforms(): ArrayLike<number>;
  normals(): ArrayLike<number>;
  /** A value for each from what it is drawn from: one for all, or one for each. */
  draw(target: AnyDistribution): ArrayLike<unknown>;
  /** Values that are given, and only weighed. */
  readonly given?: ArrayLike<unknown>;
  /** Whether the choice has a guide of its own. */
  readonly hasGuide?: boolean;
}

/** Values that were chosen: as numbers, if all of them are. */
export interface Chosen {
  readonly numbers: Float64Array | null;
  readonly list: unknown[] | null;
}

export class Course {
  /** Log of the guide over the prior, for all choices so far. */
  readonly ratios: Float64Array;
  /** Choices that the training never met. */
  unseen = 0;
  /** Whether a loop was met that rejects. */
  hasRejected = false;
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

  /** What it remembers, to come back to by calling the function that is given. */
  bookmark(): () => void {
    const [last, sums, counts, ratios] = [
      this.last.slice(),
      this.sums.slice(),
      this.counts.slice(),
      this.ratios.slice(),
    ];
    const bySite = new Map([...this.bySite].map(([site, tokens]) => [site, tokens.slice()]));
    return () => {
      this.last.set(last);
      this.sums.set(sums);
      this.counts.set(counts);
      this.ratios.set(ratios);
      for (const [site, tokens] of this.bySite) tokens.set(bySite.get(site) ?? new Float32Array(tokens.length));
    };
  }

  /** Makes a choice: gives the value of each. Ratios are brought up to date. */
  choose(meeting: Meeting): Chosen {
    const { slots, target, hasGuide } = meeting;
    this.choices += slots.length;
    const first = (Array.isArray(target) ? target[0] : target) as Distribution<unknown>;
    if (hasGuide === true || chainOf(first) === null) return this.scalar(meeting, -1, undefined);
    const chains = Array.from(slots, (_, i) => chainOf(distributionAt(target, i)));
    if (chains.some((chain) => chain?.length !== chains[0]?.length)) return this.fromPriors(meeting);
    return { numbers: null, list: this.chained(meeting, chains as Chain[], first.name) };
  }

  /** Vectors part after part. */
  private chained(meeting: Meeting, chains: readonly Chain[], family: string): unknown[] {
    const parts = chains.map((): (number | boolean)[] => []);
    const given = meeting.given === undefined ? null : chains.map((chain, i) => chain.partsOf(meeting.given![i]));
    for (let k = 0; k < chains[0].length; k++) {
      const priors = chains.map((chain, i) => chain.part(k, parts[i]));
      const chosen = this.scalar(
        { ...meeting, target: priors, given: given?.map((own, i) => partValue(priors[i], own![k])) },
        k,
        family,
      );
      parts.forEach((own, i) => void own.push((chosen.list?.[i] ?? chosen.numbers![i]) as number | boolean));
    }
    return parts.map((own, i) => meeting.given?.[i] ?? chains[i].whole(own));
  }

  private fromPriors(meeting: Meeting): Chosen {
    this.unseen += meeting.slots.length;
    return { numbers: null, list: Array.from(meeting.given ?? meeting.draw(meeting.target)) };
  }

  /** One scalar choice; executions whose choices are of another kind go apart. */
  private scalar(meeting: Meeting, part: number, family: string | undefined): Chosen {
    const { slots, target, hasGuide } = meeting;
    const met = coordinatesOf(target, slots.length, hasGuide, family);
    if (met.length === 1) return this.atKey(meeting, met[0].coordinates, part);
    const list = new Array<unknown>(slots.length);
    for (const { members, coordinates } of met) {
      const of = <T>(all: ArrayLike<T>): T[] => Array.from(members!, (m) => all[m]);
      const targets = of(Array.from(slots, (_, i) => distributionAt(target, i)));
      const own: Meeting = {
        ...meeting,
        slots: of(slots),
        target: targets,
        uniforms: () => of(meeting.uniforms()),
        normals: () => of(meeting.normals()),
        draw: () => of(meeting.draw(target)),
        given: meeting.given && of(meeting.given),
      };
      const chosen = this.atKey(own, coordinates, part);
      members!.forEach((m, i) => {
        list[m] = chosen.list?.[i] ?? chosen.numbers![i];
      });
    }
    return { numbers: null, list };
  }

  private atKey(meeting: Meeting, coordinates: Coordinates, part: number): Chosen {
    const { family, head } = coordinates;
    const key = this.sites.keyOf(meeting.address, meeting.base, family, head, part);
    const isKnown = key?.site.scales != null;
    if (!isKnown) return this.fromPriors(meeting);
    if (head !== 'own' && head !== 'prior') return this.propose(meeting, key, coordinates);
    const list = Array.from(meeting.given ?? meeting.draw(meeting.target));
    const noted = new Noted(list.length);
    for (let i = 0; i < list.length; i++) noted.put(i, 0, asNumber(list[i]), -1);
    this.remember(meeting, key, noted);
    return { numbers: null, list };
  }

  private propose(meeting: Meeting, key: Key, coordinates: Coordinates): Chosen {
    const { network } = this.reading;
    const { head } = key.site;
    const { count } = coordinates;
    const said = network.say(head, this.reading.offsets(key), this.told(meeting, key, coordinates), count);
    const noted = new Noted(count);
    const list = head.startsWith('finite')
      ? this.proposeListed(meeting, key, coordinates, said, noted)
      : this.proposeNumbers(meeting, coordinates, said, noted);
    this.remember(meeting, key, noted);
    return { numbers: list === null ? noted.x : null, list };
  }

  private proposeNumbers(
    { slots, given, ...meeting }: Meeting,
    coordinates: Coordinates,
    said: ArrayLike<number>,
    noted: Noted,
  ): null {
    const { head, count, isOpen } = coordinates;
    const { mixture, ratios, fromPrior } = this;
    const width = outputsOf(head, this.reading.network.sizes);
    const isReal = head === 'real';
    const [uniforms, normals] = given === undefined ? [meeting.uniforms(), meeting.normals()] : [null, null];
    for (let i = 0; i < count; i++) {
      const slot = slots[i];
      mixture.take(said, i * width);
      let x: number;
      let u: number;
      let isBeyond = false;
      if (given !== undefined) {
        x = given[i] as number;
        u = isReal ? coordinates.to(i, x) : 0;
      } else {
        u = fromPrior[slot] === 1 ? normals![i] : mixture.draw(uniforms![i], normals![i]);
        // Beyond the edge, cumulative probabilities have no digits left.
        isBeyond = !isOpen && Math.abs(u) > EDGE;
        x = coordinates.from(i, isBeyond ? Math.sign(u) * EDGE : u);
      }
      if (isReal) ratios[slot] += isBeyond ? Infinity : mixture.logRatio(u);
      else {
        const [lower, upper] = [coordinates.lower(i, x), coordinates.upper(i, x)];
        // What is drawn beyond the edge is brought back to it.
        const mass = mixture.mass(lower <= -EDGE ? -Infinity : lower, upper >= EDGE ? Infinity : upper);
        ratios[slot] += Math.log(mass) - coordinates.score(i, x);
        u = middle(lower, upper);
      }
      noted.put(i, u, x, -1);
    }
    return null;
  }

  private proposeListed(
    { slots, given, ...meeting }: Meeting,
    key: Key,
    coordinates: Coordinates,
    said: ArrayLike<number>,
    noted: Noted,
  ): unknown[] {
    const { head, count } = coordinates;
    const length = Number(head.slice(6));
    const uniforms = given === undefined ? meeting.uniforms() : null;
    const values = new Array<unknown>(count);
    for (let i = 0; i < count; i++) {
      const slot = slots[i];
      const listed = coordinates.list(i);
      const list = this.list.take(said, i * (length + 2), length, listed, key.site);
      const index =
        given !== undefined
          ? placeIn(listed, given[i])
          : this.fromPrior[slot] === 1
            ? pick(listed.logs, 0, uniforms![i])
            : list.draw(uniforms![i]);
      this.ratios[slot] += list.logRatio(index, listed.logs);
      values[i] = listed.values[index];
      noted.put(i, 0, listed.numbers === null ? Number.NaN : listed.numbers[index], index);
    }
    return values;
  }

  /** What executions tell the first layer. */
  private told({ slots }: Meeting, key: Key, { params, count }: Coordinates): Float32Array {
    const { network, count: data } = this.reading;
    const { token } = network.sizes;
    const width = network.told;
    const told = new Float32Array(count * width);
    const same = this.bySite.get(key.site.number);
    const { last, sums, counts } = this;
    for (let i = 0; i < count; i++) {
      const slot = slots[i];
      const from = slot * token;
      const to = i * width;
      const scale = sumScale(counts[slot]);
      for (let k = 0; k < token; k++) {
        told[to + k] = last[from + k];
        told[to + 2 * token + k] = scale * sums[from + k];
      }
      if (same !== undefined) for (let k = 0; k < token; k++) told[to + token + k] = same[from + k];
      writePrior(key.site, params, i * TOLD_PARAMS, data, counts[slot], told, to + width - PRIOR_FEATURES);
    }
    return told;
  }

  /** Takes note of what was chosen. */
  private remember({ slots }: Meeting, { site }: Key, noted: Noted): void {
    const { parameters, sizes } = this.reading.network;
    const { token } = sizes;
    const weights = parameters.get('value');
    const sites = parameters.get('token site');
    const indices = parameters.get('token index');
    const { last, sums, counts } = this;
    let same = this.bySite.get(site.number);
    if (same === undefined) {
      same = new Float32Array(this.size * token);
      this.bySite.set(site.number, same);
    }
    const features = new Float64Array(VALUE_FEATURES);
    const { u, x, index } = noted;
    for (let i = 0; i < u.length; i++) {
      const to = slots[i] * token;
      writeValue(site, u[i], x[i], index[i], features, 0);
      const [f0, f1, f2, f3] = features;
      for (let k = 0; k < token; k++) {
        const sum =
          sites[site.number * token + k] +
          indices[(index[i] + 1) * token + k] +
          f0 * weights[k] +
          f1 * weights[token + k] +
          f2 * weights[2 * token + k] +
          f3 * weights[3 * token + k];
        const value = sum / (1 + Math.abs(sum));
        last[to + k] = value;
        same[to + k] = value;
        sums[to + k] += value;
      }
      counts[slots[i]]++;
    }
  }
}

/** What was chosen: coordinates, values as numbers, places in lists. */
class Noted {
  readonly u: Float64Array;
  readonly x: Float64Array;
  readonly index: Int32Array;

  constructor(count: number) {
    this.u = new Float64Array(count);
    this.x = new Float64Array(count);
    this.index = new Int32Array(count);
  }

  put(i: number, u: number, x: number, index: number): void {
    this.u[i] = u;
    this.x[i] = x;
    this.index[i] = index;
  }
}
