/**
 * Data that executions side by side make up. Each leaf of the datum is an object of its own, which the program
 * passes to `observe`; this tells which leaf is observed, also where several have equal values. The value that is
 * made up then takes the place of the leaf.
 */
import { Column, fromLanes, lanesOf } from '../lanes/columns/column.ts';
import { currentGroup, type Group } from '../lanes/columns/group.ts';
import { Doubles } from '../lanes/columns/kernel-memory.ts';
import { OneByOne } from '../runtime/signals.ts';
import { isRecord } from '../runtime/values.ts';
import { Tensor } from '../tensor/tensor.ts';

const NOTHING = new Float64Array(0);

/** A number or truth value of the datum: as the example has it, until it is observed. */
export class DreamtColumn extends Column {
  readonly drawn: Float64Array;
  private readonly isDrawn: Uint8Array;
  /** Whether the program looked at it before it was observed. */
  early = false;
  isObserved = false;
  private group2: Group | null = null;
  private numbers2: Doubles | null = null;

  constructor(
    private readonly example: number,
    truth: boolean,
    size: number,
    /** The value that an earlier execution made up, if the program is to see that. */
    private readonly before: Float64Array | null,
    readonly place: string,
  ) {
    super(Doubles.of(NOTHING), currentGroup(), truth);
    this.drawn = new Float64Array(size);
    this.isDrawn = new Uint8Array(size);
  }

  override get isFinite(): boolean {
    return this.data.every(Number.isFinite);
  }

  override get numbers(): Doubles {
    const group = currentGroup();
    if (this.group2 !== group || this.numbers2 === null) {
      this.numbers2 = Doubles.of(this.shown(group));
      this.group2 = group;
    }
    return this.numbers2;
  }

  private shown({ slots }: Group): Float64Array {
    const { isDrawn, drawn, before, example } = this;
    let count = 0;
    for (let i = 0; i < slots.length; i++) count += isDrawn[slots[i]];
    if (count === slots.length) return Float64Array.from(slots, (slot) => drawn[slot]);
    this.early = true;
    return Float64Array.from(slots, (slot) => (isDrawn[slot] ? drawn[slot] : before === null ? example : before[slot]));
  }

  put(value: unknown): void {
    const { slots } = currentGroup();
    const values = lanesOf(value);
    for (let i = 0; i < slots.length; i++) {
      const one = values[i];
      if (typeof one !== 'number' && typeof one !== 'boolean') {
        throw new OneByOne('value', 'the data it makes up are of another kind than the example');
      }
      this.drawn[slots[i]] = Number(one);
      this.isDrawn[slots[i]] = 1;
    }
    this.isObserved = true;
    this.group2 = null;
  }

  /** The values of the first so many executions. */
  all(count: number): ArrayLike<unknown> {
    const { drawn, isDrawn, before, example } = this;
    if (!isDrawn.includes(0)) return drawn;
    return Float64Array.from({ length: count }, (_, i) => (isDrawn[i] ? drawn[i] : (before?.[i] ?? example)));
  }

  inLane(lane: number): unknown {
    const x = this.isDrawn[lane] ? this.drawn[lane] : (this.before?.[lane] ?? this.example);
    return this.isTruth ? x !== 0 : x;
  }
}

/** Any other leaf: a name, a vector. */
class DreamtOther {
  readonly drawn: unknown[] = [];
  isObserved = false;

  constructor(
    readonly example: unknown,
    private readonly holder: Record<PropertyKey, unknown> | null,
    private readonly key: PropertyKey,
    readonly place: string,
  ) {}

  put(value: unknown): void {
    const { slots, depth } = currentGroup();
    lanesOf(value).forEach((one, i) => {
      this.drawn[slots[i]] = one;
    });
    this.isObserved = true;
    // A value that is observed only on one side of a conditional is not shown to the executions of the other
    // side.
    if (this.holder !== null && depth === 0) this.holder[this.key] = fromLanes(lanesOf(value));
  }

  all(count: number): ArrayLike<unknown> {
    return Array.from({ length: count }, (_, i) => this.inLane(i));
  }

  inLane(lane: number): unknown {
    return lane in this.drawn ? this.drawn[lane] : this.example;
  }
}

type DreamtLeaf = DreamtColumn | DreamtOther;

/** Places are ways from the datum, key after key. */
export const placeText = (place: readonly (string | number)[]): string => place.join(SEPARATOR);
export const SEPARATOR = '\u0000';

/** A datum as it is shown to executions side by side. */
export class DreamtColumns {
  readonly shown: unknown;
  readonly leaves = new Map<string, DreamtLeaf>();

  constructor(
    example: unknown,
    private readonly size: number,
    /** Leaves that are known never to be observed, and so are shown as they are. */
    private readonly plain: ReadonlySet<string>,
    private readonly before: ReadonlyMap<string, Float64Array>,
  ) {
    this.shown = this.copied(example, [], null, '');
  }

  private copied(
    value: unknown,
    place: readonly (string | number)[],
    holder: Record<PropertyKey, unknown> | null,
    key: PropertyKey,
  ): unknown {
    if (Array.isArray(value)) {
      const list: unknown[] = [];
      value.forEach((item, i) => {
        list[i] = this.copied(item, [...place, i], list as never, i);
      });
      return list;
    }
    if (isRecord(value)) {
      const record: Record<string, unknown> = {};
      for (const name of Object.keys(value)) {
        record[name] = this.copied((value as Record<string, unknown>)[name], [...place, name], record, name);
      }
      return record;
    }
    const text = placeText(place);
    if (value === undefined || value === null || typeof value === 'function' || this.plain.has(text)) return value;
    if (typeof value === 'number' || typeof value === 'boolean') {
      const before = this.before.get(text) ?? null;
      const leaf = new DreamtColumn(Number(value), typeof value === 'boolean', this.size, before, text);
      this.leaves.set(text, leaf);
      return leaf;
    }
    const own = value instanceof Tensor ? new Tensor([...value.dims], Float64Array.from(value.data)) : value;
    this.leaves.set(text, new DreamtOther(own, holder, key, text));
    return own;
  }

  /** The leaf that the program observes, if it is one. */
  leafOf(value: unknown): DreamtLeaf | undefined {
    if (value instanceof DreamtColumn) return value;
    if (value instanceof Column) return undefined;
    for (const leaf of this.leaves.values()) {
      if (leaf instanceof DreamtOther && !leaf.isObserved && leaf.example === value) return leaf;
    }
    return undefined;
  }
}
