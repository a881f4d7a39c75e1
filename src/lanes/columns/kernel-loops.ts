/** How kernels go over what they are given. */
import { type Expression, type FunctionBuilder, I32 } from '../../tensor/wasm/assembler.ts';
import { i32 } from '../../tensor/wasm/instructions.ts';

/** The address of the i-th float64 from `base` on. */
export const doubleAt = (base: Expression, i: Expression): Expression => i32.add(base, i32.shl(i, i32.const(3)));
/** The address of the i-th word. */
export const wordAt = (base: Expression, i: Expression): Expression => i32.add(base, i32.shl(i, i32.const(2)));

/** For i = 0, 1, … below the number. */
export function count(b: FunctionBuilder, below: Expression, body: (i: Expression) => void): void {
  const i = b.let(I32, i32.const(0));
  b.while(i32.lt(i.get, below), () => {
    body(i.get);
    i.set(i32.add(i.get, i32.const(1)));
  });
}
