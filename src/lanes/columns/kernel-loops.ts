/** Loops of kernels over their arguments. */
import { type Expression, type FunctionBuilder, I32, type Local } from '../../tensor/wasm/assembler.ts';
import { f64, f64x2, i32, v128 } from '../../tensor/wasm/instructions.ts';

/** The address of the i-th float64 from `base` on. */
export const doubleAt = (base: Expression, i: Expression): Expression => i32.add(base, i32.shl(i, i32.const(3)));
/** The address of the i-th word. */
export const wordAt = (base: Expression, i: Expression): Expression => i32.add(base, i32.shl(i, i32.const(2)));

/** All bits of the first of two lanes. */
export const FIRST_LANE = v128.shuffle(
  [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23],
  v128.not(f64x2.const(0)),
  f64x2.const(0),
);

/** Both lanes together. */
export const sumOfLanes = (pair: Expression): Expression => f64.add(f64x2.extract(0, pair), f64x2.extract(1, pair));

const SWAPPED = [8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7];

/** The larger of both lanes. */
export const largerLane = (pair: Expression): Expression =>
  f64x2.extract(0, f64x2.max(pair, v128.shuffle(SWAPPED, pair, pair)));

/** For i = 0, 1, … below the number. */
export function count(b: FunctionBuilder, below: Expression, body: (i: Expression) => void): void {
  const i = b.let(I32, i32.const(0));
  b.while(i32.lt(i.get, below), () => {
    body(i.get);
    i.set(i32.add(i.get, i32.const(1)));
  });
}

/** Numbers of executions, two at once, or one for all that is there twice: an address, and the bytes from two to the next two. */
export class Numbers {
  private readonly at: Local;

  constructor(
    b: FunctionBuilder,
    start: Expression,
    private readonly step: Expression,
  ) {
    this.at = b.let(I32, start);
  }

  get two(): Expression {
    return v128.load([this.at.get]);
  }

  advance(): void {
    this.at.set(i32.add(this.at.get, this.step));
  }
}
