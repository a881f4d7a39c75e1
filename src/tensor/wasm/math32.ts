/** Elementary functions of four float32 at once, to at most 2 units in the last place. */
import { type Expression, type FunctionBuilder, type Local, type ModuleBuilder, V128 } from './assembler.ts';
import { f32x4 as f, f64x2, i32, i32x4, v128 } from './instructions.ts';
import { logarithms } from './logarithms.ts';
import { evenOdd } from './polynomials.ts';
import { type Call, type Elementary, type Inlined, inline, sigmoid, softplus, type Write } from './unary.ts';

const LN2_HIGH = 0.693359375;
const LN2_LOW = -2.1219444e-4;
/** (eʳ − 1 − r) / r² for |r| ≤ ½ ln 2, interpolated at Chebyshev's points: off by a tenth of a unit at most. */
const EXP_TERMS = [0.5, 0.16666576266288757, 0.04166655242443085, 0.008363297209143639, 0.0013926331885159016];

function reduceByLn2(b: FunctionBuilder, x: Expression): { k: Local; r: Local } {
  const k = b.let(V128, f.nearest(f.mul(x, f.const(Math.LOG2E))));
  const high = b.let(V128, f.sub(x, f.mul(k.get, f.const(LN2_HIGH))));
  return { k, r: b.let(V128, f.sub(high.get, f.mul(k.get, f.const(LN2_LOW)))) };
}

/** r + r² (c₀ + c₁ r) + r⁴ (c₂ + c₃ r + c₄ r²): few operations have to wait for others. */
function smallExpm1(b: FunctionBuilder, r: Local): Local {
  const [c0, c1, c2, c3, c4] = EXP_TERMS.map((term) => f.const(term));
  const square = b.let(V128, f.mul(r.get, r.get));
  const near = f.add(r.get, f.mul(square.get, f.add(c0, f.mul(c1, r.get))));
  const far = f.add(f.add(c2, f.mul(c3, r.get)), f.mul(c4, square.get));
  return b.let(V128, f.add(near, f.mul(f.mul(square.get, square.get), far)));
}

function powerOfTwo(k: Expression): Expression {
  return i32x4.shl(i32x4.add(k, i32x4.const(127)), i32.const(23));
}

/** Everywhere: in two factors, because 2ᵏ itself may be subnormal or too large. */
const anyExp: Write = (b, x) => {
  const bounded = b.let(V128, f.max(f.min(x.get, f.const(89)), f.const(-105)));
  const { k, r } = reduceByLn2(b, bounded.get);
  const e = b.let(V128, f.add(f.const(1), smallExpm1(b, r).get));
  const whole = b.let(V128, i32x4.truncF32(k.get));
  const half = b.let(V128, i32x4.shr(whole.get, i32.const(1)));
  return f.mul(f.mul(e.get, powerOfTwo(half.get)), powerOfTwo(i32x4.sub(whole.get, half.get)));
};

/** Adding this leaves a small whole number in the low bits of the sum. */
const SHIFTER = 1.5 * 2 ** 23;

/** x = k ln 2 + r with |r| ≤ ½ ln 2: eʳ − 1, and k plus `more` in the low bits of `shifted`. */
function splitExp(b: FunctionBuilder, x: Local, more = 0): { shifted: Local; small: Local } {
  const shifted = b.let(V128, f.add(f.mul(x.get, f.const(Math.LOG2E)), f.const(SHIFTER + more)));
  const k = b.let(V128, f.sub(shifted.get, f.const(SHIFTER + more)));
  const high = f.sub(x.get, f.mul(k.get, f.const(LN2_HIGH)));
  const r = b.let(V128, f.sub(high, f.mul(k.get, f.const(LN2_LOW))));
  return { shifted, small: smallExpm1(b, r) };
}

/** Where the result is a normal number, k is simply added to its exponent. */
const exp: Elementary = {
  value(b, x) {
    const { shifted, small } = splitExp(b, x);
    return i32x4.add(f.add(f.const(1), small.get), i32x4.shl(shifted.get, i32.const(23)));
  },
  suits: (_b, x) => f.lt(f.abs(x.get), f.const(87)),
};

/** Below this eˣ is 0. */
const LEAST = -110;
const LIFT = 64;

/** For x ≤ 0: 2⁶⁴ eˣ is a normal number, or eˣ is 0. */
const decay: Write = (b, x) => {
  const { shifted, small } = splitExp(b, b.let(V128, f.quickMax(x.get, f.const(LEAST))), LIFT);
  const lifted = i32x4.add(f.add(f.const(1), small.get), i32x4.shl(shifted.get, i32.const(23)));
  return f.mul(lifted, f.const(2 ** -LIFT));
};

const expm1: Write = (b, x) => {
  const bounded = b.let(V128, f.max(f.min(x.get, f.const(89)), f.const(-30)));
  const { k, r } = reduceByLn2(b, bounded.get);
  const q = smallExpm1(b, r);
  const scale = b.let(V128, powerOfTwo(i32x4.sub(i32x4.truncF32(k.get), i32x4.const(1))));
  const scaled = f.add(f.mul(scale.get, q.get), f.sub(scale.get, f.const(0.5)));
  const result = b.let(V128, f.mul(scaled, f.const(2)));
  return v128.bitselect(q.get, result.get, f.eq(k.get, f.const(0)));
};

/** log(1 + m) / m³ − 1/m² + 1/(2m) on [√½ − 1, √2 − 1] (Moshier's Cephes, logf). */
const LOG_TERMS = [
  3.3333331174e-1, -2.4999993993e-1, 2.0000714765e-1, -1.6668057665e-1, 1.4249322787e-1, -1.2420140846e-1,
  1.167699874e-1, -1.151461031e-1, 7.0376836292e-2,
];

/** As in double precision. */
function logOfNormal(b: FunctionBuilder, x: Local, correction: Expression | null, tiny: Local | null): Local {
  const bits = b.let(V128, i32x4.sub(x.get, i32x4.const(0x3f3504f3)));
  const exponent = b.let(V128, i32x4.shr(bits.get, i32.const(23)));
  const rest = b.let(V128, i32x4.sub(x.get, i32x4.shl(exponent.get, i32.const(23))));
  const exponentFloat = f.convertI32(exponent.get);
  const k = b.let(V128, tiny === null ? exponentFloat : f.sub(exponentFloat, v128.and(tiny.get, f.const(25))));
  const m = b.let(V128, f.sub(rest.get, f.const(1)));
  const square = b.let(V128, f.mul(m.get, m.get));
  const series = f.mul(f.mul(m.get, square.get), evenOdd(b, f, m, LOG_TERMS));
  const low = f.add(series, f.mul(k.get, f.const(LN2_LOW)));
  const corrected = correction === null ? low : f.add(low, correction);
  const small = f.sub(corrected, f.mul(f.const(0.5), square.get));
  return b.let(V128, f.add(f.add(m.get, small), f.mul(k.get, f.const(LN2_HIGH))));
}

const { anyLog, anyLog1p, log, log1p } = logarithms(f, {
  leastNormal: 1.1754943508222875e-38,
  scale: 33554432,
  least: 2 ** -24,
  ofNormal: logOfNormal,
});

/** 2 (artanh √z / √z − 1) / z for z from 0 to 1/9, interpolated at Chebyshev's points. */
const ARTANH_TERMS = [0.6666663885116577, 0.40007561445236206, 0.28236618638038635, 0.2685149908065796];

/** 2 artanh s with s = e / (2 + e), in a form in which s, the one rounded number in it, counts for little. */
const log1pUpTo1: Write = (b, e) => {
  const s = b.let(V128, f.div(e.get, f.add(f.const(2), e.get)));
  const z = b.let(V128, f.mul(s.get, s.get));
  return f.sub(e.get, f.mul(s.get, f.sub(e.get, f.mul(z.get, evenOdd(b, f, z, ARTANH_TERMS)))));
};

/** Where 1 is the nearest number to tanh. */
const TANH_IS_1 = 9.02;

/** (e²ˣ − 1) / (e²ˣ + 1) from e²ˣ − 1 = 2ᵏ (eʳ − 1) + (2ᵏ − 1). */
const tanh: Write = (b, x) => {
  const bounded = f.quickMax(f.quickMin(x.get, f.const(TANH_IS_1)), f.const(-TANH_IS_1));
  const { shifted, small } = splitExp(b, b.let(V128, f.mul(f.const(2), bounded)));
  const scale = b.let(V128, i32x4.add(i32x4.shl(shifted.get, i32.const(23)), f.const(1)));
  const e = b.let(V128, f.add(f.mul(scale.get, small.get), f.sub(scale.get, f.const(1))));
  return f.div(e.get, f.add(e.get, f.const(2)));
};

/** Functions as kernels write them where they use them. */
export const inlined32: Inlined = {
  exp,
  decay: { value: decay },
  expm1: { value: expm1 },
  log,
  log1p,
  log1pUpTo1: { value: log1pUpTo1 },
  tanh: { value: tanh },
};

/** A function of float64 on both halves: near its zeros, single precision would not do. */
function throughDouble(b: FunctionBuilder, double: (x: Expression) => Expression): Expression {
  const x = b.parameter(0);
  const high = v128.shuffle([8, 9, 10, 11, 12, 13, 14, 15, 0, 0, 0, 0, 0, 0, 0, 0], x, x);
  const half = (lanes: Expression): Expression => f.demoteF64Zero(double(f64x2.promoteLowF32(lanes)));
  return v128.shuffle([0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23], half(x), half(high));
}

/** Adds the functions to a module, exported as exp32, log32 and so on. */
export function addMath32(module: ModuleBuilder, double: Record<'sin' | 'cos', (x: Expression) => Expression>): void {
  const add = (name: string | null, write: Write): Call =>
    module.function(name === null ? null : `${name}32`, [V128], [V128], (b) =>
      b.do(write(b, b.let(V128, b.parameter(0)))),
    );
  const ofSize = (b: FunctionBuilder, x: Local): Local =>
    b.let(V128, decay(b, b.let(V128, v128.or(x.get, f.const(-0)))));
  add('exp', inline(exp, add(null, anyExp)));
  add('expm1', expm1);
  add('log', inline(log, add(null, anyLog)));
  add('log1p', inline(log1p, add(null, anyLog1p)));
  add('tanh', tanh);
  add('sigmoid', (b, x) => sigmoid(f, x.get, ofSize(b, x).get));
  add('softplus', (b, x) => softplus(f, x.get, log1pUpTo1(b, ofSize(b, x))));
  for (const name of ['sin', 'cos'] as const) {
    module.function(`${name}32`, [V128], [V128], (b) => b.do(throughDouble(b, double[name])));
  }
}
