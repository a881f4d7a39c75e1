/** Lanes: a chain of ten operations over 10,000 float64, fused, against the same loop written by hand. */

import { LaneSpace } from '../../src/tensor/lane-space.ts';
import { input } from '../../src/tensor/leaves.ts';
import type { Node } from '../../src/tensor/node.ts';
import { abs, add, div, exp, max, mul, neg, sqrt, square, sub, sumLanes } from '../../src/tensor/ops.ts';
import { compilePlan } from '../../src/tensor/plan/compile.ts';
import { laneNormals } from '../../src/tensor/random.ts';
import { I32, ModuleBuilder, V128 } from '../../src/tensor/wasm/assembler.ts';
import { wasmDevice } from '../../src/tensor/wasm/device.ts';
import { f64x2, i32, v128 } from '../../src/tensor/wasm/instructions.ts';
import { best, ratioBar, report } from './measure.ts';

const LANES = 10_000;

function chain(x: Node, y: Node): Node {
  const a = add(x, y);
  const b = mul(a, 0.5);
  const c = sub(b, x);
  const d = square(c);
  const e = add(d, 1);
  const f = sqrt(e);
  const g = div(y, f);
  const h = neg(g);
  const i = abs(h);
  return max(i, 0.1);
}

/** The same arithmetic, each instruction written out. */
function byHand(): (n: number, x: number, y: number, out: number) => number {
  const f = f64x2;
  const module = new ModuleBuilder();
  module.function('run', [I32, I32, I32, I32], [], (b) => {
    const index = b.let(I32, i32.const(0));
    b.while(i32.lt(index.get, b.parameter(0)), () => {
      const bytes = b.let(I32, i32.shl(index.get, i32.const(3)));
      const x = b.let(V128, v128.load([i32.add(b.parameter(1), bytes.get)]));
      const y = b.let(V128, v128.load([i32.add(b.parameter(2), bytes.get)]));
      const c = b.let(V128, f.sub(f.mul(f.add(x.get, y.get), f.const(0.5)), x.get));
      const root = f.sqrt(f.add(f.mul(c.get, c.get), f.const(1)));
      const value = f.max(f.abs(f.neg(f.div(y.get, root))), f.const(0.1));
      b.do(v128.store([i32.add(b.parameter(3), bytes.get), value]));
      index.set(i32.add(index.get, i32.const(2)));
    });
  });
  return wasmDevice()!.instantiate(module).run as never;
}

export function lanes(): void {
  const space = new LaneSpace(LANES);
  const x = input([], 'f64', space);
  const y = input([], 'f64', space);
  const xs = Float64Array.from({ length: LANES }, (_, i) => Math.sin(i));
  const ys = Float64Array.from({ length: LANES }, (_, i) => Math.cos(i));
  const hand = byHand();
  const { memory } = wasmDevice()!;
  const at = memory.allocate(3 * 8 * LANES);
  memory.f64.set(xs, at / 8);
  memory.f64.set(ys, at / 8 + LANES);
  const written = report(
    'chain of 10 operations over 10,000 lanes: by hand',
    best(() => hand(LANES, at, at + 8 * LANES, at + 16 * LANES)),
  );
  report(
    'by hand, with inputs copied in and the result copied out',
    best(() => {
      memory.f64.set(xs, at / 8);
      memory.f64.set(ys, at / 8 + LANES);
      hand(LANES, at, at + 8 * LANES, at + 16 * LANES);
      memory.f64.slice(at / 8 + 2 * LANES, at / 8 + 3 * LANES);
    }),
  );
  const plan = compilePlan([chain(x, y)], [x, y]);
  const planned = report(
    'the same as a plan, inputs copied in, result copied out',
    best(() => plan.run([xs, ys])),
  );
  ratioBar('10 operations over 10,000 lanes, with copies / by hand, without', planned / written, 1.5);
  const summed = compilePlan([sumLanes(chain(x, y))], [x, y]);
  report(
    'with a sum at the end',
    best(() => summed.run([xs, ys])),
  );
  const e = compilePlan([sumLanes(exp(x))], [x]);
  report(
    'sum of exp over 10,000 lanes',
    best(() => e.run([xs])),
  );
  const key = Int32Array.from({ length: LANES }, (_, i) => Math.imul(i, 0x9e3779b9));
  const streams = { key0: key, key1: key, choice: new Int32Array(LANES).fill(1) };
  report(
    'a normal variate for each of 10,000 lanes',
    best(() => {
      laneNormals(streams);
    }),
  );
}
