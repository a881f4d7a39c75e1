/** Loops over the weights of particles, and systematic resampling. */
import {
  type Expression,
  F64,
  type FunctionBuilder,
  I32,
  type ModuleBuilder,
  V128,
} from '../../tensor/wasm/assembler.ts';
import { f64, f64x2, i32, isNot0, v128 } from '../../tensor/wasm/instructions.ts';
import { inlined64 } from '../../tensor/wasm/math64.ts';
import { count, doubleAt, largerLane, sumOfLanes, wordAt } from './kernel-loops.ts';
import { SQUARES_AT } from './kernel-places.ts';

/** Goes over float64s two at once, and over the last alone if they are odd; given how far each is from the first. */
function inPairs(b: FunctionBuilder, n: Expression, body: (offset: Expression, single: boolean) => void): void {
  const offset = b.let(I32, i32.const(0));
  const end = b.let(I32, i32.shl(i32.sub(n, i32.and(n, i32.const(1))), i32.const(3)));
  b.while(i32.lt(offset.get, end.get), () => {
    body(offset.get, false);
    offset.set(i32.add(offset.get, i32.const(16)));
  });
  b.if(i32.and(n, i32.const(1)), () => body(offset.get, true));
}

/** Normalising weights, in several loops: those after the first are not always needed. */
function addNormalise(module: ModuleBuilder): void {
  // (n, weights): the largest.
  module.function('most', [I32, I32], [F64], (b) => {
    const most = b.let(V128, f64x2.const(-Infinity));
    inPairs(b, b.parameter(0), (offset, single) => {
      const at = i32.add(b.parameter(1), offset);
      most.set(f64x2.quickMax(most.get, single ? v128.load64Splat([at]) : v128.load([at])));
    });
    b.do(largerLane(most.get));
  });
  // (n, log-weights, out, largest): weights in units of the largest. Gives their sum, and leaves that of their squares. Four
  // at once, because it takes as long to have the constants at hand as to compute; behind the last is room for three more.
  module.function('exponentials', [I32, I32, I32, F64], [F64], (b) => {
    const [from, to, left] = [b.let(I32, b.parameter(1)), b.let(I32, b.parameter(2)), b.let(I32, b.parameter(0))];
    const shift = b.let(V128, f64x2.splat(b.parameter(3)));
    const [sums, squares] = [b.let(V128, f64x2.const(0)), b.let(V128, f64x2.const(0))];
    const beyond = b.let(I32, b.parameter(0));
    b.while(i32.and(beyond.get, i32.const(3)), () => {
      b.do(f64.store([doubleAt(from.get, beyond.get), f64.const(-Infinity)]));
      beyond.set(i32.add(beyond.get, i32.const(1)));
    });
    b.while(i32.gt(left.get, i32.const(0)), () => {
      const logs = [0, 16].map((offset) => b.let(V128, f64x2.sub(v128.load([from.get], offset), shift.get)));
      const weights = logs.map((log) => b.let(V128, inlined64.decay.value(b, log)));
      weights.forEach((weight, k) => {
        b.do(v128.store([to.get, weight.get], 16 * k));
        sums.set(f64x2.add(sums.get, weight.get));
        squares.set(f64x2.add(squares.get, f64x2.mul(weight.get, weight.get)));
      });
      from.set(i32.add(from.get, i32.const(32)));
      to.set(i32.add(to.get, i32.const(32)));
      left.set(i32.sub(left.get, i32.const(4)));
    });
    b.do(f64.store([i32.const(SQUARES_AT), sumOfLanes(squares.get)]));
    b.do(sumOfLanes(sums.get));
  });
  // (n, weights, their sum): divides them by it. Gives the sum of their squares then.
  module.function('divide', [I32, I32, F64], [F64], (b) => {
    const divisor = b.let(V128, f64x2.splat(b.parameter(2)));
    const squares = b.let(V128, f64x2.const(0));
    inPairs(b, b.parameter(0), (offset) => {
      const at = b.let(I32, i32.add(b.parameter(1), offset));
      const share = b.let(V128, f64x2.div(v128.load([at.get]), divisor.get));
      b.do(v128.store([at.get, share.get]));
      squares.set(f64x2.add(squares.get, f64x2.mul(share.get, share.get)));
    });
    b.do(sumOfLanes(squares.get));
  });
}

export function addWeights(module: ModuleBuilder): void {
  addNormalise(module);
  // 0 if all numbers are finite, else NaN.
  module.function('finiteness', [I32, I32], [F64], (b) => {
    const sum = b.let(V128, f64x2.const(0));
    inPairs(b, b.parameter(0), (offset, single) => {
      const at = i32.add(b.parameter(1), offset);
      const x = b.let(V128, single ? v128.load64Splat([at]) : v128.load([at]));
      sum.set(f64x2.add(sum.get, f64x2.sub(x.get, x.get)));
    });
    b.do(sumOfLanes(sum.get));
  });
  // 1 if all numbers are equal, else 0.
  module.function('equality', [I32, I32], [I32], (b) => {
    const first = b.let(V128, v128.load64Splat([b.parameter(1)]));
    const different = b.let(V128, f64x2.const(0));
    inPairs(b, b.parameter(0), (offset, single) => {
      const at = i32.add(b.parameter(1), offset);
      const x = single ? v128.load64Splat([at]) : v128.load([at]);
      different.set(v128.or(different.get, f64x2.ne(x, first.get)));
    });
    b.do(i32.eqz(v128.anyTrue(different.get)));
  });
  // (n, weights, children, how many in all, where the comb begins, sum of the weights): see `systematic` in
  // `inference/particles/resampling.ts`.
  module.function('systematic', [I32, I32, I32, I32, F64, F64], [], (b) => {
    const [n, weights, children, size, offset, sumOfAll] = [0, 1, 2, 3, 4, 5].map((k) => b.parameter(k));
    const shareOf = (i: Expression): Expression => f64.div(f64.load([doubleAt(weights, i)]), sumOfAll);
    const total = b.let(F64, f64.convertI32(size));
    const placed = b.let(I32, i32.const(0));
    const sum = b.let(F64, f64.const(0));
    count(b, n, (i) => {
      const before = b.let(I32, placed.get);
      sum.set(f64.add(sum.get, f64.mul(shareOf(i), total.get)));
      placed.set(i32.truncateSaturating(f64.ceil(f64.sub(sum.get, offset))));
      // Rounding may lead beyond the last tooth.
      b.if(i32.gt(placed.get, size), () => placed.set(size));
      b.do(i32.store([wordAt(children, i), i32.sub(placed.get, before.get)]));
    });
    const last = b.let(I32, i32.sub(n, i32.const(1)));
    b.while(i32.eqz(isNot0(shareOf(last.get))), () => last.set(i32.sub(last.get, i32.const(1))));
    const to = b.let(I32, wordAt(children, last.get));
    b.do(i32.store([to.get, i32.add(i32.load([to.get]), i32.sub(size, placed.get))]));
  });
  // (n, children, parents, free places, more children): see `parentsOf` there. What is written in vain, because there is
  // no free place or no more than one child, is overwritten: that takes no branch that the processor could foresee wrongly.
  module.function('parents', [I32, I32, I32, I32, I32], [], (b) => {
    const [n, children, parents, places, others] = [0, 1, 2, 3, 4].map((k) => b.parameter(k));
    const free = b.let(I32, places);
    const more = b.let(I32, others);
    const step = (local: typeof free, condition: Expression): void =>
      local.set(i32.add(local.get, i32.shl(condition, i32.const(2))));
    count(b, n, (i) => {
      const left = b.let(I32, i32.load([wordAt(children, i)]));
      b.do(i32.store([wordAt(parents, i), i]));
      b.do(i32.store([free.get, i]));
      step(free, i32.eqz(left.get));
      b.do(i32.store([more.get, i]));
      step(more, i32.gt(left.get, i32.const(1)));
      b.while(i32.gt(left.get, i32.const(2)), () => {
        b.do(i32.store([more.get, i]));
        step(more, i32.const(1));
        left.set(i32.sub(left.get, i32.const(1)));
      });
    });
    const length = b.let(I32, i32.shrUnsigned(i32.sub(free.get, places), i32.const(2)));
    count(b, length.get, (k) => {
      b.do(i32.store([wordAt(parents, i32.load([wordAt(places, k)])), i32.load([wordAt(others, k)])]));
    });
  });
  module.function('squares', [I32, I32], [F64], (b) => {
    const sum = b.let(V128, f64x2.const(0));
    inPairs(b, b.parameter(0), (offset, single) => {
      const at = i32.add(b.parameter(1), offset);
      const x = b.let(V128, single ? v128.load64Zero([at]) : v128.load([at]));
      sum.set(f64x2.add(sum.get, f64x2.mul(x.get, x.get)));
    });
    b.do(sumOfLanes(sum.get));
  });
}
