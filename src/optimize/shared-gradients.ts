/**
 * Gradients that ranks add up. Parameters have a common order, that in which ranks have told each other of them. Where the packed gradients
 * of a rank lie in that order they are added up where they are; otherwise, and where a rank has not met all of them, in a copy.
 */
import type { StepDivision } from './division.ts';
import type { Gradients, PackedParameters, ParameterGroup } from './packed-parameters.ts';

type Precision = ParameterGroup['precision'];

/** A parameter that some rank has met, with its place among the gradients of its precision. */
interface Known {
  readonly name: string;
  readonly precision: Precision;
  /** Its number among all. */
  readonly number: number;
  readonly start: number;
  readonly length: number;
}

export class SharedGradients {
  private readonly byName = new Map<string, Known>();
  private readonly names: Record<Precision, string[]> = { f64: [], f32: [] };
  private readonly lengths: Record<Precision, number> = { f64: 0, f32: 0 };
  /** Whether all ranks have met the same parameters in every step so far. */
  alike = true;

  constructor(
    private readonly parameters: PackedParameters,
    private readonly division: StepDivision,
  ) {}

  has(name: string): boolean {
    return this.byName.has(name);
  }

  /** Gives a parameter its place, if it has none; in an order that is the same on all ranks. */
  add(name: string, precision: Precision, length: number): void {
    if (this.byName.has(name)) return;
    this.byName.set(name, { name, precision, number: this.byName.size, start: this.lengths[precision], length });
    this.names[precision].push(name);
    this.lengths[precision] += length;
  }

  /** Room for a mark for each parameter: how many ranks have met it. */
  get marks(): number {
    return this.byName.size;
  }

  mark(groups: readonly ParameterGroup[], into: Float64Array, at: number): void {
    for (const { names } of groups) for (const name of names) into[at + this.byName.get(name)!.number] = 1;
  }

  /** Adds up the gradients of all ranks, each by its weight. The sums are then with the parameters. */
  exchange(gradients: Gradients | 'packed', groups: readonly ParameterGroup[], marks: Float64Array, at: number): void {
    const { parameters, division, lengths } = this;
    const own = groups.flatMap(({ names }) => names);
    const sums = PRECISIONS.map((precision) => {
      if (lengths[precision] === 0) return undefined;
      const inPlace = gradients === 'packed' ? this.inOrder(precision, own) : undefined;
      if (inPlace !== undefined) parameters.scaleGradients(precision, division.weight);
      const numbers = inPlace ?? this.copied(precision, gradients, own);
      division.team.sum('add up gradients', numbers);
      return inPlace === undefined ? numbers : undefined;
    });
    this.meet(marks, at);
    PRECISIONS.forEach((precision, i) => void this.take(precision, sums[i], marks, at));
  }

  /** The packed gradients of a precision, if this rank has met all parameters, and in the common order. */
  private inOrder(precision: Precision, own: readonly string[]): Float64Array | Float32Array | undefined {
    const names = this.names[precision];
    const met = own.filter((name) => this.byName.get(name)!.precision === precision);
    if (met.length < names.length) return undefined;
    return this.parameters.gradientsOf({ names, precision })?.view() as Float64Array | Float32Array | undefined;
  }

  private copied(
    precision: Precision,
    gradients: Gradients | 'packed',
    own: readonly string[],
  ): Float64Array | Float32Array {
    const { weight } = this.division;
    const numbers = new (precision === 'f32' ? Float32Array : Float64Array)(this.lengths[precision]);
    for (const name of own) {
      const known = this.byName.get(name)!;
      if (known.precision !== precision) continue;
      const gradient = gradients === 'packed' ? this.parameters.gradientOf(name) : gradients.get(name)!;
      for (let i = 0; i < gradient.length; i++) numbers[known.start + i] = weight * gradient[i];
    }
    return numbers;
  }

  /** Says which parameters have gradients: those that some rank has met. */
  private meet(marks: Float64Array, at: number): void {
    const { parameters, division, byName } = this;
    for (let i = 0; i < byName.size; i++) {
      if (marks[at + i] !== 0 && marks[at + i] !== division.team.size) this.alike = false;
    }
    const groups = PRECISIONS.map((precision) => ({
      precision,
      names: this.names[precision].filter((name) => marks[at + byName.get(name)!.number] > 0),
    }));
    parameters.meet(groups.filter(({ names }) => names.length > 0));
    parameters.load();
  }

  private take(
    precision: Precision,
    sums: Float64Array | Float32Array | undefined,
    marks: Float64Array,
    at: number,
  ): void {
    if (sums === undefined) return;
    for (const name of this.names[precision]) {
      const { number, start, length } = this.byName.get(name)!;
      if (marks[at + number] > 0) this.parameters.gradientOf(name).set(sums.subarray(start, start + length));
    }
  }
}

const PRECISIONS = ['f64', 'f32'] as const;
