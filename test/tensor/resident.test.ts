import { afterEach, describe, expect, it } from 'vitest';
import { useDevice } from '../../src/tensor/devices.ts';
import { evaluate } from '../../src/tensor/evaluate.ts';
import { gradient } from '../../src/tensor/gradient/gradient.ts';
import { LaneSpace } from '../../src/tensor/lane-space.ts';
import { constant, input } from '../../src/tensor/leaves.ts';
import { add, exp, matmul, mul, square, sum, sumLanes } from '../../src/tensor/ops.ts';
import { compilePlan } from '../../src/tensor/plan/compile.ts';
import { Tensor } from '../../src/tensor/tensor.ts';
import { residentBuffer } from '../../src/tensor/wasm/resident.ts';
import { RowBuffer } from '../../src/tensor/wasm/resident-rows.ts';

afterEach(() => useDevice('wasm'));

describe.each(['js', 'wasm'] as const)('buffers that stay on %s', (device) => {
  it('are leaves whose contents may change between runs', () => {
    useDevice(device);
    const buffer = residentBuffer(4);
    const w = buffer.node([2, 2]);
    const x = input([2]);
    const plan = compilePlan([matmul(x, w)], [x]);
    for (const scale of [1, 10]) {
      buffer.view().set([1, 2, 3, 4].map((v) => v * scale));
      expect([...(plan.run([Float64Array.of(1, -1)])[0] as Float64Array)]).toEqual([-2 * scale, -2 * scale]);
      for (let time = 0; time < 3; time++)
        expect(evaluate([sum(square(buffer.node([4])))])).toEqual([30 * scale * scale]);
    }
  });

  it('and plain data may take turns in graphs of one structure', () => {
    useDevice(device);
    const buffer = residentBuffer(3);
    buffer.view().set([1, 2, 3]);
    for (let time = 0; time < 6; time++) {
      const leaf = time % 2 === 0 ? buffer.node([3]) : constant(Float64Array.of(10, 20, 30), [3]);
      expect([...square(leaf).elements()]).toEqual(time % 2 === 0 ? [1, 4, 9] : [100, 400, 900]);
    }
    expect([...buffer.view()]).toEqual([1, 2, 3]);
  });

  it('take the outputs of plans', () => {
    useDevice(device);
    const parameters = residentBuffer(5, 'f32');
    const gradients = residentBuffer(5, 'f32');
    parameters.view().set([1, 2, 3, 4, 5]);
    const weights = [parameters.part(0, 2).node([2]), parameters.part(2, 3).node([3])];
    const space = new LaneSpace(10);
    const x = input([], 'f64', space);
    const loss = sumLanes(mul(x, add(sum(square(weights[0])), sum(exp(mul(0, weights[1]))))));
    const plan = compilePlan([loss, ...gradient(loss, weights)], [x]);
    plan.into(1, gradients.part(0, 2));
    plan.into(2, gradients.part(2, 3));
    const [value] = plan.run([new Float64Array(10).fill(0.5)]);
    expect(value).toBe(5 * (5 + 3));
    expect([...gradients.view()]).toEqual([10, 20, 0, 0, 0]);
  });

  it('are updated in place', () => {
    useDevice(device);
    const buffer = residentBuffer(3);
    buffer.view().set([1, 2, 3]);
    const plan = compilePlan([add(mul(buffer.node([3]), 2), 1)], []);
    plan.into(0, buffer);
    for (let i = 0; i < 3; i++) plan.run([]);
    expect([...buffer.view()]).toEqual([15, 23, 31]);
  });
});

describe.each(['js', 'wasm'] as const)('tensors put side by side on %s', (device) => {
  it.each(['f64', 'f32'] as const)('keep their elements in %s, however often they are used', (dtype) => {
    useDevice(device);
    // More than are kept in one place.
    const size = 40_000;
    const tensors = Array.from({ length: 9 }, (_, k) => new Tensor([size], new Float64Array(size).fill(k + 0.1)));
    const buffer = residentBuffer(3 * size, dtype);
    const met: unknown[] = [];
    const rows = new RowBuffer(buffer, 3, (tensor) => met.push(tensor));
    for (const chosen of [
      [0, 1, 2],
      [8, 1, 7],
      [3, 4, 5],
      [6, 6, 0],
    ]) {
      rows.write(chosen.map((k) => tensors[k]));
      const [view, round] = [buffer.view(), dtype === 'f32' ? Math.fround : Number];
      chosen.forEach((k, i) => {
        expect(view.subarray(i * size, (i + 1) * size).every((number: number) => number === round(k + 0.1))).toBe(true);
      });
    }
    // Each is looked at once.
    expect(new Set(met).size).toBe(met.length);
    expect(met).toHaveLength(9);
  });

  it('are read again by the next buffer, since somebody may have written into them', () => {
    useDevice(device);
    const tensor = new Tensor([2], Float64Array.of(1, 2));
    const side = (): number[] => {
      const buffer = residentBuffer(4);
      new RowBuffer(buffer, 2, () => {}).write([tensor, tensor]);
      return [...buffer.view()];
    };
    expect(side()).toEqual([1, 2, 1, 2]);
    tensor.data[0] = 5;
    expect(side()).toEqual([5, 2, 5, 2]);
  });
});

describe('a plan that would read what it has overwritten', () => {
  it('is refused', () => {
    const buffer = residentBuffer(4);
    const w = buffer.node([2, 2]);
    const doubled = mul(w, 2);
    const plan = compilePlan([doubled, matmul(matmul(doubled, doubled), w)], []);
    plan.into(0, buffer);
    expect(() => plan.run([])).toThrow('A plan would overwrite a buffer that it still reads from');
  });
});
