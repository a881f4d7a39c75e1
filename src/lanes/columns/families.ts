/**
 * Families whose parameters may be columns: how to draw and score for all executions in one loop. What they compute
 * is, to the last bit, what the family's own definition computes for one. All other families are drawn from, and score,
 * one execution at a time.
 */
import { OneByOne } from '../../runtime/signals.ts';
import { Column, column, numbersOf, truths } from './column.ts';
import { currentGroup } from './group.ts';
import { elementwise, type Numbers, type Resident } from './kernels.ts';
import type { ColumnStreams } from './streams.ts';

export interface ColumnFamily {
  /** Whether values are on a continuum. */
  readonly isContinuous: boolean;
  /** What parameters must be, for each execution; the family itself says so in its own words if they are not. */
  accepts(...params: readonly Parameter[]): boolean;
  draw(streams: ColumnStreams, ...params: readonly Numbers[]): Column;
  score(value: Numbers, ...params: readonly Numbers[]): Float64Array;
  readonly names: readonly string[];
  /** Whether values are truth values. */
  readonly truths: boolean;
}

/** A parameter: the same for all executions, or one for each. */
type Parameter = number | Column;

const isReal = (x: Parameter): boolean => (typeof x === 'number' ? Number.isFinite(x) : x.isFinite);

/** Whether a comparison holds for all. */
function all(comparison: string, x: Parameter, y: Parameter): boolean {
  return !computed(comparison, numbersOf(x), numbersOf(y)).includes(0);
}

/** What a kernel makes of numbers of the current group. */
const computed = (kernel: string, ...inputs: readonly (Numbers | Resident)[]): Float64Array =>
  elementwise(kernel, currentGroup().size, inputs);

/** The logarithms of numbers. */
function logarithms(numbers: Numbers): Numbers {
  if (numbers.step === 0) return { data: Float64Array.of(Math.log(numbers.data[0])), step: 0 };
  return { data: computed('log', numbers), step: 1 };
}

const isPositive = (x: Parameter): boolean => (typeof x === 'number' ? x > 0 : all('gt', x, 0));
const isProbability = (x: Parameter): boolean =>
  typeof x === 'number' ? x >= 0 && x <= 1 : all('ge', x, 0) && all('le', x, 1);

const gaussian: ColumnFamily = {
  names: ['mu', 'sigma'],
  isContinuous: true,
  truths: false,
  accepts: (mu, sigma) => isReal(mu) && isReal(sigma) && isPositive(sigma),
  draw: (streams, mu, sigma) => column(computed('normal', ...streams.pairs(), mu, sigma)),
  score: (x, mu, sigma) => computed('gaussianScore', x, mu, sigma, logarithms(sigma)),
};

const bernoulli: ColumnFamily = {
  names: ['p'],
  isContinuous: false,
  truths: true,
  accepts: isProbability,
  draw: (streams, p) => truths(computed('lt', streams.pairs()[0], p)),
  score(x, p) {
    const no: Numbers = { data: p.data.map((probability) => Math.log1p(-probability)), step: p.step };
    return computed('select', x, logarithms(p), no);
  },
};

const uniform: ColumnFamily = {
  names: ['a', 'b'],
  isContinuous: true,
  truths: false,
  accepts(a, b) {
    const width = column(computed('sub', numbersOf(b), numbersOf(a)));
    return isReal(a) && isReal(b) && isReal(width) && isPositive(width);
  },
  draw: (streams, a, b) => column(computed('between', streams.pairs()[0], a, b)),
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
export function checkParameters(name: string, family: ColumnFamily, params: Readonly<Record<string, unknown>>): void {
  const given = family.names.map((parameter) => params[parameter] as Parameter);
  if (!family.accepts(...given)) throw new OneByOne(`parameters of ${name} are not what they must be`);
}
