/** Products with data of which most are 0. */
import { afterEach, describe, expect, it } from 'vitest';
import { allowBlas } from '../../src/tensor/devices.ts';
import { gradient } from '../../src/tensor/gradient/gradient.ts';
import { LaneSpace } from '../../src/tensor/lane-space.ts';
import { input } from '../../src/tensor/leaves.ts';
import { engineMode } from '../../src/tensor/mode.ts';
import type { Data, Node } from '../../src/tensor/node.ts';
import * as ops from '../../src/tensor/ops.ts';
import { compilePlan } from '../../src/tensor/plan/compile.ts';
import { computeAll } from '../../src/tensor/reference.ts';
import { wasmDevice } from '../../src/tensor/wasm/device.ts';
import { productAt } from '../../src/tensor/wasm/products.ts';
import { sparseProductAt } from '../../src/tensor/wasm/sparse-products.ts';
import { hasBlas } from '../extras.ts';
import { generator } from './inputs.ts';
import { expectProduct } from './plain-product.ts';

const device = wasmDevice()!;
const random = generator(8);

afterEach(() => {
  allowBlas(true);
  engineMode.bySize = false;
});

const FLAGS = [false, true];
/** Whether other products go to the BLAS of the system, where there is one. */
const BLAS = hasBlas ? FLAGS : [false];

/** An element is not 0 with probability `share`; `weight` is what it is then. */
const sparse = (length: number, share: number, weight: () => number): Float32Array =>
  Float32Array.from({ length }, () => (random() < share ? weight() : 0));
const dense = (length: number): Float32Array => Float32Array.from({ length }, () => random() - 0.5);

const transposed = (x: Float32Array, rows: number, columns: number): Float32Array =>
  Float32Array.from(x, (_, i) => x[(i % rows) * columns + Math.floor(i / rows)]);

/** A · B by the device, with A (m × k) and B given as they are or as their transposes. */
function product(
  [m, n, k]: readonly [number, number, number],
  a: Float32Array,
  b: Float32Array,
  flags: readonly boolean[],
  data: 'a' | 'b',
): Float32Array {
  const { memory } = device;
  const place = (numbers: Float32Array): number => {
    const at = memory.allocate(4 * numbers.length);
    memory.f32.set(numbers, at / 4);
    return at;
  };
  const atA = place(flags[0] ? transposed(a, m, k) : a);
  const atB = place(flags[1] ? transposed(b, k, n) : b);
  const atC = place(new Float32Array(m * n).fill(Number.NaN));
  const first = { address: atA, transposed: flags[0], mayBeSparse: data === 'a' };
  const second = { address: atB, transposed: flags[1], mayBeSparse: data === 'b' };
  productAt(device, 'f32', [m, n, k], first, second, atC)();
  const found = memory.f32.slice(atC / 4, atC / 4 + m * n);
  for (const [at, length] of [
    [atA, a.length],
    [atB, b.length],
    [atC, m * n],
  ])
    memory.release(at, 4 * length);
  return found;
}

const check = (sizes: readonly [number, number, number], a: Float32Array, b: Float32Array, c: Float32Array): void =>
  expectProduct(sizes, a, b, c, 2 ** -23);

/** Rows, columns, depth: strips of all widths, and what is left over of them. */
const sizes: readonly (readonly [number, number, number])[] = [
  [20, 116, 96],
  [116, 20, 96],
  [60, 48, 72],
];

describe('products with few elements that are not 0', () => {
  it.each(BLAS)('are right, stored either way, transposed or not: with BLAS %s', (blas) => {
    allowBlas(blas);
    for (const size of sizes) {
      const [m, n, k] = size;
      for (const weight of [() => 1, () => 3 * random()]) {
        for (const flags of FLAGS.flatMap((a) => FLAGS.map((b) => [a, b]))) {
          const a = sparse(m * k, 0.1, weight);
          const b = dense(k * n);
          check(size, a, b, product(size, a, b, flags, 'a'));
          const other = dense(m * k);
          const data = sparse(k * n, 0.1, weight);
          check(size, other, data, product(size, other, data, flags, 'b'));
        }
      }
    }
  });

  it.each(BLAS)('are right where what is there comes in runs: with BLAS %s', (blas) => {
    allowBlas(blas);
    // Rows of the data hold runs of all lengths, which begin at all places of a four, and all subsets of fours.
    const [rows, columns, n] = [48, 96, 52];
    const runs = Float32Array.from({ length: rows * columns }, (_, at) => {
      const [row, column] = [Math.floor(at / columns), at % columns];
      if (row < 16) return column < 32 ? (row >> (column % 4)) & 1 : 0;
      return Number((column + row) % 24 < row % 9);
    });
    for (const flags of FLAGS.flatMap((a) => FLAGS.map((b) => [a, b]))) {
      const b = dense(columns * n);
      check([rows, n, columns], runs, b, product([rows, n, columns], runs, b, flags, 'a'));
      const other = dense(n * rows);
      check([n, columns, rows], other, runs, product([n, columns, rows], other, runs, flags, 'b'));
      // One element that is not 1 is enough for all to have weights.
      const mixed = runs.map((number, i) => (i === 40 * columns + 83 ? 0.5 : number));
      check([rows, n, columns], mixed, b, product([rows, n, columns], mixed, b, flags, 'a'));
    }
  });

  it.each(BLAS)('add up only what is there: with BLAS %s', (blas) => {
    allowBlas(blas);
    const size = [20, 116, 96] as const;
    const [m, n, k] = size;
    const a = sparse(m * k, 0.1, () => 1).map((number, i) => (i % k === 5 ? 0 : number));
    // Nobody has the sixth of the rows, so that it does not matter what is in it.
    const b = dense(k * n).fill(Infinity, 5 * n, 6 * n);
    expect(product(size, a, b, [false, true], 'a').every(Number.isFinite)).toBe(true);
    // What is computed, and not data, is not looked at.
    expect(product(size, a, b, [false, true], 'b').some(Number.isNaN)).toBe(true);
    const empty = new Float32Array(m * k);
    expect(product(size, empty, b, [false, false], 'a')).toEqual(new Float32Array(m * n));
  });

  /** Whether a product adds up only what is there: what nobody has is not finite, and spoils the usual products. */
  function addsUpFew([m, n, k]: readonly [number, number, number], share: number, weight: () => number): boolean {
    const a = sparse(m * k, share, weight).map((number, i) => (i % k === 5 ? 0 : number));
    const b = dense(k * n).fill(Infinity, 5 * n, 6 * n);
    const finite = dense(k * n);
    check([m, n, k], a, finite, product([m, n, k], a, finite, [false, true], 'a'));
    return !product([m, n, k], a, b, [false, true], 'a').some(Number.isNaN);
  }

  it.each(BLAS)('leave others to the usual routines: with BLAS %s', (blas) => {
    allowBlas(blas);
    const one = () => 1;
    const other = () => 0.5 + random();
    // A BLAS is quicker from a fifth on; without one, sums of neighbouring columns pay however many ones there are.
    expect(addsUpFew([20, 116, 96], 0.6, one)).toBe(!blas);
    expect(addsUpFew([20, 116, 96], 0.35, other)).toBe(!blas);
    expect(addsUpFew([20, 116, 96], 0.6, other)).toBe(false);
    // Where vectors would be cut.
    expect(addsUpFew([20, 117, 96], 0.1, one)).toBe(false);
    expect(addsUpFew([21, 116, 98], 0.1, one)).toBe(false);
  });
});

describe('a layer of a network whose input is data', () => {
  it('has the values and gradients of plain products', () => {
    const space = new LaneSpace(40);
    const pixels = input([96, 1], 'f64', space);
    const weights = input([64, 96], 'f32');
    const hidden = ops.tanh(ops.matmul(weights, ops.inSinglePrecision(pixels) as Node) as Node) as Node;
    const loss = ops.sumLanes(ops.sum(ops.square(hidden) as Node) as Node) as Node;
    const outputs = [loss, ...gradient(loss, [weights])];
    for (const share of [0.1, 0.5]) {
      const images = Float64Array.from(sparse(40 * 96, share, () => 1));
      const start = dense(64 * 96);
      const [cost, slopes] = compilePlan(outputs, [pixels, weights]).run([images, start]);
      const known = new Map<Node, Data>([
        [pixels, images],
        [weights, start],
      ]);
      const [expected, expectedSlopes] = computeAll(outputs, known);
      expect(cost as number).toBeCloseTo(expected as number, 2);
      (slopes as Data).forEach((slope, i) => {
        expect(Math.abs(slope - (expectedSlopes as Data)[i])).toBeLessThan(1e-4);
      });
    }
  });
});

describe('a layer of a network whose input is drawn', () => {
  const space = new LaneSpace(40);
  const uniform = input([96, 1], 'f64', space);
  const chances = input([96, 1], 'f32', space);
  const weights = input([64, 96], 'f32');
  const coins = ops.select(ops.lt(uniform, chances) as Node, 1, 0) as Node;
  const output = ops.matmul(weights, ops.inSinglePrecision(coins) as Node) as Node;
  const loss = ops.sumLanes(ops.sum(ops.square(output) as Node) as Node) as Node;
  const outputs = [loss, output, ...gradient(loss, [weights])];
  const inputs = [uniform, chances, weights];
  const numbers = (share: number): Data[] => [
    Float64Array.from({ length: 40 * 96 }, () => random()),
    // The sixth coin never shows heads.
    Float32Array.from({ length: 40 * 96 }, (_, i) => (i % 96 === 5 ? 0 : share)),
    dense(64 * 96),
  ];

  it('has the values and gradients of plain products, however many coins show heads', () => {
    allowBlas(false);
    const plan = compilePlan(outputs, inputs);
    for (const share of [0.05, 0.5, 0.95, 0]) {
      const given = numbers(share);
      const found = plan.run(given);
      const expected = computeAll(outputs, new Map(inputs.map((node, i) => [node, given[i]])));
      const sizes = [1, 40 * 64, 64 * 96];
      outputs.forEach((_, i) => {
        const [one, other] = [found[i], expected[i]].map((value) =>
          typeof value === 'number' ? [value] : [...(value as Data)],
        );
        expect(one).toHaveLength(sizes[i]);
        const scale = Math.max(1, ...other.map(Math.abs));
        one.forEach((x, at) => void expect(Math.abs(x - other[at])).toBeLessThan(1e-5 * scale));
      });
    }
  });

  it('adds up only the weights of coins that show heads', () => {
    allowBlas(false);
    const [draws, shares, start] = numbers(0.5);
    // A weight that nobody asks for: products would make NaN of it.
    for (let i = 5; i < start.length; i += 96) start[i] = Infinity;
    const found = compilePlan([output], inputs).run([draws, shares, start])[0] as Data;
    expect(found.every(Number.isFinite)).toBe(true);
  });
});

describe('data that turn out to be dense', () => {
  it('are looked at less and less often', () => {
    const [n, bytes] = [100, 4 * 100 * 100];
    const address = device.memory.allocate(bytes);
    const result = device.memory.allocate(bytes);
    const matrix = { address, rows: n, columns: n };
    let left = 0;
    const call = sparseProductAt(
      device,
      matrix,
      false,
      { ...matrix, transposed: false },
      { address: result, transposed: false },
      () => {
        left++;
      },
      false,
    )!;
    const fill = (value: number): void => void device.memory.f32.fill(value, address / 4, (address + bytes) / 4);
    fill(2);
    for (let i = 0; i < 20; i++) call();
    expect(left).toBe(20);
    // They were looked at in runs 0, 2, 6 and 14, and are again in run 30.
    fill(0);
    for (let i = 20; i < 40; i++) call();
    expect(left).toBe(30);
    // But every time where what is computed must not depend on what was computed before.
    engineMode.bySize = true;
    fill(2);
    call();
    fill(0);
    call();
    expect(left).toBe(31);
    device.memory.release(address, bytes);
    device.memory.release(result, bytes);
  });
});
