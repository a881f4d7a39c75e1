/** Systematic resampling as moves: executions without children become copies of those with several. */
import { type Expression, F64, I32, type Local, type ModuleBuilder, V128 } from '../../tensor/wasm/assembler.ts';
import { f64, f64x2, i32, i32x4, v128 } from '../../tensor/wasm/instructions.ts';
import { count, doubleAt, wordAt } from './kernel-loops.ts';

/** The k-th pair of words: a place, and where the execution comes from that goes on there. */
const pairAt = (pairs: Expression, k: Expression): Expression => doubleAt(pairs, k);

export function addResampling(module: ModuleBuilder): void {
  // (where the next is written, an execution, its children): apart, because V8 at first keeps nothing in registers across loops.
  const others = module.function(null, [I32, I32, I32], [I32], (b) => {
    const [to, left] = [b.let(I32, b.parameter(0)), b.let(I32, b.parameter(2))];
    b.while(i32.gt(left.get, i32.const(2)), () => {
      b.do(i32.store([to.get, b.parameter(1)], 4));
      to.set(i32.add(to.get, i32.const(8)));
      left.set(i32.sub(left.get, i32.const(1)));
    });
    b.do(to.get);
  });
  // (n, weights, pairs, where the comb begins, sum of the weights): see `systematic` and `parentsOf` in
  // `inference/particles/resampling.ts`. Gives the number of pairs; −1 if rounding left teeth over. What is written in vain, because
  // there is a child or no more than one, is overwritten: that takes no branch that the processor could foresee wrongly.
  module.function('moves', [I32, I32, I32, F64, F64], [I32], (b) => {
    const [n, weights, pairs, offset, total] = [0, 1, 2, 3, 4].map((k) => b.parameter(k));
    const twice = (x: Expression): Expression => b.let(V128, f64x2.splat(x)).get;
    const [size, start, divisor] = [twice(f64.convertI32(n)), twice(offset), twice(total)];
    const sum = b.let(F64, f64.const(0));
    const placed = b.let(I32, i32.const(0));
    const [free, more] = [b.let(I32, pairs), b.let(I32, pairs)];
    const forward = (cursor: Local, condition: Expression): void =>
      cursor.set(i32.add(cursor.get, i32.shl(condition, i32.const(3))));
    const place = (i: Expression, teeth: Expression): void => {
      const left = b.let(I32, i32.sub(teeth, placed.get));
      placed.set(teeth);
      b.do(i32.store([free.get, i]));
      forward(free, i32.eqz(left.get));
      b.do(i32.store([more.get, i], 4));
      forward(more, i32.gt(left.get, i32.const(1)));
      b.if(i32.gt(left.get, i32.const(2)), () => more.set(others(more.get, i, left.get)));
    };
    const i = b.let(I32, i32.const(0));
    b.while(i32.lt(i.get, n), () => {
      const expected = b.let(V128, f64x2.mul(f64x2.div(v128.load([doubleAt(weights, i.get)]), divisor), size));
      const sums = [0, 1].map((lane) => {
        sum.set(f64.add(sum.get, f64x2.extract(lane, expected.get)));
        return b.let(F64, sum.get).get;
      });
      const reached = f64x2.ceil(f64x2.sub(f64x2.replace(1, f64x2.splat(sums[0]), sums[1]), start));
      // Whole numbers are in the low bits of their sum with this.
      const teeth = b.let(V128, f64x2.add(f64x2.quickMin(reached, size), f64x2.const(2 ** 52)));
      place(i.get, b.let(I32, i32x4.extract(0, teeth.get)).get);
      i.set(i32.add(i.get, i32.const(1)));
      // Of an odd number, the last is alone.
      b.if(i32.lt(i.get, n), () => place(i.get, b.let(I32, i32x4.extract(2, teeth.get)).get));
      i.set(i32.add(i.get, i32.const(1)));
    });
    b.if(i32.ne(placed.get, n), () => b.return(i32.const(-1)));
    b.do(i32.shrUnsigned(i32.sub(free.get, pairs), i32.const(3)));
  });
  // (number of pairs, pairs, numbers)
  module.function('move', [I32, I32, I32], [], (b) => {
    count(b, b.parameter(0), (k) => {
      const pair = b.let(I32, pairAt(b.parameter(1), k));
      const from = f64.load([doubleAt(b.parameter(2), i32.load([pair.get], 4))]);
      b.do(f64.store([doubleAt(b.parameter(2), i32.load([pair.get])), from]));
    });
  });
  // (number of pairs, pairs, words)
  module.function('redirect', [I32, I32, I32], [], (b) => {
    count(b, b.parameter(0), (k) => {
      const pair = b.let(I32, pairAt(b.parameter(1), k));
      b.do(i32.store([wordAt(b.parameter(2), i32.load([pair.get])), i32.load([pair.get], 4)]));
    });
  });
}
