/** Philox4x32-10 on four lanes at once; see `../philox.ts` for what it is, and `../random.ts` for what its words mean. */
import { type Expression, type FunctionBuilder, I32, type Local, V128 } from './assembler.ts';
import { f64x2, i32, i32x4, i64x2, v128 } from './instructions.ts';

const MULTIPLIER_0 = 0xd2511f53;
const MULTIPLIER_1 = 0xcd9e8d57;
const WEYL_0 = 0x9e3779b9;
const WEYL_1 = 0xbb67ae85;
const ROUNDS = 10;

/** Upper halves of the products of unsigned words. */
function highProduct(b: FunctionBuilder, a: Expression, factor: number): Expression {
  const constant = i32x4.const(factor);
  const low = b.let(V128, i64x2.multiplyLow(a, constant));
  const high = b.let(V128, i64x2.multiplyHigh(a, constant));
  return v128.shuffle([4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31], low.get, high.get);
}

/** The four words of a block, for four lanes. As a loop it takes a little longer, and a tenth of the code. */
export function philox(
  b: FunctionBuilder,
  counter: readonly Expression[],
  key: readonly Expression[],
  asLoop = false,
): Local[] {
  const c = counter.map((word) => b.let(V128, word));
  const k = key.map((word) => b.let(V128, word));
  const round = (): void => {
    const high0 = b.let(V128, highProduct(b, c[0].get, MULTIPLIER_0));
    const low0 = b.let(V128, i32x4.mul(c[0].get, i32x4.const(MULTIPLIER_0)));
    const high1 = b.let(V128, highProduct(b, c[2].get, MULTIPLIER_1));
    const low1 = b.let(V128, i32x4.mul(c[2].get, i32x4.const(MULTIPLIER_1)));
    c[0].set(v128.xor(v128.xor(high1.get, c[1].get), k[0].get));
    c[1].set(low1.get);
    c[2].set(v128.xor(v128.xor(high0.get, c[3].get), k[1].get));
    c[3].set(low0.get);
    k[0].set(i32x4.add(k[0].get, i32x4.const(WEYL_0)));
    k[1].set(i32x4.add(k[1].get, i32x4.const(WEYL_1)));
  };
  if (asLoop) {
    const left = b.let(I32, i32.const(ROUNDS));
    b.while(left.get, () => {
      round();
      left.set(i32.sub(left.get, i32.const(1)));
    });
  } else for (let i = 0; i < ROUNDS; i++) round();
  return c;
}

const HIGH_HALF = [8, 9, 10, 11, 12, 13, 14, 15, 0, 0, 0, 0, 0, 0, 0, 0];

/** The upper bits of words, those that uniforms are made of, as numbers: of lanes 0 and 1, or 2 and 3. */
export function whole(word: Expression, upper: boolean): Expression {
  const shifted = i32x4.shrUnsigned(word, i32.const(6));
  return f64x2.convertLowI32(upper ? v128.shuffle(HIGH_HALF, shifted, shifted) : shifted);
}

/** Uniforms of lanes 0 and 1, or 2 and 3, from two words. */
export function uniforms(first: Expression, second: Expression, upper: boolean): Expression {
  const sum = f64x2.add(
    f64x2.add(f64x2.mul(whole(first, upper), f64x2.const(67108864)), whole(second, upper)),
    f64x2.const(0.5),
  );
  return f64x2.mul(sum, f64x2.const(2 ** -52));
}
