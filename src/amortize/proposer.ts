/** The proposer of a network: draws the choices of executions from what the network says of them, and weighs them. */
import { type AnyDistribution, distributionAt } from '../lanes/columns/distribution.ts';
import type { Address } from '../runtime/address.ts';
import type { Distribution } from '../runtime/handler.ts';
import type { ChoiceInputs } from './choice-inputs.ts';
import { ChosenValues } from './chosen-values.ts';
import { EDGE } from './coordinates.ts';
import { type Coordinates, coordinatesOf, placeIn } from './coordinates-of-many.ts';
import { asNumber } from './features.ts';
import { HeadList, HeadMixture, pick } from './head-distributions.ts';
import { Memory } from './memory.ts';
import type { Drawn, Noise } from './network.ts';
import { middle } from './pack.ts';
import type { ReadingsOfEach } from './readings.ts';
import { partValue, type ScalarSequence, sequenceOf } from './scalar-sequences.ts';
import type { Key, Sites } from './sites.ts';
import { LIST_FEATURES, listLengthOf, outputsOf, POINT } from './sizes.ts';

/** From this number of executions on, a table of a prior's quantiles is faster. */
const WORTH_A_TABLE = 64;

/** A choice that some executions have come to. */
interface MetChoice {
  readonly address: Address;
  readonly base: Address;
  /** The numbers of the executions. */
  readonly slots: ArrayLike<number>;
  readonly target: AnyDistribution;
  /** A random number for each execution, new ones with each call. */
  uniforms(): ArrayLike<number>;
  normals(): ArrayLike<number>;
  /** Draws a value for each execution, from one distribution for all or one for each. */
  draw(target: AnyDistribution): ArrayLike<unknown>;
  /** Weighs values that are given. */
  readonly given?: ArrayLike<unknown>;
  /** Whether the choice has a guide of its own. */
  readonly hasGuide?: boolean;
}

/** Values that were chosen: as numbers, if all of them are. */
interface Chosen {
  readonly numbers: Float64Array | null;
  readonly list: unknown[] | null;
}

/** 1 for each execution that has made so many choices that the network proposes no more; null if there is none. */
type Beyond = Uint8Array | null;

export class Proposer {
  /** Log of the guide over the prior, for all choices so far. */
  readonly ratios: Float64Array;
  /** The log-weight of each execution that its handler has counted so far. */
  readonly weights: Float64Array;
  /** Choices that the training never met, by datum. */
  readonly unseen: Int32Array;
  /** Whether a loop that rejects was met. */
  hasRejected = false;
  /** All choices, by datum. */
  readonly choices: Int32Array;
  private readonly memory: Memory;
  private readonly mixture: HeadMixture;
  private readonly list = new HeadList();

  constructor(
    private readonly sites: Sites,
    private readonly readings: ReadingsOfEach,
    size: number,
    /** Executions that draw from the prior: 1. */
    readonly fromPrior: Uint8Array,
  ) {
    this.unseen = new Int32Array(readings.count);
    this.choices = new Int32Array(readings.count);
    this.ratios = new Float64Array(size);
    this.weights = new Float64Array(size);
    this.mixture = new HeadMixture(readings.network.sizes.components);
    this.memory = new Memory(readings, size);
  }

  /** Resampling: each execution goes on as a copy of another, whose number `ancestors` has. */
  copy(ancestors: ArrayLike<number>): void {
    this.memory.copy(ancestors);
    for (const numbers of [this.ratios, this.weights]) numbers.set(Float64Array.from(ancestors, (a) => numbers[a]));
    this.fromPrior.set(Uint8Array.from(ancestors, (a) => this.fromPrior[a]));
  }

  /** Saves the state of some executions. The function that is returned restores it. */
  bookmark(): (slots: ArrayLike<number>) => void {
    const again = this.memory.bookmark();
    const ratios = this.ratios.slice();
    return (slots) => {
      again(slots);
      for (let i = 0; i < slots.length; i++) this.ratios[slots[i]] = ratios[slots[i]];
    };
  }

  /** Counts executions for their data. */
  private note(counter: Int32Array, slots: ArrayLike<number>): void {
    if (counter.length === 1) counter[0] += slots.length;
    else for (let i = 0; i < slots.length; i++) counter[this.readings.placeOf(slots[i])]++;
  }

  /** Makes a choice: gives the value of each. Ratios are brought up to date. */
  choose(choice: MetChoice): Chosen {
    const { slots, target, hasGuide } = choice;
    this.note(this.choices, slots);
    const first = (Array.isArray(target) ? target[0] : target) as Distribution<unknown>;
    if (hasGuide === true || sequenceOf(first) === null) return this.scalar(choice, -1, undefined);
    const sequences = Array.from(slots, (_, i) => sequenceOf(distributionAt(target, i)));
    if (sequences.some((sequence) => sequence?.length !== sequences[0]?.length)) return this.fromPriors(choice);
    return { numbers: null, list: this.inSequence(choice, sequences as ScalarSequence[], first.name) };
  }

  /** Vectors, one element after the other. */
  private inSequence(choice: MetChoice, sequences: readonly ScalarSequence[], family: string): unknown[] {
    const parts = sequences.map((): (number | boolean)[] => []);
    const given =
      choice.given === undefined ? null : sequences.map((sequence, i) => sequence.partsOf(choice.given![i]));
    for (let k = 0; k < sequences[0].length; k++) {
      const priors = sequences.map((sequence, i) => sequence.part(k, parts[i]));
      const chosen = this.scalar(
        { ...choice, target: priors, given: given?.map((own, i) => partValue(priors[i], own![k])) },
        k,
        family,
      );
      parts.forEach((own, i) => void own.push((chosen.list?.[i] ?? chosen.numbers![i]) as number | boolean));
    }
    return parts.map((own, i) => choice.given?.[i] ?? sequences[i].whole(own));
  }

  private fromPriors(choice: MetChoice): Chosen {
    this.note(this.unseen, choice.slots);
    return { numbers: null, list: Array.from(choice.given ?? choice.draw(choice.target)) };
  }

  /** One scalar choice. Executions whose choices are of different kinds are treated in separate groups. */
  private scalar(choice: MetChoice, part: number, family: string | undefined): Chosen {
    const { slots, target, hasGuide } = choice;
    const met = coordinatesOf(target, slots.length, hasGuide, family);
    if (met.length === 1) return this.atKey(choice, met[0].coordinates, part);
    const list = new Array<unknown>(slots.length);
    for (const { members, coordinates } of met) {
      const of = <T>(all: ArrayLike<T>): T[] => Array.from(members!, (m) => all[m]);
      const targets = of(Array.from(slots, (_, i) => distributionAt(target, i)));
      const own: MetChoice = {
        ...choice,
        slots: of(slots),
        target: targets,
        uniforms: () => of(choice.uniforms()),
        normals: () => of(choice.normals()),
        draw: () => of(choice.draw(target)),
        given: choice.given && of(choice.given),
      };
      const chosen = this.atKey(own, coordinates, part);
      members!.forEach((m, i) => {
        list[m] = chosen.list?.[i] ?? chosen.numbers![i];
      });
    }
    return { numbers: null, list };
  }

  private atKey(choice: MetChoice, coordinates: Coordinates, part: number): Chosen {
    const { family, head } = coordinates;
    const key = this.sites.keyOf(choice.address, choice.base, family, head, part);
    const isKnown = key?.site.scales != null;
    if (!isKnown) return this.fromPriors(choice);
    if (head !== 'own' && head !== 'prior') return this.propose(choice, key, coordinates);
    const list = Array.from(choice.given ?? choice.draw(choice.target));
    const noted = new ChosenValues(list.length);
    for (let i = 0; i < list.length; i++) noted.put(i, 0, asNumber(list[i]), -1);
    this.memory.remember(choice.slots, key, noted);
    return { numbers: null, list };
  }

  private propose(choice: MetChoice, key: Key, coordinates: Coordinates): Chosen {
    const { head } = key.site;
    const inputs = this.memory.inputs(choice.slots, key, coordinates);
    const beyond = this.memory.beyond(choice.slots);
    const noted = new ChosenValues(coordinates.count);
    const list =
      listLengthOf(head) > 0
        ? this.proposeListed(choice, key, coordinates, inputs, noted, beyond)
        : head === 'real'
          ? this.proposeReal(choice, coordinates, inputs, noted, beyond)
          : this.proposeWhole(choice, coordinates, inputs, noted, beyond);
    this.memory.remember(choice.slots, key, noted);
    return { numbers: list === null ? noted.x : null, list };
  }

  private proposeReal(
    choice: MetChoice,
    coordinates: Coordinates,
    inputs: ChoiceInputs,
    noted: ChosenValues,
    beyond: Beyond,
  ): null {
    const { slots, given } = choice;
    const { count, isOpen } = coordinates;
    const { ratios, fromPrior } = this;
    const normals =
      given === undefined ? choice.normals() : Float64Array.from(given, (x, i) => coordinates.to(i, x as number));
    const isGiven = new Float64Array(count).fill(1);
    if (given === undefined) for (let i = 0; i < count; i++) isGiven[i] = beyond?.[i] === 1 ? 1 : fromPrior[slots[i]];
    const noise = {
      uniforms: given === undefined ? choice.uniforms() : normals,
      normals,
      given: isGiven,
    };
    const { slow } = coordinates;
    const { quantiles } = this.readings.network;
    const exact = (u: number): number => coordinates.from(0, u);
    const table = slow === null || count < WORTH_A_TABLE ? undefined : quantiles.of(slow, exact);
    const { u: all, ratios: logs } = this.readings.network.draw(inputs, noise) ?? this.drawOne(inputs, noise);
    for (let i = 0; i < count; i++) {
      let u = all[i];
      // Beyond the edge, cumulative probabilities have no digits left.
      const isBeyondEdge = given === undefined && !isOpen && Math.abs(u) > EDGE;
      if (isBeyondEdge) u = Math.sign(u) * EDGE;
      if (beyond?.[i] !== 1) ratios[slots[i]] += isBeyondEdge ? Infinity : logs[i];
      const x = given === undefined ? (table?.from(u) ?? coordinates.from(i, u)) : (given[i] as number);
      noted.put(i, u, x, -1);
    }
    return null;
  }

  /** The same for few executions, one after the other. */
  private drawOne(inputs: ChoiceInputs, { uniforms, normals, given }: Noise): Drawn {
    const { network } = this.readings;
    const { mixture } = this;
    const { outputs } = network.headOutputs('real', inputs);
    const width = outputsOf('real', network.sizes);
    const u = new Float64Array(inputs.count);
    const ratios = u.map((_, i) => {
      mixture.take(outputs, i * width);
      u[i] = given[i] === 1 ? normals[i] : mixture.draw(uniforms[i], normals[i]);
      return mixture.logRatio(u[i]);
    });
    return { u, ratios };
  }

  private proposeWhole(
    { slots, given, ...choice }: MetChoice,
    coordinates: Coordinates,
    inputs: ChoiceInputs,
    noted: ChosenValues,
    beyond: Beyond,
  ): null {
    const { count } = coordinates;
    const { mixture, ratios, fromPrior } = this;
    const { network } = this.readings;
    const { outputs } = network.headOutputs('whole', inputs);
    const width = outputsOf('whole', network.sizes);
    const [uniforms, normals] = given === undefined ? [choice.uniforms(), choice.normals()] : [null, null];
    for (let i = 0; i < count; i++) {
      const slot = slots[i];
      mixture.take(outputs, i * width);
      let x: number;
      if (given === undefined) {
        const isFree = fromPrior[slot] === 1 || beyond?.[i] === 1;
        const u = isFree ? normals![i] : mixture.draw(uniforms![i], normals![i]);
        x = coordinates.from(i, Math.max(-EDGE, Math.min(EDGE, u)));
      } else x = given[i] as number;
      const [lower, upper] = [coordinates.lower(i, x), coordinates.upper(i, x)];
      // What is drawn beyond the edge is brought back to it.
      const mass = mixture.mass(lower <= -EDGE ? -Infinity : lower, upper >= EDGE ? Infinity : upper);
      if (beyond?.[i] !== 1) ratios[slot] += Math.log(mass) - coordinates.score(i, x);
      noted.put(i, middle(lower, upper), x, -1);
    }
    return null;
  }

  private proposeListed(
    { slots, given, ...choice }: MetChoice,
    key: Key,
    coordinates: Coordinates,
    inputs: ChoiceInputs,
    noted: ChosenValues,
    beyond: Beyond,
  ): unknown[] {
    const { head } = key.site;
    const { count } = coordinates;
    const length = listLengthOf(head);
    const { outputs, queries } = this.readings.network.headOutputs(head, inputs);
    const uniforms = given === undefined ? choice.uniforms() : null;
    const values = new Array<unknown>(count);
    for (let i = 0; i < count; i++) {
      const slot = slots[i];
      const listed = coordinates.list(i);
      const pointed = this.memory.points.fitting(slot, queries, i * POINT, listed.logs.length);
      const list = this.list.take(outputs, i * (length + LIST_FEATURES), length, listed, key.site, pointed);
      const index =
        given !== undefined
          ? placeIn(listed, given[i])
          : this.fromPrior[slot] === 1 || beyond?.[i] === 1
            ? pick(listed.logs, uniforms![i])
            : list.draw(uniforms![i]);
      if (beyond?.[i] !== 1) this.ratios[slot] += list.logRatio(index, listed.logs);
      values[i] = listed.values[index];
      noted.put(i, 0, listed.numbers === null ? Number.NaN : listed.numbers[index], index);
    }
    return values;
  }
}
