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

/** A word of four lanes; null where it is 0 in all of them. */
type Word = Expression | null;

/** The upper and the lower halves of products. */
function product(b: FunctionBuilder, word: Local | null, factor: number): readonly [Local | null, Local | null] {
  if (word === null) return [null, null];
  return [b.let(V128, highProduct(b, word.get, factor)), b.let(V128, i32x4.mul(word.get, i32x4.const(factor)))];
}

/** All of these by exclusive or. */
function mixed(b: FunctionBuilder, key: Local, ...words: readonly (Local | null)[]): Local {
  return b.let(
    V128,
    words.reduce((sum, word) => (word === null ? sum : v128.xor(word.get, sum)), key.get),
  );
}

/**
 * The four words of a block, for four lanes, or the first two of them. Nothing is done for words of the counter that are
 * known to be 0, nor for words that are not used.
 */
export function philox(b: FunctionBuilder, counter: readonly Word[], key: readonly Expression[], wanted = 4): Local[] {
  let c = counter.map((word) => (word === null ? null : b.let(V128, word)));
  const k = key.map((word) => b.let(V128, word));
  for (let round = 1; ; round++) {
    const [high1, low1] = product(b, c[2], MULTIPLIER_1);
    const first = mixed(b, k[0], c[1], high1);
    if (round === ROUNDS && wanted === 2) return [first, low1!];
    const [high0, low0] = product(b, c[0], MULTIPLIER_0);
    c = [first, low1, mixed(b, k[1], c[3], high0), low0];
    if (round === ROUNDS) return c as Local[];
    k[0].set(i32x4.add(k[0].get, i32x4.const(WEYL_0)));
    k[1].set(i32x4.add(k[1].get, i32x4.const(WEYL_1)));
  }
}

/** The four words of a block for four lanes, by a loop: that takes a little longer, and a tenth of the code. */
export function philoxLoop(b: FunctionBuilder, counter: readonly Expression[], key: readonly Expression[]): Local[] {
  const c = counter.map((word) => b.let(V128, word));
  const k = key.map((word) => b.let(V128, word));
  const left = b.let(I32, i32.const(ROUNDS));
  b.while(left.get, () => {
    const [high0, low0] = product(b, c[0], MULTIPLIER_0);
    const [high1, low1] = product(b, c[2], MULTIPLIER_1);
    c[0].set(mixed(b, k[0], c[1], high1).get);
    c[1].set(low1!.get);
    c[2].set(mixed(b, k[1], c[3], high0).get);
    c[3].set(low0!.get);
    k[0].set(i32x4.add(k[0].get, i32x4.const(WEYL_0)));
    k[1].set(i32x4.add(k[1].get, i32x4.const(WEYL_1)));
    left.set(i32.sub(left.get, i32.const(1)));
  });
  return c;
}

/** Which bytes of low and high halves make the float64s of lanes 0 and 1, and of lanes 2 and 3. */
const INTERLEAVED = [
  [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23],
  [8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31],
];

/** Numbers of lanes 0 and 1, and of lanes 2 and 3. */
export type Pairs = readonly [Expression, Expression];

/**
 * The numbers whose digits are the upper 26 bits of each of two words, from 2ᵉ up to twice that. What is then computed of
 * them without rounding is what others compute of whole numbers: see `uniforms`.
 */
export function byDigits(b: FunctionBuilder, first: Local, second: Local, e: 0 | 1): Pairs {
  const high = b.let(V128, v128.or(i32x4.shrUnsigned(first.get, i32.const(12)), i32x4.const((1023 + e) << 20)));
  const upper = i32x4.shl(i32x4.shrUnsigned(first.get, i32.const(6)), i32.const(26));
  const low = b.let(V128, v128.or(upper, i32x4.shrUnsigned(second.get, i32.const(6))));
  return [v128.shuffle(INTERLEAVED[0], low.get, high.get), v128.shuffle(INTERLEAVED[1], low.get, high.get)];
}

/** Uniforms from two words: `uniformOf` of `../normals.ts`. */
export function uniforms(b: FunctionBuilder, first: Local, second: Local): Pairs {
  const uniform = (x: Expression): Expression => f64x2.add(f64x2.sub(x, f64x2.const(1)), f64x2.const(2 ** -53));
  const [lower, upper] = byDigits(b, first, second, 0);
  return [uniform(lower), uniform(upper)];
}
