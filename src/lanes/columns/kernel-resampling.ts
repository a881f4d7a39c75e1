/** Systematic resampling as moves: executions without children become copies of those with several. */
import { type Expression, F64, I32, type Local, type ModuleBuilder } from '../../tensor/wasm/assembler.ts';
import { f64, i32 } from '../../tensor/wasm/instructions.ts';
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
  // `inference/resampling.ts`. Gives the number of pairs; −1 if rounding left teeth over. What is written in vain, because
  // there is a child or no more than one, is overwritten: that takes no branch that the processor could foresee wrongly.
  module.function('moves', [I32, I32, I32, F64, F64], [I32], (b) => {
    const [n, weights, pairs, offset, total] = [0, 1, 2, 3, 4].map((k) => b.parameter(k));
    const size = b.let(F64, f64.convertI32(n));
    const sum = b.let(F64, f64.const(0));
    const placed = b.let(I32, i32.const(0));
    const [free, more] = [b.let(I32, pairs), b.let(I32, pairs)];
    const forward = (cursor: Local, condition: Expression): void =>
      cursor.set(i32.add(cursor.get, i32.shl(condition, i32.const(3))));
    count(b, n, (i) => {
      sum.set(f64.add(sum.get, f64.mul(f64.div(f64.load([doubleAt(weights, i)]), total), size.get)));
      const teeth = b.let(I32, i32.truncateSaturating(f64.ceil(f64.sub(sum.get, offset))));
      b.if(i32.gt(teeth.get, n), () => teeth.set(n));
      const left = b.let(I32, i32.sub(teeth.get, placed.get));
      placed.set(teeth.get);
      b.do(i32.store([free.get, i]));
      forward(free, i32.eqz(left.get));
      b.do(i32.store([more.get, i], 4));
      forward(more, i32.gt(left.get, i32.const(1)));
      b.if(i32.gt(left.get, i32.const(2)), () => more.set(others(more.get, i, left.get)));
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
