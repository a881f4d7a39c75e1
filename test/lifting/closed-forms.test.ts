/** Closed forms of every family under gradients: the values of plain text, and slopes as differences of these say. */
import { afterEach, describe, expect, test } from 'vitest';
import '../../src/lifting/distribution.ts';
import type { AnyParameter } from '../../src/distributions/parameter.ts';
import { machine } from '../../src/runtime/machine.ts';
import { gradient } from '../../src/tensor/gradient/gradient.ts';
import { constant, scalar } from '../../src/tensor/leaves.ts';
import { Node } from '../../src/tensor/node.ts';
import * as ops from '../../src/tensor/ops.ts';
import { Tensor } from '../../src/tensor/tensor.ts';
import { ALL, build, label, type Row, type Tested } from '../distributions/table.ts';

type Numeric = number | Tensor;
type Params = Record<string, unknown>;
type Form = 'mean' | 'variance' | 'entropy' | 'cdf' | 'quantile';

const FORMS: readonly Form[] = ['mean', 'variance', 'entropy', 'cdf', 'quantile'];

/** Where `cdf` and `quantile` are asked: at probabilities, and at the values that these belong to. */
const PROBABILITIES = [0.07, 0.4, 0.85];

afterEach(() => {
  machine.lifted = false;
});

/** The parameters of a distribution that gradients flow into, at the ends of whose domains they are not. */
function smooth(row: Row, params: Params): string[] {
  const { family } = build(row, params) as unknown as { family?: { params: Record<string, AnyParameter> } };
  if (family === undefined) return [];
  return Object.keys(params).filter((name) => {
    const { domain } = family.params[name];
    const value = params[name];
    if (domain.kind === 'fixed' && !domain.smooth) return false;
    if (typeof value === 'number') return !(name === 'p' && (value === 0 || value === 1));
    return value instanceof Tensor && !(name === 'ps' && value.data.some((p) => p === 0 || p === 1));
  });
}

const argumentsOf = (plain: Tested<number>, form: Form): (number | undefined)[] => {
  if (form === 'quantile') return PROBABILITIES;
  if (form !== 'cdf') return [undefined];
  // Between whole numbers, where the distribution function has no jumps.
  return PROBABILITIES.map((p) =>
    plain.quantile === undefined ? p : plain.quantile(p) + (plain.isContinuous ? 0 : 0.5),
  );
};

const ask = (dist: unknown, form: Form, x: unknown): unknown =>
  (dist as Record<Form, (x?: unknown) => unknown>)[form](...(x === undefined ? [] : [x]));

const leafOf = (value: Numeric): Node =>
  typeof value === 'number' ? scalar(value) : constant(value.data.slice(), value.dims);
const elementsOf = (value: unknown): number[] => {
  const found = value instanceof Node ? value.value() : value;
  return typeof found === 'number' ? [found] : Array.from((found as Tensor).data);
};
const total = (value: unknown): number => elementsOf(value).reduce((a, b) => a + b, 0);

/** Central differences of the sum of what f gives, with two steps, so that errors of their second order cancel. */
function slope(f: (x: number) => unknown, x: number, least: number): number {
  const h = 1e-5 * Math.max(least, Math.abs(x));
  const difference = (step: number): number => (total(f(x + step)) - total(f(x - step))) / (2 * step);
  return (4 * difference(h) - difference(2 * h)) / 3;
}

function withElement(value: Numeric, i: number, x: number): Numeric {
  return typeof value === 'number' ? x : new Tensor(value.dims, value.data.with(i, x));
}

function expectClose(found: number, expected: number, tolerance: number): void {
  if (Number.isFinite(expected)) expect(Math.abs(found - expected)).toBeLessThan(tolerance * (1 + Math.abs(expected)));
  else expect(found).toBe(expected);
}

const cases = ALL.flatMap((row) =>
  row.params.flatMap((params) => {
    const plain = build<number>(row, params) as unknown as Record<string, unknown>;
    const own = (form: Form): boolean => typeof plain[form] === 'function' && 'family' in plain;
    return smooth(row, params as Params).flatMap((name) =>
      FORMS.filter((form) => own(form) && (plain.family as Params)[form] !== undefined).map(
        (form) => [form, name, label(row, params), row, params as Params] as const,
      ),
    );
  }),
);

describe('in a parameter', () => {
  test.each(cases)('%s, in %s of %s', (form, name, _label, row, params) => {
    const value = params[name] as Numeric;
    const withValue = (x: unknown): unknown => build(row, { ...params, [name]: x });
    const matrix = value instanceof Tensor && value.rank === 2 && value.dims[1] > 1;
    for (const x of argumentsOf(build<number>(row, params), form)) {
      const leaf = leafOf(value);
      machine.lifted = true;
      const made = ask(withValue(leaf), form, x);
      machine.lifted = false;
      const plain = ask(withValue(value), form, x);
      elementsOf(made).forEach((entry, i) => {
        expectClose(entry, elementsOf(plain)[i], 1e-9);
      });
      // What cannot be told from two sides: a matrix has to stay symmetric, and quantiles of counts jump.
      if (matrix || (form === 'quantile' && !build(row, params).isContinuous)) continue;
      if (!elementsOf(plain).every(Number.isFinite)) continue;
      const found =
        made instanceof Node ? elementsOf(gradient(made.shape.length === 0 ? made : ops.sum(made), [leaf])[0]) : null;
      elementsOf(value).forEach((at, i) => {
        const expected = slope((y) => ask(withValue(withElement(value, i, y)), form, x), at, 1e-2);
        expectClose(found === null ? 0 : found[i], expected, 2e-6);
      });
    }
  });
});

describe('in the argument', () => {
  const asked = ALL.flatMap((row) =>
    row.params.flatMap((params) => {
      const plain = build<number>(row, params);
      const isFamily = 'family' in plain && plain.isContinuous;
      return (['cdf', 'quantile'] as const)
        .filter((form) => isFamily && plain[form] !== undefined)
        .map((form) => [form, label(row, params), row, params] as const);
    }),
  );

  test.each(asked)('%s of %s', (form, _label, row, params) => {
    const plain = build<number>(row, params);
    for (const x of argumentsOf(plain, form) as number[]) {
      const leaf = scalar(x);
      machine.lifted = true;
      const made = ask(plain, form, leaf);
      machine.lifted = false;
      expect(made).toBeInstanceOf(Node);
      expectClose(total(made), ask(plain, form, x) as number, 1e-9);
      const least = form === 'cdf' ? 1e-3 : 1e-2;
      expectClose(
        total(gradient(made as Node, [leaf])[0]),
        slope((y) => ask(plain, form, y), x, least),
        2e-6,
      );
    }
  });
});
