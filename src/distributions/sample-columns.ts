import type { Sample } from './marginal.ts';

/** More than this are not made room for at once, since the host would take the list for a sparse one. */
const MOST_AT_ONCE = 2 ** 24;

/** Samples as two columns. Most who ask for a distribution never ask for its samples, of which the list is made then. */
export class SampleColumns<V> {
  private made: Sample<V>[] | null = null;

  constructor(
    readonly values: ArrayLike<V>,
    readonly scores: ArrayLike<number>,
  ) {}

  get length(): number {
    return this.values.length;
  }

  get list(): readonly Sample<V>[] {
    const { values, scores } = this;
    this.made ??= (values instanceof Float64Array ? ofNumbers(values, scores) : ofAny(values, scores)) as Sample<V>[];
    return this.made;
  }
}

function ofAny<V>(values: ArrayLike<V>, scores: ArrayLike<number>): Sample<V>[] {
  return Array.from(values, (value, i) => ({ value, score: scores[i] }));
}

/** Apart, because V8 makes better code for what it only ever sees with numbers. */
function ofNumbers(values: Float64Array, scores: ArrayLike<number>): Sample<number>[] {
  const list = new Array<Sample<number>>(Math.min(values.length, MOST_AT_ONCE));
  for (let i = 0; i < values.length; i++) list[i] = { value: values[i], score: scores[i] };
  return list;
}
