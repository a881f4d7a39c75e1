/** Loops that move numbers: `(n, numbers, places, out)`. */
import { I32, type ModuleBuilder } from '../../tensor/wasm/assembler.ts';
import { f64, i32, isNot0 } from '../../tensor/wasm/instructions.ts';
import { count, doubleAt, wordAt } from './kernel-loops.ts';

export function addMoves(module: ModuleBuilder): void {
  const four = [I32, I32, I32, I32] as const;
  const five = [...four, I32] as const;
  // (n, first, out): first, first + 1, …
  module.function('consecutive', [I32, I32, I32], [], (b) => {
    count(b, b.parameter(0), (i) => {
      b.do(i32.store([wordAt(b.parameter(2), i), i32.add(b.parameter(1), i)]));
    });
  });
  module.function('gather', four, [], (b) => {
    count(b, b.parameter(0), (i) => {
      const place = i32.load([wordAt(b.parameter(2), i)]);
      b.do(f64.store([doubleAt(b.parameter(3), i), f64.load([doubleAt(b.parameter(1), place)])]));
    });
  });
  module.function('gatherWords', four, [], (b) => {
    count(b, b.parameter(0), (i) => {
      const place = i32.load([wordAt(b.parameter(2), i)]);
      b.do(i32.store([wordAt(b.parameter(3), i), i32.load([wordAt(b.parameter(1), place)])]));
    });
  });
  // (n, numbers, their step, places, out)
  for (const adding of [false, true]) {
    module.function(adding ? 'scatterAdd' : 'scatter', five, [], (b) => {
      const from = b.let(I32, b.parameter(1));
      count(b, b.parameter(0), (i) => {
        const to = b.let(I32, doubleAt(b.parameter(4), i32.load([wordAt(b.parameter(3), i)])));
        const value = f64.load([from.get]);
        b.do(f64.store([to.get, adding ? f64.add(f64.load([to.get]), value) : value]));
        from.set(i32.add(from.get, b.parameter(2)));
      });
    });
  }
  module.function('bump', four, [], (b) => {
    count(b, b.parameter(0), (i) => {
      const at = b.let(I32, wordAt(b.parameter(1), i32.load([wordAt(b.parameter(2), i)])));
      b.do(i32.store([at.get, i32.add(i32.load([at.get]), b.parameter(3))]));
    });
  });
  // The places where a number is not 0 go to `places`, the others to `out`; gives the bytes of those that are not 0.
  // Each place is written to both, and stays in one: that takes no branch that the processor could foresee wrongly.
  module.function('partition', four, [I32], (b) => {
    const yes = b.let(I32, b.parameter(2));
    const no = b.let(I32, b.parameter(3));
    count(b, b.parameter(0), (i) => {
      const forward = b.let(I32, i32.shl(isNot0(f64.load([doubleAt(b.parameter(1), i)])), i32.const(2)));
      b.do(i32.store([yes.get, i]));
      b.do(i32.store([no.get, i]));
      yes.set(i32.add(yes.get, forward.get));
      no.set(i32.add(no.get, i32.sub(i32.const(4), forward.get)));
    });
    b.do(i32.sub(yes.get, b.parameter(2)));
  });
}
