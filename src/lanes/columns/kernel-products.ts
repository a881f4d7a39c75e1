/** One matrix times a vector of each execution, plus a vector: a layer of a network. */
import { type Expression, type FunctionBuilder, I32, type ModuleBuilder, V128 } from '../../tensor/wasm/assembler.ts';
import { f64x2, i32, v128 } from '../../tensor/wasm/instructions.ts';
import { count, doubleAt, wordAt } from './kernel-loops.ts';

/** So many sums are taken at once, each for four executions: each waits for its last addition. */
const ROWS = 4;

/**
 * `(n, rows, k, matrix, added, inputs, outputs)`: the matrix row after row; `inputs` and `outputs` are tables of the places of columns, one for
 * each entry of a vector. Sums are taken in the order in which they are for one execution alone. Four executions at once: behind
 * the last of a column is room for three more.
 */
export function addProducts(module: ModuleBuilder): void {
  module.function('product', new Array(7).fill(I32), [], (b) => {
    const row = b.let(I32, i32.const(0));
    const inThese = (height: number): void => {
      sums(b, row.get, height);
      row.set(i32.add(row.get, i32.const(height)));
    };
    b.while(i32.le(i32.add(row.get, i32.const(ROWS)), b.parameter(1)), () => inThese(ROWS));
    b.while(i32.lt(row.get, b.parameter(1)), () => inThese(1));
  });
}

/** So many rows of the matrix, from one on, for all executions. */
function sums(b: FunctionBuilder, row: Expression, height: number): void {
  const [n, , k, matrix, added, inputs, outputs] = Array.from({ length: 7 }, (_, i) => b.parameter(i));
  const rows = Array.from({ length: height }, (_, r) => r);
  const starts = rows.map((r) => b.let(I32, doubleAt(matrix, i32.mul(i32.add(row, i32.const(r)), k))));
  const targets = rows.map((r) => b.let(I32, i32.load([wordAt(outputs, i32.add(row, i32.const(r)))])));
  const offset = b.let(I32, i32.const(0));
  const end = b.let(I32, i32.shl(n, i32.const(3)));
  const totals = rows.map(() => [0, 16].map(() => b.local(V128)));
  b.while(i32.lt(offset.get, end.get), () => {
    for (const total of totals.flat()) total.set(f64x2.const(0));
    count(b, k, (p) => {
      const at = b.let(I32, i32.add(i32.load([wordAt(inputs, p)]), offset.get));
      const xs = [0, 16].map((further) => b.let(V128, v128.load([at.get], further)));
      for (const r of rows) {
        const weight = b.let(V128, v128.load64Splat([doubleAt(starts[r].get, p)]));
        totals[r].forEach((total, i) => {
          total.set(f64x2.add(total.get, f64x2.mul(xs[i].get, weight.get)));
        });
      }
    });
    for (const r of rows) {
      const last = b.let(V128, v128.load64Splat([doubleAt(added, i32.add(row, i32.const(r)))]));
      totals[r].forEach((total, i) => {
        b.do(v128.store([i32.add(targets[r].get, offset.get), f64x2.add(total.get, last.get)], 16 * i));
      });
    }
    offset.set(i32.add(offset.get, i32.const(32)));
  });
}
