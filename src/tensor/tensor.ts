/** Numbers of a tensor that a console shows. */
const MOST_PRINTED = 100;

/**
 * A dense array of numbers with dimensions, row-major. A *vector* is a tensor of dims [n, 1] (WebPPL's
 * convention); [n] is accepted wherever a vector is.
 */
export class Tensor {
  readonly length: number;

  constructor(
    readonly dims: readonly number[],
    readonly data: Float64Array,
  ) {
    this.length = data.length;
  }

  get rank(): number {
    return this.dims.length;
  }

  /** Equal tensors have equal keys (`runtime/values.ts`). */
  valueKey(): string {
    return `tensor ${this.dims.join('x')}:${this.data.join(',')}`;
  }

  /** The number that JavaScript makes of a tensor: its only entry. With several entries this throws, where JavaScript would give NaN. */
  [Symbol.toPrimitive](hint: string): string | number {
    if (hint !== 'number') return this.toString();
    if (this.length === 1) return this.data[0];
    throw new TypeError(
      `A tensor of dims [${this.dims.join(', ')}] is no number. Use the functions of T, as in T.exp(tensor), or take an ` +
        'entry of it with T.get(tensor, i).',
    );
  }

  /** What `console.log` prints: not all of a million numbers. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    if (this.length <= MOST_PRINTED) return this.toString();
    const first = this.data.subarray(0, MOST_PRINTED).join(', ');
    return `Tensor [${this.dims.join(', ')}] [${first}, … ${this.length - MOST_PRINTED} more]`;
  }

  toString(): string {
    return `Tensor [${this.dims.join(', ')}] ${nested(this.dims, this.data, 0, 0).text}`;
  }
}

function nested(dims: readonly number[], data: Float64Array, axis: number, from: number): { text: string; to: number } {
  if (axis === dims.length) return { text: String(data[from]), to: from + 1 };
  const parts: string[] = [];
  let at = from;
  for (let i = 0; i < dims[axis]; i++) {
    const part = nested(dims, data, axis + 1, at);
    parts.push(part.text);
    at = part.to;
  }
  return { text: `[${parts.join(', ')}]`, to: at };
}

export function isVector(value: unknown): value is Tensor {
  return value instanceof Tensor && (value.rank === 1 || (value.rank === 2 && value.dims[1] === 1));
}

/** A vector from numbers. */
export function vector(values: ArrayLike<number>): Tensor {
  return new Tensor([values.length, 1], Float64Array.from(values));
}

/** A matrix with ones where a condition on row and column holds, and zeros elsewhere. */
export function mask(rows: number, columns: number, holds: (row: number, column: number) => boolean): Tensor {
  const data = Float64Array.from({ length: rows * columns }, (_, k) =>
    Number(holds(Math.floor(k / columns), k % columns)),
  );
  return new Tensor([rows, columns], data);
}
