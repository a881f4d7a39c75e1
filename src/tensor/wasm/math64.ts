/**
 * Elementary functions of two float64 at once, to at most 2 units in the last place, subnormals and infinities
 * included. Reductions of arguments follow Cody & Waite; the kernels of log, sin and cos are those of fdlibm (Sun
 * Microsystems, 1993).
 */
import { type Expression, type FunctionBuilder, type Local, type ModuleBuilder, V128 } from './assembler.ts';
import { f64x2 as f, i32, i32x4, i64x2, v128 } from './instructions.ts';
import { logarithms } from './logarithms.ts';
import { evenOdd, horner } from './polynomials.ts';
import { type Call, type Elementary, type Inlined, inline, sigmoid, softplus, type Write } from './unary.ts';

const LOG2E = Math.LOG2E;
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;

/** (eʳ − 1 − r) / r² for |r| ≤ ½ ln 2, interpolated at Chebyshev's points: off by a fifth of a unit at most. */
const EXP_TERMS = [
  0.5, 0.16666666666666669, 0.041666666666623824, 0.008333333333330039, 0.0013888888917367081, 0.00019841269863171557,
  0.000024801521057868204, 0.0000027557268276905696, 2.7620201591031547e-7, 2.5100472505694996e-8,
];

/** x = k ln 2 + r + low with |r| ≤ ½ ln 2; k as a float, low what rounding r left over. */
function reduceByLn2(b: FunctionBuilder, x: Expression): { k: Local; r: Local; low: Local } {
  const k = b.let(V128, f.nearest(f.mul(x, f.const(LOG2E))));
  const high = b.let(V128, f.sub(x, f.mul(k.get, f.const(LN2_HIGH))));
  const rest = b.let(V128, f.mul(k.get, f.const(LN2_LOW)));
  const r = b.let(V128, f.sub(high.get, rest.get));
  return { k, r, low: b.let(V128, f.sub(f.sub(high.get, r.get), rest.get)) };
}

/** e^(r + low) − 1 for small r. */
function smallExpm1(b: FunctionBuilder, r: Local, low: Local): Local {
  const tail = evenOdd(b, f, r, EXP_TERMS);
  return b.let(V128, f.add(r.get, f.add(f.mul(f.mul(r.get, r.get), tail), low.get)));
}

/** 2ᵏ for whole k (as i32 in the low lanes) within the exponent range. */
function powerOfTwo(k: Expression): Expression {
  return i64x2.shl(i64x2.add(i64x2.extendLow(k), i64x2.const(1023n)), i32.const(52));
}

/** Everywhere: in two factors, because 2ᵏ itself may be subnormal or too large. */
const anyExp: Write = (b, x) => {
  const bounded = b.let(V128, f.max(f.min(x.get, f.const(710)), f.const(-746)));
  const { k, r, low } = reduceByLn2(b, bounded.get);
  const e = b.let(V128, f.add(f.const(1), smallExpm1(b, r, low).get));
  const whole = b.let(V128, i32x4.truncF64Zero(k.get));
  const half = b.let(V128, i32x4.shr(whole.get, i32.const(1)));
  return f.mul(f.mul(e.get, powerOfTwo(half.get)), powerOfTwo(i32x4.sub(whole.get, half.get)));
};

/** Adding this leaves a small whole number in the low bits of the sum. */
const SHIFTER = 1.5 * 2 ** 52;

/** 2ᵏ e^(x − k ln 2) for k nearest to x / ln 2, and `more` powers of two: where it is a normal number, so many are added to the exponent. */
function expOfNormal(b: FunctionBuilder, x: Local, more = 0): Expression {
  const shifted = b.let(V128, f.add(f.mul(x.get, f.const(LOG2E)), f.const(SHIFTER + more)));
  const k = b.let(V128, f.sub(shifted.get, f.const(SHIFTER + more)));
  const high = f.sub(x.get, f.mul(k.get, f.const(LN2_HIGH)));
  const r = b.let(V128, f.sub(high, f.mul(k.get, f.const(LN2_LOW))));
  const tail = evenOdd(b, f, r, EXP_TERMS);
  const e = f.add(f.const(1), f.add(r.get, f.mul(f.mul(r.get, r.get), tail)));
  return i64x2.add(e, i64x2.shl(shifted.get, i32.const(52)));
}

const exp: Elementary = { value: expOfNormal, suits: (_b, x) => f.lt(f.abs(x.get), f.const(708)) };

/** Below this eˣ is 0. */
const LEAST = -760;
const LIFT = 128;

/** For x ≤ 0: 2¹²⁸ eˣ is a normal number, or eˣ is 0. */
const decay: Write = (b, x) =>
  f.mul(expOfNormal(b, b.let(V128, f.quickMax(x.get, f.const(LEAST))), LIFT), f.const(2 ** -LIFT));

const expm1: Write = (b, x) => {
  const bounded = b.let(V128, f.max(f.min(x.get, f.const(710)), f.const(-60)));
  const { k, r, low } = reduceByLn2(b, bounded.get);
  const q = smallExpm1(b, r, low);
  const whole = b.let(V128, i32x4.truncF64Zero(k.get));
  // 2ᵏ (1 + q) − 1 = 2 (2ᵏ⁻¹ q + (2ᵏ⁻¹ − ½)).
  const scale = b.let(V128, powerOfTwo(i32x4.sub(whole.get, i32x4.const(1))));
  const scaled = f.add(f.mul(scale.get, q.get), f.sub(scale.get, f.const(0.5)));
  const result = b.let(V128, f.mul(scaled, f.const(2)));
  return v128.bitselect(q.get, result.get, f.eq(k.get, f.const(0)));
};

const LOG_EVEN = [0.3999999999940942, 0.22222198432149784, 0.15313837699209373];
const LOG_ODD = [0.6666666666666735, 0.2857142874366239, 0.1818357216161805, 0.14798198605116586];

/** log x for finite x > 0 that are normal numbers, plus a small correction added before rounding; k counts for more. */
function logOfNormal(b: FunctionBuilder, x: Local, correction: Expression | null, tiny: Local | null): Local {
  // Subtracting the bits of √½ splits the exponent so that the rest lies in [√½, √2).
  const bits = b.let(V128, i64x2.sub(x.get, i64x2.const(0x3fe6a09e667f3bcdn)));
  const exponent = b.let(V128, i64x2.shr(bits.get, i32.const(52)));
  const rest = b.let(V128, i64x2.sub(x.get, i64x2.shl(exponent.get, i32.const(52))));
  const exponentFloat = f.convertLowI32(
    v128.shuffle([0, 1, 2, 3, 8, 9, 10, 11, 0, 0, 0, 0, 0, 0, 0, 0], exponent.get, exponent.get),
  );
  const k = b.let(V128, tiny === null ? exponentFloat : f.sub(exponentFloat, v128.and(tiny.get, f.const(54))));
  const m = b.let(V128, f.sub(rest.get, f.const(1)));
  const { halfSquare, small } = logSeries(b, m);
  const low = f.mul(k.get, f.const(LN2_LOW));
  const all = f.add(small, correction === null ? low : f.add(low, correction));
  return b.let(V128, f.sub(f.mul(k.get, f.const(LN2_HIGH)), f.sub(f.sub(halfSquare.get, all), m.get)));
}

/** log(1 + m) = m − halfSquare + small, for m from √½ − 1 to √2 − 1. */
function logSeries(b: FunctionBuilder, m: Local): { halfSquare: Local; small: Expression } {
  const s = b.let(V128, f.div(m.get, f.add(f.const(2), m.get)));
  const z = b.let(V128, f.mul(s.get, s.get));
  const w = b.let(V128, f.mul(z.get, z.get));
  const even = f.mul(w.get, horner(f, w.get, LOG_EVEN));
  const odd = f.mul(z.get, horner(f, w.get, LOG_ODD));
  const halfSquare = b.let(V128, f.mul(f.const(0.5), f.mul(m.get, m.get)));
  return { halfSquare, small: f.mul(s.get, f.add(halfSquare.get, f.add(even, odd))) };
}

/** log(1 + e) for e from 0 to 1: as log(1 + e), or from √2 on as log((1 + e) / 2), where the argument is exact either way. */
const log1pUpTo1: Write = (b, e) => {
  const near = b.let(V128, f.lt(e.get, f.const(Math.SQRT2 - 1)));
  const m = b.let(V128, v128.bitselect(e.get, f.mul(f.const(0.5), f.sub(e.get, f.const(1))), near.get));
  const { halfSquare, small } = logSeries(b, m);
  const all = f.add(small, v128.andNot(f.const(LN2_LOW), near.get));
  return f.sub(v128.andNot(f.const(LN2_HIGH), near.get), f.sub(f.sub(halfSquare.get, all), m.get));
};

const { anyLog, anyLog1p, log, log1p } = logarithms(f, {
  leastNormal: 2.2250738585072014e-308,
  scale: 18014398509481984,
  least: 2 ** -53,
  ofNormal: logOfNormal,
});

const TANH_TOP = [-1614.6876844170845, -99.28772310019185, -0.9643991794250523];
const TANH_BOTTOM = [4844.063053251255, 2235.4883906010045, 112.81167849163293, 1];

/** Near 0 a rational function (Moshier's Cephes), elsewhere 1 − 2 / (e^2|x| + 1); with the sign of x. */
const tanh =
  (writeExp: Write): Write =>
  (b, x) => {
    const size = b.let(V128, f.abs(x.get));
    const z = b.let(V128, f.mul(x.get, x.get));
    const ratio = f.div(horner(f, z.get, TANH_TOP), horner(f, z.get, TANH_BOTTOM));
    const near = b.let(V128, f.add(size.get, f.mul(f.mul(size.get, z.get), ratio)));
    const e = b.let(V128, writeExp(b, b.let(V128, f.add(size.get, size.get))));
    const far = f.sub(f.const(1), f.div(f.const(2), f.add(e.get, f.const(1))));
    const value = v128.bitselect(near.get, far, f.lt(size.get, f.const(0.625)));
    return v128.or(value, v128.and(x.get, f.const(-0)));
  };

/** Functions as kernels write them where they use them. */
export const inlined64: Inlined = {
  exp,
  decay: { value: decay },
  expm1: { value: expm1 },
  log,
  log1p,
  log1pUpTo1: { value: log1pUpTo1 },
  tanh: { value: tanh(exp.value), suits: (_b, x) => f.lt(f.abs(x.get), f.const(354)) },
};

const PI_2 = [1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21] as const;
const SIN_TERMS = [
  -0.16666666666666632, 0.00833333333332249, -0.0001984126982985795, 2.7557313707070068e-6, -2.5050760253406863e-8,
  1.58969099521155e-10,
];
const COS_TERMS = [
  0.0416666666666666, -0.001388888888887411, 2.480158728947673e-5, -2.7557314351390663e-7, 2.087572321298175e-9,
  -1.1359647557788195e-11,
];
/** Beyond this the three-part reduction loses digits; JavaScript's function takes over. */
const REDUCIBLE = 1e5;

/** Sine and cosine of what is left of x after whole quarters of the circle, and how many these are. */
function inQuarter(b: FunctionBuilder, x: Local): { n: Local; sine: Local; cosine: Local } {
  const n = b.let(V128, f.nearest(f.mul(x.get, f.const(2 / Math.PI))));
  const first = b.let(V128, f.sub(x.get, f.mul(n.get, f.const(PI_2[0]))));
  const w = b.let(V128, f.mul(n.get, f.const(PI_2[1])));
  const r = b.let(V128, f.sub(first.get, w.get));
  const tail = b.let(V128, f.sub(f.mul(n.get, f.const(PI_2[2])), f.sub(f.sub(first.get, r.get), w.get)));
  const y = b.let(V128, f.sub(r.get, tail.get));
  const low = b.let(V128, f.sub(f.sub(r.get, y.get), tail.get));
  const z = b.let(V128, f.mul(y.get, y.get));
  const cube = b.let(V128, f.mul(z.get, y.get));
  const sinTail = b.let(V128, horner(f, z.get, SIN_TERMS.slice(1)));
  const sine = b.let(
    V128,
    f.sub(
      y.get,
      f.sub(
        f.sub(f.mul(z.get, f.sub(f.mul(f.const(0.5), low.get), f.mul(cube.get, sinTail.get))), low.get),
        f.mul(cube.get, f.const(SIN_TERMS[0])),
      ),
    ),
  );
  const half = b.let(V128, f.mul(f.const(0.5), z.get));
  const one = b.let(V128, f.sub(f.const(1), half.get));
  const cosTail = f.sub(f.mul(f.mul(z.get, z.get), horner(f, z.get, COS_TERMS)), f.mul(y.get, low.get));
  const cosine = b.let(V128, f.add(one.get, f.add(f.sub(f.sub(f.const(1), one.get), half.get), cosTail)));
  return { n, sine, cosine };
}

/** The sine of that many quarters, and some more, further on. */
function turned(b: FunctionBuilder, { n, sine, cosine }: ReturnType<typeof inQuarter>, quarters: number): Local {
  const count = b.let(V128, i64x2.extendLow(i32x4.add(i32x4.truncF64Zero(n.get), i32x4.const(quarters))));
  const odd = b.let(V128, i64x2.sub(i64x2.const(0n), v128.and(count.get, i64x2.const(1n))));
  const sign = i64x2.shl(v128.and(count.get, i64x2.const(2n)), i32.const(62));
  return b.let(V128, v128.xor(v128.bitselect(cosine.get, sine.get, odd.get), sign));
}

/** sin(x + quarters · π/2). */
const trigonometric =
  (quarters: number, slow: (x: Expression) => Expression): Write =>
  (b, x) => {
    const value = turned(b, inQuarter(b, x), quarters);
    const reducible = b.let(V128, f.lt(f.abs(x.get), f.const(REDUCIBLE)));
    b.if(v128.anyTrue(v128.not(reducible.get)), () => value.set(v128.bitselect(value.get, slow(x.get), reducible.get)));
    return value.get;
  };

/** Host functions by which the rare large arguments of sin and cos are computed, one lane at a time. */
function slowly(module: ModuleBuilder, name: string) {
  return module.function(null, [V128], [V128], (b) => {
    const each = (lane: number): Expression => f.splat(module.callImport(name, f.extract(lane, b.parameter(0))));
    b.do(v128.shuffle([0, 1, 2, 3, 4, 5, 6, 7, 24, 25, 26, 27, 28, 29, 30, 31], each(0), each(1)));
  });
}

const MATH64 = ['exp', 'expm1', 'log', 'log1p', 'tanh', 'sigmoid', 'softplus', 'sin', 'cos'] as const;
export type Math64 = (typeof MATH64)[number];

/** Adds functions to a module, exported as exp64, log64 and so on; gives the ways to call them. */
export function addMath64(module: ModuleBuilder, names: readonly Math64[] = MATH64): Record<Math64, Call> {
  const made: Partial<Record<Math64, Call>> = {};
  const apart = (write: Write): Call =>
    module.function(null, [V128], [V128], (b) => b.do(write(b, b.let(V128, b.parameter(0)))));
  const ofSize = (b: FunctionBuilder, x: Local): Local =>
    b.let(V128, decay(b, b.let(V128, v128.or(x.get, f.const(-0)))));
  const writers: Record<Math64, () => Write> = {
    exp: () => inline(exp, apart(anyExp)),
    expm1: () => expm1,
    log: () => inline(log, apart(anyLog)),
    log1p: () => inline(log1p, apart(anyLog1p)),
    tanh: () => {
      const call = need('exp');
      return tanh((_b, x) => call(x.get));
    },
    sigmoid: () => (b, x) => sigmoid(f, x.get, ofSize(b, x).get),
    softplus: () => (b, x) => softplus(f, x.get, log1pUpTo1(b, ofSize(b, x))),
    sin: () => trigonometric(0, slowly(module, 'sin')),
    cos: () => trigonometric(1, slowly(module, 'cos')),
  };
  const need = (name: Math64): Call => {
    let call = made[name];
    if (call === undefined) {
      // Before the function itself is begun: it may call others.
      const write = writers[name]();
      call = module.function(`${name}64`, [V128], [V128], (b) => b.do(write(b, b.let(V128, b.parameter(0)))));
      made[name] = call;
    }
    return call;
  };
  for (const name of names) need(name);
  return made as Record<Math64, Call>;
}
