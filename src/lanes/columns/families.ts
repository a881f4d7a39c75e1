/**
 * Families whose parameters may be columns: how to draw and score for all executions in one loop. What they compute
 * is, to the last bit, what the family's own definition computes for one. All other families are drawn from, and score,
 * one execution at a time.
 */
import { OneByOne } from '../../runtime/signals.ts';
import { Column, column, numbersOf, truths } from './column.ts';
import { currentGroup } from './group.ts';
import { elementwise, type Numbers } from './kernels.ts';
import type { ColumnStreams } from './streams.ts';

export interface ColumnFamily {
  /** Whether values are on a continuum. */
  readonly isContinuous: boolean;
  /** What parameters must be, for each execution; the family itself says so in its own words if they are not. */
  accepts(...params: readonly Numbers[]): boolean;
  draw(streams: ColumnStreams, ...params: readonly Numbers[]): Column;
  /** Undefined if the value is of a kind that is left to the family itself. */
  score(value: Numbers, ...params: readonly Numbers[]): Float64Array;
  readonly names: readonly string[];
  /** Whether values are truth values. */
  readonly truths: boolean;
}

function every({ data }: Numbers, holds: (x: number) => boolean): boolean {
  return data.every(holds);
}

const isPositive = (x: number): boolean => x > 0 && x < Infinity;
const isProbability = (x: number): boolean => x >= 0 && x <= 1;

/** The first and the second uniform number of each choice. */
function uniforms(streams: ColumnStreams): readonly [Numbers, Numbers] {
  const data = streams.pairs();
  return [
    { data, step: 2 },
    { data, step: 2, from: 1 },
  ];
}

/** What a kernel makes of numbers of the current group. */
const computed = (kernel: string, ...inputs: readonly Numbers[]): Float64Array =>
  elementwise(kernel, currentGroup().size, inputs);

/** The logarithms of numbers. */
function logarithms(numbers: Numbers): Numbers {
  if (numbers.step === 0) return { data: Float64Array.of(Math.log(numbers.data[0])), step: 0 };
  return { data: computed('log', numbers), step: 1 };
}

const gaussian: ColumnFamily = {
  names: ['mu', 'sigma'],
  isContinuous: true,
  truths: false,
  accepts: (mu, sigma) => every(mu, Number.isFinite) && every(sigma, isPositive),
  draw: (streams, mu, sigma) => column(computed('normal', ...uniforms(streams), mu, sigma)),
  score: (x, mu, sigma) => computed('gaussianScore', x, mu, sigma, logarithms(sigma)),
};

const bernoulli: ColumnFamily = {
  names: ['p'],
  isContinuous: false,
  truths: true,
  accepts: (p) => every(p, isProbability),
  draw: (streams, p) => truths(computed('lt', uniforms(streams)[0], p)),
  score(x, p) {
    const no: Numbers = { data: p.data.map((probability) => Math.log1p(-probability)), step: p.step };
    const result = computed('select', x, logarithms(p), no);
    // Numbers that are no truth values.
    if (x.data.some((value) => value !== 0 && value !== 1)) {
      for (let i = 0; i < result.length; i++) {
        const value = x.data[i * x.step];
        if (value !== 0 && value !== 1) result[i] = -Infinity;
      }
    }
    return result;
  },
};

const uniform: ColumnFamily = {
  names: ['a', 'b'],
  isContinuous: true,
  truths: false,
  accepts({ data: a, step: m }, { data: b, step: n }) {
    for (let i = 0; i < Math.max(a.length, b.length); i++) {
      const width = b[i * n] - a[i * m];
      if (!(width > 0 && width < Infinity && Number.isFinite(a[i * m]))) return false;
    }
    return true;
  },
  draw: (streams, a, b) => column(computed('between', uniforms(streams)[0], a, b)),
  score({ data: x, step }, { data: a, step: m }, { data: b, step: n }) {
    const result = new Float64Array(currentGroup().size);
    for (let i = 0; i < result.length; i++) {
      const value = x[i * step];
      const low = a[i * m];
      const high = b[i * n];
      result[i] = value >= low && value <= high ? -Math.log(high - low) : -Infinity;
    }
    return result;
  },
};

const families: Readonly<Record<string, ColumnFamily>> = { Gaussian: gaussian, Bernoulli: bernoulli, Uniform: uniform };

/** How a family goes in columns, if it does. */
export function columnFamily(name: string): ColumnFamily | undefined {
  return Object.hasOwn(families, name) ? families[name] : undefined;
}

/** The parameters of a distribution as its family wants them; undefined if it cannot have them in columns. */
export function parametersOf(family: ColumnFamily, params: Readonly<Record<string, unknown>>): Numbers[] | undefined {
  const found: Numbers[] = [];
  for (const name of family.names) {
    const value = params[name];
    if (typeof value !== 'number' && !(value instanceof Column && !value.isTruth)) return undefined;
    found.push(numbersOf(value));
  }
  return found;
}

/** Ends the run in columns if parameters are not what they must be: alone, the execution says so. */
export function checkParameters(name: string, family: ColumnFamily, params: readonly Numbers[]): void {
  if (!family.accepts(...params)) throw new OneByOne(`parameters of ${name} are not what they must be`);
}
