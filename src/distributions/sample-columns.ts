import type { Sample } from './marginal.ts';

/** More than this are not made room for at once, since V8 would take the list for a sparse one. */
const MOST_AT_ONCE = 2 ** 24;

/**
 * Samples as two columns. Most callers that ask for a distribution never ask for its samples: the list of them is made when
 * they do.
 */
export class SampleColumns<V> {
  private made: Sample<V>[] | null = null;

  constructor(
    readonly values: ArrayLike<V>,
    /** Null if they are not known. */
    readonly scores: ArrayLike<number> | null,
  ) {}

  get length(): number {
    return this.values.length;
  }

  /** Says of which distribution these are the samples. */
  belongTo(distribution: object): void {
    owned.set(distribution, this);
  }

  /** One field of all samples, for callers that need nothing else; undefined if there is a list of them already. */
  field(name: keyof Sample<V>): SampleField | undefined {
    const column = this[`${name}s`];
    return this.made === null && column !== null ? new SampleField(column) : undefined;
  }

  get list(): readonly Sample<V>[] {
    const { values, scores } = this;
    this.made ??= scores === null ? Array.from(values, (value) => ({ value })) : withScores(values, scores);
    return this.made;
  }
}

const owned = new WeakMap<object, SampleColumns<unknown>>();

/** `distribution.samples`, or what stands for it where `map` reads this field of each, and nothing else. */
export function sampleField(distribution: unknown, field: string): unknown {
  const columns = owned.get(distribution as object);
  return columns?.field(field as keyof Sample<unknown>) ?? (distribution as { samples: unknown }).samples;
}

/** How many samples a distribution has, without the list of them. */
export const sampleCount = (distribution: { readonly samples: { readonly length: number } }): number =>
  owned.get(distribution)?.length ?? distribution.samples.length;

/** Stands for a list of samples of which one field of each is read. */
export class SampleField {
  constructor(private readonly column: ArrayLike<unknown>) {}

  /** What the function that reads the field gives for each sample. */
  map(): unknown[] {
    const { column } = this;
    return column instanceof Float64Array ? numbersOf(column) : Array.from(column);
  }
}

/** Up to so many numbers are sooner copied by `slice` than V8 has compiled a loop. */
const MANY = 32768;

/** A list of values to come. */
export const withRoomFor = (count: number): unknown[] => new Array(Math.min(count, MOST_AT_ONCE));

/** A list of the numbers of a column. */
export function numbersOf(column: Float64Array): number[] {
  if (column.length <= MANY) return Object.values(column);
  // As a list of fractions from the start: that of whole numbers which V8 begins with would be copied.
  const numbers = [0.5];
  numbers.length = Math.min(column.length, MOST_AT_ONCE);
  for (let i = 0; i < column.length; i++) numbers[i] = column[i];
  return numbers;
}

function withScores<V>(values: ArrayLike<V>, scores: ArrayLike<number>): Sample<V>[] {
  return (values instanceof Float64Array ? ofNumbers(values, scores) : ofAny(values, scores)) as Sample<V>[];
}

function ofAny<V>(values: ArrayLike<V>, scores: ArrayLike<number>): Sample<V>[] {
  const list = withRoomFor(values.length) as Sample<V>[];
  for (let i = 0; i < values.length; i++) list[i] = { value: values[i], score: scores[i] };
  return list;
}

/** Apart, because V8 makes better code for what it only ever sees with numbers. */
function ofNumbers(values: Float64Array, scores: ArrayLike<number>): Sample<number>[] {
  const list = withRoomFor(values.length) as Sample<number>[];
  for (let i = 0; i < values.length; i++) list[i] = { value: values[i], score: scores[i] };
  return list;
}
