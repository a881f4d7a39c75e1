/** The numbers of a network, by name, and Adam, which moves them. */
import type { RandomStream } from '../runtime/random.ts';
import { sizeOf } from '../tensor/shape.ts';

interface Parameter {
  readonly dims: readonly number[];
  readonly data: Float64Array;
  /** Means of the gradient and of its square, as Adam keeps them. */
  readonly mean: Float64Array;
  readonly square: Float64Array;
}

export class Parameters {
  readonly table = new Map<string, Parameter>();
  /** Steps taken. */
  steps = 0;
  /** Changes whenever a parameter is added or gets another shape. */
  version = 0;

  constructor(private readonly random: RandomStream) {}

  /**
   * Adds a parameter unless it exists. Its numbers are normal with this scale. If the first axis has become
   * longer, the new rows are filled.
   */
  declare(name: string, dims: readonly number[], scale: number): void {
    const known = this.table.get(name);
    const size = sizeOf(dims);
    if (known !== undefined && known.data.length >= size) return;
    const random = this.random.named(name).begin();
    const data = Float64Array.from({ length: size }, () => (scale === 0 ? 0 : scale * random.gaussian()));
    const [mean, square] = [new Float64Array(size), new Float64Array(size)];
    if (known !== undefined) {
      data.set(known.data);
      mean.set(known.mean);
      square.set(known.square);
    }
    this.put(name, { dims, data, mean, square });
  }

  put(name: string, parameter: Parameter): void {
    this.table.set(name, parameter);
    this.version++;
  }

  get(name: string): Float64Array {
    return this.table.get(name)!.data;
  }

  get names(): string[] {
    return [...this.table.keys()];
  }

  get size(): number {
    let size = 0;
    for (const { data } of this.table.values()) size += data.length;
    return size;
  }

  /** Moves all by their gradients, in the order of the names (Kingma & Ba, 2015); gradients longer than `clip` are shortened. */
  move(gradients: readonly ArrayLike<number>[], stepSize: number, clip: number): void {
    let squares = 0;
    for (const gradient of gradients) for (let i = 0; i < gradient.length; i++) squares += gradient[i] * gradient[i];
    if (!Number.isFinite(squares)) return;
    const scale = squares > clip * clip ? clip / Math.sqrt(squares) : 1;
    this.steps++;
    const correction = Math.sqrt(1 - SQUARES ** this.steps) / (1 - MEANS ** this.steps);
    let k = 0;
    for (const { data, mean, square } of this.table.values()) {
      const gradient = gradients[k++];
      for (let i = 0; i < data.length; i++) {
        const g = scale * gradient[i];
        mean[i] = MEANS * mean[i] + (1 - MEANS) * g;
        square[i] = SQUARES * square[i] + (1 - SQUARES) * g * g;
        data[i] -= (stepSize * correction * mean[i]) / (Math.sqrt(square[i]) + EPSILON);
      }
    }
  }
}

const MEANS = 0.9;
const SQUARES = 0.999;
const EPSILON = 1e-8;
