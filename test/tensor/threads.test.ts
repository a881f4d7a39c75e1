/** Work shared between threads: the same bits whoever computes what. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ParameterPack } from '../../src/optimize/parameter-pack.ts';
import { allowBlas, useThreads } from '../../src/tensor/devices.ts';
import { LaneSpace } from '../../src/tensor/lane-space.ts';
import { input } from '../../src/tensor/leaves.ts';
import type { Data, Node } from '../../src/tensor/node.ts';
import { add, exp, log1p, matmul, mul, square, sub, sum, sumLanes, tanh } from '../../src/tensor/ops.ts';
import { adam } from '../../src/tensor/optimisers.ts';
import { compilePlan } from '../../src/tensor/plan/compile.ts';
import { wasmDevice } from '../../src/tensor/wasm/device.ts';
import { hasBlas } from '../extras.ts';
import { generator } from './inputs.ts';

const threads = wasmDevice()?.threads ?? null;
/** Threads take a moment to start, and on a busy machine to get their turn. */
const PATIENCE = 20_000;

beforeEach(() => {
  allowBlas(false);
  if (threads !== null) threads.yields = false;
});
afterEach(() => {
  useThreads(undefined);
  allowBlas(true);
});

function numbers(length: number, dtype: 'f64' | 'f32' = 'f64'): Data {
  const random = generator(length);
  const array = dtype === 'f64' ? Float64Array : Float32Array;
  return new array(length).map(() => random() - 0.5);
}

/** The results with 1, 2 and 3 threads: repeated until others have really taken part. */
function withThreads(run: () => readonly (number | Data)[]): (number | Data)[][] {
  return [1, 2, 3].map((count) => {
    useThreads(count);
    if (threads === null || count === 1) return [...run()];
    const before = threads.helped;
    const end = performance.now() + PATIENCE;
    for (;;) {
      const results = run();
      if (threads.helped > before) return [...results];
      if (performance.now() > end) expect.fail('No other thread took any work.');
    }
  });
}

function expectSameBits(given: (number | Data)[][]): void {
  const [one, ...others] = given;
  for (const other of others) {
    for (const [i, data] of other.entries()) {
      const [a, b] = [one[i], data].map((each) => (typeof each === 'number' ? Float64Array.of(each) : each));
      expect(Buffer.compare(bytesOf(a), bytesOf(b))).toBe(0);
    }
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Data): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** Cut by rows, by columns, with edges that are no whole tiles; narrow ones that are not packed. */
const products: [number, number, number][] = [
  [211, 67, 101],
  [67, 211, 101],
  [130, 120, 301],
  [9001, 5, 31],
];

describe.skipIf(threads === null)('threads', () => {
  it.each(products)('multiply %i × %i matrices over %i to the same bits', (m, n, k) => {
    for (const dtype of ['f64', 'f32'] as const) {
      const [a, b] = [numbers(m * k, dtype), numbers(k * n, dtype)];
      for (const [transposeA, transposeB] of [
        [false, false],
        [true, false],
        [false, true],
      ]) {
        const results = withThreads(() => {
          const x = input(transposeA ? [k, m] : [m, k], dtype);
          const y = input(transposeB ? [n, k] : [k, n], dtype);
          return compilePlan([matmul(x, y, transposeA, transposeB)], [x, y]).run([a, b]);
        });
        expectSameBits(results);
      }
    }
  });

  it.skipIf(!hasBlas)('call the BLAS of the system to the same bits', () => {
    allowBlas(true);
    for (const dtype of ['f64', 'f32'] as const) {
      for (const [m, n, k, transposeA, transposeB] of [
        [300, 401, 310, false, false],
        [401, 300, 310, true, false],
        [300, 401, 310, false, true],
      ] as const) {
        const [a, b] = [numbers(m * k, dtype), numbers(k * n, dtype)];
        const multiply = (): Data[] => {
          const x = input(transposeA ? [k, m] : [m, k], dtype);
          const y = input(transposeB ? [n, k] : [k, n], dtype);
          return compilePlan([matmul(x, y, transposeA, transposeB)], [x, y]).run([a, b]) as Data[];
        };
        const results = withThreads(multiply);
        expectSameBits(results);
        allowBlas(false);
        const [plain] = multiply();
        allowBlas(true);
        // Each side rounds k times, by half a unit of a sum whose terms are at most a quarter.
        const off = k * 0.25 * k * (dtype === 'f64' ? 2 ** -52 : 2 ** -23);
        expect(Math.max(...plain.map((x, i) => Math.abs(x - (results[0][0] as Data)[i])))).toBeLessThan(off);
      }
    }
  });

  it.each([
    { along: 'nothing', lanes: 90_001, width: 1, reduce: (y: Node) => sub(y, 1) },
    { along: 'rows', lanes: 9001, width: 9, reduce: (y: Node) => sum(y) as Node },
    { along: 'columns', lanes: 90, width: 901, reduce: (y: Node) => sumLanes(y) },
  ])('compute kernels of lanes that add up along $along', ({ lanes, width, reduce }) => {
    for (const dtype of ['f64', 'f32'] as const) {
      const xs = numbers(lanes * width, dtype);
      const results = withThreads(() => {
        const x = input([width], dtype, new LaneSpace(lanes));
        const y = tanh(add(exp(x), mul(log1p(square(x)), x)));
        return compilePlan([y, reduce(y)], [x]).run([xs]);
      });
      expectSameBits(results);
    }
  });

  it('move parameters in place', () => {
    const slopes = numbers(200_003, 'f32');
    const results = withThreads(() => {
      const pack = new ParameterPack('f32', adam(), 0, () => {});
      pack.meet([pack.place(new Float32Array(slopes.length))]);
      pack.gradients.view().set(slopes);
      for (let i = 0; i < 3; i++) pack.move(i, 0.001, 1);
      return [pack.values.view().slice()];
    });
    expectSameBits(results);
  });

  it('go on where memory grows', () => {
    const [m, n, k] = products[2];
    const [a, b] = [numbers(m * k), numbers(k * n)];
    const multiply = (): readonly (number | Data)[] => {
      const [x, y] = [input([m, k]), input([k, n])];
      return compilePlan([matmul(x, y)], [x, y]).run([a, b]);
    };
    const before = withThreads(multiply);
    const { memory } = wasmDevice() as NonNullable<ReturnType<typeof wasmDevice>>;
    // Past its end, wherever the blocks of this process end.
    const bytes = memory.memory.buffer.byteLength;
    memory.scratch(bytes - memory.scratch(0) + 2 ** 20);
    expect(memory.memory.buffer.byteLength).toBeGreaterThan(bytes);
    expectSameBits([before[0], ...withThreads(multiply)]);
  });
});
