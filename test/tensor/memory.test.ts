import { describe, expect, it } from 'vitest';
import '../../src/tensor/evaluate.ts';
import { gradient } from '../../src/tensor/gradient/gradient.ts';
import { LaneSpace } from '../../src/tensor/lane-space.ts';
import { constant } from '../../src/tensor/leaves.ts';
import { add, matmul, mul, square, sub, sumLanes, tanh } from '../../src/tensor/ops.ts';
import { arrange } from '../../src/tensor/plan/arena.ts';
import { wasmDevice } from '../../src/tensor/wasm/device.ts';
import { generator, lanes } from './inputs.ts';

describe('memory', () => {
  it.skipIf(wasmDevice() === null)('stays flat over 10,000 recorded steps', () => {
    const { memory } = wasmDevice() as NonNullable<ReturnType<typeof wasmDevice>>;
    let weights = Float64Array.of(0.5, -0.5, 0.25, 1);
    const space = new LaneSpace(50);
    const xs = Float64Array.from({ length: 100 }, (_, i) => Math.sin(i));
    const ys = Float64Array.from({ length: 50 }, (_, i) => Math.cos(i));
    const step = (): void => {
      const w = constant(weights, [2, 2]);
      const hidden = tanh(matmul(constant(xs, [2], space), w));
      const error = sub(lanes(ys, space), matmul(hidden, constant(Float64Array.of(1, -1), [2])));
      const loss = sumLanes(square(error));
      const [g] = gradient(loss, [w]);
      weights = sub(add(w, 0), mul(0.001, g)).elements() as Float64Array<ArrayBuffer>;
    };
    for (let i = 0; i < 100; i++) step();
    const before = { allocated: memory.allocated, bytes: memory.memory.buffer.byteLength };
    for (let i = 0; i < 10_000; i++) step();
    expect(memory.allocated).toBe(before.allocated);
    expect(memory.memory.buffer.byteLength).toBe(before.bytes);
  });

  it('is shared by buffers that are never alive together, and by no others', () => {
    const random = generator(11);
    for (let round = 0; round < 50; round++) {
      const lifetimes = Array.from({ length: 30 }, () => {
        const from = Math.floor(random() * 40);
        return { bytes: 1 + Math.floor(random() * 300), from, to: from + Math.floor(random() * 12) };
      });
      const { offsets, bytes } = arrange(lifetimes);
      for (let i = 0; i < lifetimes.length; i++) {
        expect(offsets[i] % 16).toBe(0);
        expect(offsets[i] + lifetimes[i].bytes).toBeLessThanOrEqual(bytes);
        for (let j = 0; j < i; j++) {
          const together = lifetimes[i].from <= lifetimes[j].to && lifetimes[j].from <= lifetimes[i].to;
          const apart = offsets[i] + lifetimes[i].bytes <= offsets[j] || offsets[j] + lifetimes[j].bytes <= offsets[i];
          expect(apart || !together).toBe(true);
        }
      }
    }
    const chain = Array.from({ length: 100 }, (_, i) => ({ bytes: 1000, from: i, to: i + 1 }));
    expect(arrange(chain).bytes).toBeLessThanOrEqual(2016);
  });
});
