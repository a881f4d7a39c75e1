/** Every family under gradients: the same scores as in plain text, and slopes as differences of these say. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import '../../src/lifting/distribution.ts';
import type { AnyParameter } from '../../src/distributions/parameter.ts';
import { machine } from '../../src/runtime/machine.ts';
import { RandomStream } from '../../src/runtime/random.ts';
import { gradient } from '../../src/tensor/gradient/gradient.ts';
import { constant, scalar } from '../../src/tensor/leaves.ts';
import { Node } from '../../src/tensor/node.ts';
import * as ops from '../../src/tensor/ops.ts';
import { Tensor, vector } from '../../src/tensor/tensor.ts';
import { ALL, build, label, type Row } from '../distributions/table.ts';

type Numeric = number | Tensor;

const cases = ALL.flatMap((row) => row.params.map((params) => [label(row, params), row, params] as const));

const leafOf = (value: Numeric): Node =>
  typeof value === 'number' ? scalar(value) : constant(value.data.slice(), value.dims);

const elementsOf = (value: Numeric): Float64Array => (typeof value === 'number' ? Float64Array.of(value) : value.data);

function withElement(value: Numeric, i: number, x: number): Numeric {
  if (typeof value === 'number') return x;
  const data = value.data.slice();
  data[i] = x;
  return new Tensor(value.dims, data);
}

/** The slope of f in one element, by central differences; the error is of the order of the step squared. */
function slopes(f: (value: Numeric) => number, value: Numeric): number[] {
  return Array.from(elementsOf(value), (x, i) => {
    const step = 1e-5 * Math.max(1e-2, Math.abs(x));
    return (f(withElement(value, i, x + step)) - f(withElement(value, i, x - step))) / (2 * step);
  });
}

function expectSlopes(score: unknown, leaf: Node, expected: readonly number[]): void {
  // A score that says nothing of the leaf may be a plain number.
  if (!(score instanceof Node)) {
    expect(expected.every((slope) => slope === 0)).toBe(true);
    return;
  }
  const [slope] = gradient(score, [leaf]);
  const found = slope.value();
  const numbers = Array.from(typeof found === 'number' ? [found] : (found as Tensor).data);
  numbers.forEach((x, i) => {
    expect(Math.abs(x - expected[i])).toBeLessThan(1e-5 * (1 + Math.abs(expected[i])));
  });
}

const numberOf = (score: unknown): number => (score instanceof Node ? (score.value() as number) : (score as number));

function drawn(row: Row, params: object): unknown {
  const value = build<unknown>(row, params).draw(RandomStream.fromSeed(3).begin());
  return Array.isArray(value) ? vector(value) : value;
}

/** Perturbing one element leaves these sets, where plain scores are −∞. */
const CONSTRAINED = new Set(['Dirichlet', 'LogisticNormal', 'LKJCholesky', 'Wishart', 'InverseWishart']);

beforeEach(() => {
  machine.lifted = true;
});
afterEach(() => {
  machine.lifted = false;
});

describe('a lifted value', () => {
  const continuous = cases.filter(([, row, params]) => build(row, params).isContinuous);

  test.each(continuous)('of %s', (_label, row, params) => {
    const value = drawn(row, params) as Numeric;
    machine.lifted = false;
    const plain = build<Numeric>(row, params);
    machine.lifted = true;
    const leaf = leafOf(value);
    const score = build<unknown>(row, params).score(leaf);
    expect(score).toBeInstanceOf(Node);
    expect(numberOf(score)).toBeCloseTo(plain.score(value), 8);
    if (!CONSTRAINED.has(row.family))
      expectSlopes(
        score,
        leaf,
        slopes((x) => plain.score(x), value),
      );
  });
});

/** The parameters of a family that may be nodes. */
function smooth(row: Row, params: object): string[] {
  const { family } = build(row, params) as unknown as { family: { params: Record<string, AnyParameter> } };
  const { dist } = params as { dist?: { isContinuous: boolean } };
  return Object.keys(params).filter((name) => {
    const { domain } = family.params[name];
    // At infinite ends, and at ends of whole numbers, there is nothing to take a difference of.
    const isEnd = dist !== undefined && (name === 'a' || name === 'b');
    if (isEnd && !(dist.isContinuous && Number.isFinite((params as Record<string, unknown>)[name]))) return false;
    return domain.kind !== 'fixed' || domain.smooth;
  });
}

describe('a lifted parameter', () => {
  const lifted = cases.flatMap(([name, row, params]) =>
    smooth(row, params).map((parameter) => [parameter, name, row, params] as const),
  );

  test.each(lifted)('%s of %s', (parameter, _label, row, params) => {
    const given = (params as Record<string, Numeric | number[]>)[parameter];
    const value = Array.isArray(given) ? vector(given) : given;
    const draw = drawn(row, params);
    const scoreWith = (x: unknown): unknown => build<unknown>(row, { ...params, [parameter]: x }).score(draw);
    machine.lifted = false;
    const plain = numberOf(scoreWith(value));
    machine.lifted = true;
    const leaf = leafOf(value);
    const score = scoreWith(leaf);
    expect(numberOf(score)).toBeCloseTo(plain, 8);
    // At the end of a domain there is no second side to take a difference from; a covariance has to stay symmetric.
    const atEnd = elementsOf(value).some((x) => x === 0 || x === 1) && ['p', 'ps'].includes(parameter);
    const matrix = value instanceof Tensor && value.rank === 2 && value.dims[1] > 1;
    if (atEnd || matrix) return;
    machine.lifted = false;
    const expected = slopes((x) => numberOf(scoreWith(x)), value);
    expectSlopes(score, leaf, expected);
  });

  test('numbers and nodes in an array are a vector', () => {
    const a = scalar(2);
    const row = { family: 'Dirichlet', params: [] };
    const at = vector([0.2, 0.3, 0.5]);
    const score = build<unknown>(row, { alpha: [a, 1, a] }).score(at);
    expect(numberOf(score)).toBeCloseTo(build<unknown>(row, { alpha: [2, 1, 2] }).score(at), 12);
    const weights = { family: 'Discrete', params: [] };
    const chosen = build<unknown>(weights, { ps: [a, 3] }).score(0);
    expect(numberOf(chosen)).toBeCloseTo(Math.log(2 / 5), 12);
    expectSlopes(chosen, a, [1 / 2 - 1 / 5]);
  });

  test('a covariance: by both of two elements that are the same number', () => {
    const row = { family: 'MultivariateGaussian', params: [] };
    const at = vector([0.5, 1]);
    const c = scalar(0.7);
    const cov = (x: number) => new Tensor([2, 2], Float64Array.of(2, x, x, 1));
    const offDiagonal = new Tensor([2, 2], Float64Array.of(0, 1, 1, 0));
    const node = ops.add(cov(0), ops.mul(c, offDiagonal));
    const score = build<unknown>(row, { mu: [0, 0], cov: node }).score(at);
    machine.lifted = false;
    const plain = (x: Numeric): number => build<unknown>(row, { mu: [0, 0], cov: cov(x as number) }).score(at);
    expect(numberOf(score)).toBeCloseTo(plain(0.7), 10);
    expectSlopes(score, c, slopes(plain, 0.7));
  });
});
