/** Data as numbers, for baselines that are learned from them. */
import { Tensor } from '../tensor/tensor.ts';

/** Data with more numbers than this are mixed into so many. */
const MOST = 64;
/** Numbers of so many data tell how large they are. */
const LOOKED_AT = 256;

export class DatumFeatures {
  private readonly known = new Map<number, Float64Array>();
  private readonly mean: Float64Array;
  private readonly scale: Float64Array;
  /** How many numbers a datum has. */
  private readonly length: number;
  /** How many there are of each datum. */
  readonly size: number;

  constructor(private readonly data: ArrayLike<unknown>) {
    const looked = Array.from({ length: Math.min(LOOKED_AT, data.length) }, (_, i) => numbersIn(data[i]));
    this.length = looked.reduce((most, { length }) => Math.max(most, length), 0);
    this.size = Math.min(MOST, this.length);
    const mixed = looked.map((numbers) => this.mix(numbers));
    const average = (of: (row: Float64Array, k: number) => number): Float64Array =>
      Float64Array.from(
        { length: this.size },
        (_, k) => mixed.reduce((sum, row) => sum + of(row, k), 0) / mixed.length,
      );
    this.mean = average((row, k) => row[k]);
    const variance = average((row, k) => (row[k] - this.mean[k]) ** 2);
    this.scale = variance.map((v) => (v > 0 ? Math.sqrt(v) : 1));
  }

  /** Of the datum of an index, about as large as 1. */
  of(index: number): Float64Array {
    let found = this.known.get(index);
    if (found === undefined) {
      found = this.mix(numbersIn(this.data[index])).map((x, k) => (x - this.mean[k]) / this.scale[k]);
      this.known.set(index, found);
    }
    return found;
  }

  private mix(numbers: readonly number[]): Float64Array {
    const mixed = new Float64Array(this.size);
    const count = Math.min(numbers.length, this.length);
    if (this.length <= MOST) for (let i = 0; i < count; i++) mixed[i] = numbers[i];
    else for (let i = 0; i < count; i++) for (let k = 0; k < MOST; k++) mixed[k] += signOf(i, k) * numbers[i];
    return mixed;
  }
}

/** +1 or −1, as if by a coin. */
const signOf = (i: number, k: number): number => {
  let h = Math.imul(i + 1, 0x9e3779b1) ^ Math.imul(k + 1, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  return (h ^ (h >>> 13)) & 1 ? 1 : -1;
};

/** All finite numbers and truth values in a datum, in order. */
function numbersIn(datum: unknown): number[] {
  const numbers: number[] = [];
  const visit = (value: unknown): void => {
    if (typeof value === 'boolean') numbers.push(value ? 1 : 0);
    else if (typeof value === 'number') numbers.push(Number.isFinite(value) ? value : 0);
    else if (value instanceof Tensor || ArrayBuffer.isView(value)) {
      for (const one of value instanceof Tensor ? value.data : (value as Float64Array)) visit(one);
    } else if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === 'object' && value !== null && isPlain(value)) Object.values(value).forEach(visit);
  };
  visit(datum);
  return numbers;
}

const isPlain = (value: object): boolean => [Object.prototype, null].includes(Object.getPrototypeOf(value));
