/** Takes down what executions choose, for the network to learn from. */
import { lanesOf } from '../lanes/columns/column.ts';
import { type AnyDistribution, distributionAt } from '../lanes/columns/distribution.ts';
import type { Address } from '../runtime/address.ts';
import type { Distribution } from '../runtime/handler.ts';
import { type Coordinates, coordinatesOf, type ListedValues, numbersOfValues, placeIn } from './coordinates-of-many.ts';
import { partValue, sequenceOf } from './scalar-sequences.ts';
import type { Key, Sites } from './sites.ts';

/** A scalar choice that some executions made at one key. */
export interface Choice {
  readonly key: Key;
  /** The numbers of the executions. */
  readonly lanes: Int32Array;
  /** Values as numbers; NaN if they are none. */
  readonly x: Float64Array;
  /** Coordinates of values: of whole numbers the lower end. */
  readonly u: Float64Array;
  readonly upper: Float64Array | null;
  /** Log-probabilities of values under the prior, for whole numbers and lists. */
  readonly log: Float64Array | null;
  /** Places of values in their lists. */
  readonly index: Int32Array | null;
  /** Log-probabilities of all listed values, one list after the other, padded. */
  readonly logs: Float64Array | null;
  readonly numbers: Float64Array | null;
  /** The first parameters of the priors. */
  readonly params: Float64Array;
}

export class Recorder {
  readonly choices: Choice[] = [];

  constructor(
    private readonly sites: Sites,
    private readonly base: Address,
  ) {}

  /** Takes back what these executions have chosen, from the choice with this number on. */
  withdraw(first: number, slots: ArrayLike<number>): void {
    const gone = new Set(Array.from(slots));
    const kept = this.choices.splice(first).flatMap((choice) => {
      const places = Int32Array.from(choice.lanes.keys()).filter((i) => !gone.has(choice.lanes[i]));
      return places.length === choice.lanes.length ? [choice] : choicesAt(choice, places);
    });
    this.choices.push(...kept);
  }

  /** A choice of these executions, of a value drawn from its prior. */
  note(address: Address, slots: Int32Array, target: AnyDistribution, value: unknown, hasGuide: boolean): void {
    const first = distributionAtPlace(target);
    if (!hasGuide && isSequence(first)) {
      this.sequences(address, slots, target, inLanes(value));
      return;
    }
    let list: readonly unknown[] | null = null;
    const values = (): readonly unknown[] => {
      list ??= inLanes(value);
      return list;
    };
    const x = numbersOfValues(value, values);
    for (const { members, coordinates } of coordinatesOf(target, slots.length, hasGuide)) {
      this.scalar(
        address,
        members === null ? slots : Int32Array.from(members, (m) => slots[m]),
        coordinates,
        members === null ? x : Float64Array.from(members, (m) => x[m]),
        (i) => values()[members === null ? i : members[i]],
        -1,
      );
    }
  }

  /** Notes vectors element by element, for all executions whose vectors have the same length. */
  private sequences(address: Address, slots: Int32Array, target: AnyDistribution, values: readonly unknown[]): void {
    const targets = Array.from(slots, (_, i) => distributionAt(target, i));
    const sequences = targets.map(sequenceOf);
    const parts = sequences.map((sequence, i) => sequence?.partsOf(values[i]) ?? []);
    const longest = parts.reduce((most, { length }) => Math.max(most, length), 0);
    for (let k = 0; k < longest; k++) {
      const members = Int32Array.from(slots.keys()).filter((i) => k < parts[i].length);
      const priors = Array.from(members, (i) => sequences[i]!.part(k, parts[i].slice(0, k)));
      for (const met of coordinatesOf(priors, members.length, false, targets[0].name)) {
        const own = met.members === null ? members : Int32Array.from(met.members, (m) => members[m]);
        const value = (i: number): unknown => partValue(priors[met.members?.[i] ?? i], parts[own[i]][k]);
        const x = Float64Array.from(own, (i) => Number(parts[i][k]));
        const lanes = Int32Array.from(own, (i) => slots[i]);
        this.scalar(address, lanes, met.coordinates, x, value, k);
      }
    }
  }

  private scalar(
    address: Address,
    lanes: Int32Array,
    coordinates: Coordinates,
    x: Float64Array,
    value: (i: number) => unknown,
    part: number,
  ): void {
    const { family, head } = coordinates;
    const key = this.sites.keyOf(address, this.base, family, head, part);
    if (key !== null) this.choices.push(choiceOf(key, Int32Array.from(lanes), coordinates, x, value));
  }
}

/** A choice as it is for some of its executions, by their places; none if there are none. */
export function choicesAt(choice: Choice, places: Int32Array): Choice[] {
  if (places.length === 0) return [];
  const total = choice.lanes.length;
  const fields = Object.entries(choice).map(([name, field]) => [
    name,
    ArrayBuffer.isView(field) ? rowsAt(field as Float64Array, places, (field as Float64Array).length / total) : field,
  ]);
  return [Object.fromEntries(fields) as Choice];
}

/** Rows of so many numbers each. */
function rowsAt(table: Float64Array, places: Int32Array, width: number): Float64Array {
  const rows = new (table.constructor as Float64ArrayConstructor)(places.length * width);
  for (let i = 0; i < places.length; i++) {
    const from = places[i] * width;
    for (let k = 0; k < width; k++) rows[i * width + k] = table[from + k];
  }
  return rows;
}

/** Values of executions side by side, or of a single one. */
const inLanes = (value: unknown): readonly unknown[] => (value instanceof Alone ? [value.value] : lanesOf(value));

/** The value of an execution alone. */
export class Alone {
  constructor(readonly value: unknown) {}
}

const distributionAtPlace = (target: AnyDistribution): Distribution<unknown> =>
  Array.isArray(target) ? target[0] : (target as Distribution<unknown>);

const isSequence = (target: Distribution<unknown>): boolean => sequenceOf(target) !== null;

function choiceOf(
  key: Key,
  lanes: Int32Array,
  coordinates: Coordinates,
  x: Float64Array,
  value: (i: number) => unknown,
): Choice {
  const { count, head, params } = coordinates;
  const u = new Float64Array(count);
  const bare = { key, lanes, x, u, upper: null, log: null, index: null, logs: null, numbers: null, params };
  if (head === 'real') for (let i = 0; i < count; i++) u[i] = coordinates.to(i, x[i]);
  else if (head === 'whole') {
    const [upper, log] = [new Float64Array(count), new Float64Array(count)];
    for (let i = 0; i < count; i++) {
      u[i] = coordinates.lower(i, x[i]);
      upper[i] = coordinates.upper(i, x[i]);
      log[i] = coordinates.score(i, x[i]);
    }
    return { ...bare, upper, log };
  } else if (head.startsWith('finite')) return { ...bare, ...listed(coordinates, Number(head.slice(6)), x, value) };
  return bare;
}

/** Log-probabilities of values that a list does not have. */
const NEVER = -1e9;

function listed(
  coordinates: Coordinates,
  length: number,
  x: Float64Array,
  value: (i: number) => unknown,
): Pick<Choice, 'index' | 'log' | 'logs' | 'numbers'> {
  const { count } = coordinates;
  const index = new Int32Array(count);
  const log = new Float64Array(count);
  const logs = new Float64Array(count * length).fill(NEVER);
  const numbers = new Float64Array(count * length).fill(Number.NaN);
  for (let i = 0; i < count; i++) {
    const list = coordinates.list(i);
    index[i] = list.values.length === 2 && list.values[0] === true ? 1 - x[i] : placeIn(list, value(i));
    log[i] = list.logs[index[i]];
    writeList(list, logs, numbers, i * length);
  }
  return { index, log, logs, numbers };
}

function writeList(list: ListedValues, logs: Float64Array, numbers: Float64Array, to: number): void {
  for (let k = 0; k < list.logs.length; k++) {
    logs[to + k] = Math.max(NEVER, list.logs[k]);
    if (list.numbers !== null) numbers[to + k] = list.numbers[k];
  }
}
