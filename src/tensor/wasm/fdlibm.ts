/**
 * Elementary functions of two float64 at once to the very bits of V8's `Math`, which computes them by fdlibm (Sun Microsystems, 1993): the
 * same operations in the same order, with both sides of its conditions where a number may take either. `math64.ts` is faster, and may
 * differ in the last bits. Other engines may compute otherwise: callers compare results before they use these.
 */
import { type Expression, type FunctionBuilder, type Local, V128 } from './assembler.ts';
import { f64x2 as f, i32, i32x4, i64x2, v128 } from './instructions.ts';
import { horner } from './polynomials.ts';
import type { Elementary, Write } from './unary.ts';

const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;

const words = new Int32Array(2);
const number = new Float64Array(words.buffer);

/** The least number whose bits begin with this word: fdlibm compares first words. */
function fromWord(word: number): Expression {
  words.set([0, word]);
  return f.const(number[0]);
}

/** 2ᵏ for whole k, as i32 in the low lanes. */
const powerOfTwo = (k: Expression): Expression =>
  i64x2.shl(i64x2.add(i64x2.extendLow(k), i64x2.const(1023n)), i32.const(52));

const either = (mask: Expression, yes: Expression, no: Expression): Expression => v128.bitselect(yes, no, mask);

/** x = k ln 2 + high − low, with k = 0 up to ½ ln 2, else the nearest whole number. */
function reduced(b: FunctionBuilder, x: Local, size: Local): { k: Local; high: Local; low: Local } {
  const half = v128.or(f.const(0.5), v128.and(x.get, f.const(-0)));
  const nearest = f.trunc(f.add(f.mul(f.const(Math.LOG2E), x.get), half));
  const k = b.let(V128, v128.and(nearest, f.ge(size.get, fromWord(0x3fd62e43))));
  const high = b.let(V128, f.sub(x.get, f.mul(k.get, f.const(LN2_HIGH))));
  return { k, high, low: b.let(V128, f.mul(k.get, f.const(LN2_LOW))) };
}

const EXP_TERMS = [
  0.16666666666666602, -0.0027777777777015593, 6.613756321437934e-5, -1.6533902205465252e-6, 4.1381367970572385e-8,
];

/** For numbers that have a normal result. */
export const exp: Elementary = {
  value: (b, x) => {
    const size = b.let(V128, f.abs(x.get));
    const { k, high, low } = reduced(b, x, size);
    const rest = b.let(V128, f.sub(high.get, low.get));
    const square = b.let(V128, f.mul(rest.get, rest.get));
    const c = b.let(V128, f.sub(rest.get, f.mul(square.get, horner(f, square.get, EXP_TERMS))));
    const quotient = f.div(f.mul(rest.get, c.get), f.sub(f.const(2), c.get));
    const y = f.sub(f.const(1), f.sub(f.sub(low.get, quotient), high.get));
    const scaled = b.let(V128, f.mul(y, powerOfTwo(i32x4.truncF64Zero(k.get))));
    return either(f.lt(size.get, f.const(2 ** -28)), f.add(f.const(1), x.get), scaled.get);
  },
  suits: (_b, x) => v128.andNot(f.lt(f.abs(x.get), f.const(708)), f.eq(x.get, f.const(1))),
};

const LOG_EVEN = [0.3999999999940942, 0.22222198432149784, 0.15313837699209373];
const LOG_ODD = [0.6666666666666735, 0.2857142874366239, 0.1818357216161805, 0.14798198605116586];

/** For normal numbers above 0. */
export const log: Elementary = {
  value: (b, x) => {
    // The exponent, one more from √2 on.
    const exponent = b.let(
      V128,
      i64x2.sub(i64x2.shrUnsigned(i64x2.add(x.get, i64x2.const(0x95f6400000000n)), i32.const(52)), i64x2.const(1023n)),
    );
    const k = b.let(V128, f.convertLowI32(v128.shuffle(LOW_WORDS, exponent.get, exponent.get)));
    const y = b.let(V128, f.sub(i64x2.sub(x.get, i64x2.shl(exponent.get, i32.const(52))), f.const(1)));
    const digits = v128.and(x.get, i64x2.const(0xfffffffffffffn));
    const mantissa = b.let(V128, v128.or(digits, f.const(1)));
    const s = b.let(V128, f.div(y.get, f.add(f.const(2), y.get)));
    const z = b.let(V128, f.mul(s.get, s.get));
    const w = b.let(V128, f.mul(z.get, z.get));
    const even = f.mul(w.get, horner(f, w.get, LOG_EVEN));
    const odd = f.mul(z.get, horner(f, w.get, LOG_ODD));
    const series = b.let(V128, f.add(odd, even));
    const low = b.let(V128, f.mul(k.get, f.const(LN2_LOW)));
    const square = b.let(V128, f.mul(f.mul(f.const(0.5), y.get), y.get));
    const nearRoot = f.sub(square.get, f.add(f.mul(s.get, f.add(square.get, series.get)), low.get));
    const far = f.sub(f.mul(s.get, f.sub(y.get, series.get)), low.get);
    const byRoot = v128.and(f.ge(mantissa.get, fromWord(0x3ff6147a)), f.lt(mantissa.get, fromWord(0x3ff6b852)));
    const sum = b.let(V128, either(byRoot, nearRoot, far));
    const tail = f.mul(f.mul(y.get, y.get), f.sub(f.const(0.5), f.mul(f.const(0.3333333333333333), y.get)));
    const isTiny = v128.and(f.ge(y.get, f.const(-(2 ** -20))), f.lt(y.get, f.const(2 ** -20)));
    const all = either(isTiny, f.sub(tail, low.get), sum.get);
    return f.sub(f.mul(k.get, f.const(LN2_HIGH)), f.sub(all, y.get));
  },
  suits: (_b, x) => v128.and(f.ge(x.get, f.const(2 ** -1022)), f.lt(x.get, f.const(Infinity))),
};

const LOW_WORDS = [0, 1, 2, 3, 8, 9, 10, 11, 0, 0, 0, 0, 0, 0, 0, 0];

const LOG1P_TERMS = [
  0.6666666666666735, 0.3999999999940942, 0.2857142874366239, 0.22222198432149784, 0.1818357216161805,
  0.15313837699209373, 0.14798198605116586,
];

/** log(1 + x) for x from 0 to 1: as a multiple of log 2 and log((1 + x) / 2) from √2 − 1 on. */
export const log1pUpTo1: Write = (b, x) => {
  const isSmall = b.let(V128, f.lt(x.get, fromWord(0x3fda827a)));
  const u = b.let(V128, f.add(f.const(1), x.get));
  const isTwo = b.let(V128, f.eq(u.get, f.const(2)));
  const lost = either(isTwo.get, f.sub(f.const(1), f.sub(u.get, x.get)), f.sub(x.get, f.sub(u.get, f.const(1))));
  const correction = v128.andNot(f.div(lost, u.get), isSmall.get);
  const k = b.let(V128, v128.andNot(f.const(1), isSmall.get));
  const y = b.let(V128, either(isSmall.get, x.get, f.sub(f.mul(f.const(0.5), u.get), f.const(1))));
  const low = b.let(V128, f.add(f.mul(k.get, f.const(LN2_LOW)), correction));
  const square = b.let(V128, f.mul(f.mul(f.const(0.5), y.get), y.get));
  const s = b.let(V128, f.div(y.get, f.add(f.const(2), y.get)));
  const z = b.let(V128, f.mul(s.get, s.get));
  const series = f.mul(z.get, horner(f, z.get, LOG1P_TERMS));
  const usual = f.sub(square.get, f.add(f.mul(s.get, f.add(square.get, series)), low.get));
  const nearTwo = f.sub(f.mul(square.get, f.sub(f.const(1), f.mul(f.const(0.6666666666666666), y.get))), low.get);
  const all = either(f.ge(u.get, fromWord(0x3ffffffd)), nearTwo, usual);
  const value = b.let(V128, f.sub(f.mul(k.get, f.const(LN2_HIGH)), f.sub(all, y.get)));
  const tiny = f.sub(x.get, f.mul(f.mul(x.get, x.get), f.const(0.5)));
  return either(f.lt(x.get, f.const(2 ** -29)), tiny, value.get);
};

const EXPM1_TERMS = [
  1, -0.03333333333333313, 0.0015873015872548146, -7.93650757867488e-5, 4.008217827329362e-6, -2.0109921818362437e-7,
];

/** What eˣ − 1 is made of: 2ᵏ (1 + rest − correction) − 1. */
function expm1Parts(b: FunctionBuilder, x: Local): { k: Local; rest: Local; correction: Local } {
  const { k, high, low } = reduced(b, x, b.let(V128, f.abs(x.get)));
  const rest = b.let(V128, f.sub(high.get, low.get));
  const c = b.let(V128, f.sub(f.sub(high.get, rest.get), low.get));
  const half = b.let(V128, f.mul(f.const(0.5), rest.get));
  const square = b.let(V128, f.mul(rest.get, half.get));
  const r = b.let(V128, horner(f, square.get, EXPM1_TERMS));
  const t = b.let(V128, f.sub(f.const(3), f.mul(r.get, half.get)));
  const quotient = f.div(f.sub(r.get, t.get), f.sub(f.const(6), f.mul(rest.get, t.get)));
  const e = f.mul(square.get, quotient);
  const correction = f.sub(f.sub(f.mul(rest.get, f.sub(e, c.get)), c.get), square.get);
  return { k, rest, correction: b.let(V128, correction) };
}

/** By e^2|x| − 1 from 1 on, and by e^−2|x| − 1 below. */
export const tanh: Write = (b, x) => {
  const size = b.let(V128, f.quickMin(f.abs(x.get), f.const(22)));
  const isNear = b.let(V128, f.lt(size.get, f.const(1)));
  const double = f.add(size.get, size.get);
  const argument = b.let(V128, v128.xor(double, v128.and(isNear.get, f.const(-0))));
  const { k, rest, correction } = expm1Parts(b, argument);
  const difference = b.let(V128, f.sub(correction.get, rest.get));
  const whole = b.let(V128, i32x4.truncF64Zero(k.get));
  const power = b.let(V128, powerOfTwo(whole.get));
  const scaled = b.let(V128, f.sub(f.mul(f.sub(f.const(1), difference.get), power.get), f.const(1)));
  const halved = f.sub(f.mul(f.const(-0.5), difference.get), f.const(0.5));
  const below = either(f.eq(k.get, f.const(-1)), halved, scaled.get);
  const t = b.let(V128, either(f.eq(k.get, f.const(0)), f.neg(difference.get), below));
  b.if(i32.ne(i32x4.bitmask(isNear.get), i32.const(0b1111)), () => {
    const inverse = b.let(V128, powerOfTwo(i32x4.sub(i32x4.const(0), whole.get)));
    const upTo20 = f.sub(f.sub(f.const(1), inverse.get), difference.get);
    const upTo56 = f.add(f.sub(rest.get, f.add(correction.get, inverse.get)), f.const(1));
    const large = f.mul(either(f.lt(k.get, f.const(20)), upTo20, upTo56), power.get);
    const far = either(f.gt(k.get, f.const(56)), scaled.get, large);
    t.set(either(isNear.get, t.get, far));
  });
  const above = either(isNear.get, f.neg(t.get), f.const(2));
  const quotient = b.let(V128, f.div(above, f.add(t.get, f.const(2))));
  const value = either(isNear.get, quotient.get, f.sub(f.const(1), quotient.get));
  const sized = either(f.lt(size.get, f.const(2 ** -28)), size.get, value);
  return v128.or(sized, v128.and(x.get, f.const(-0)));
};
