/**
 * The elementwise operations. Each is one line: its name, how many operands it takes, and JavaScript source for its
 * value in the operands a, b and c. The same source gives the function on plain numbers, the reference loops over
 * arrays, and the generated code of scalar plans. Gradient rules are in `gradient/elementwise-rules.ts`, SIMD code in
 * `wasm/emit.ts`.
 */
import { fromText } from '../../v8/new-code.ts';
import { type Compute, Op } from '../node.ts';
import { special } from './special.ts';

export const elementwiseOps: Op[] = [];
const arities = new Map<Op, number>();

/**
 * `known` is the function that the source describes, given for operations that short runs need: compiling source
 * takes time.
 */
export function define(name: string, arity: number, source: string, truth = false, known?: Compute): Op {
  const op = new Op(name, 'elementwise');
  op.source = source;
  // Compiled when first called: most programs use few of them. Code that has kept this first function may go on using it.
  let compiled = known;
  op.compute = (a, b, c) => {
    compiled ??= fromText<Compute>(`return function ${name}_(a, b, c) { return ${source}; }`, ['special'], [special]);
    compiled ??= calledBy(source);
    op.compute = compiled;
    return compiled(a, b, c);
  };
  op.truth = truth;
  elementwiseOps.push(op);
  arities.set(op, arity);
  return op;
}

/** The function that a source of the form `Math.exp(a)` calls: all sources are of that form whose functions are not `known`. */
function calledBy(source: string): Compute {
  const [, owner, name] = /^(Math|special)\.(\w+)\([abc, ]*\)$/.exec(source) ?? [];
  return ((owner === 'Math' ? Math : special) as unknown as Record<string, Compute>)[name];
}

const unary = (name: string, source: string, known?: Compute): Op => define(name, 1, source, false, known);
const binary = (name: string, source: string, known?: Compute): Op => define(name, 2, source, false, known);
const relation = (name: string, source: string, known?: Compute): Op =>
  define(name, 2, `${source} ? 1 : 0`, true, known);

export function arityOf(op: Op): number {
  return arities.get(op) as number;
}

export const ADD = binary('add', 'a + b', (a, b) => a + b);
export const SUB = binary('sub', 'a - b', (a, b) => a - b);
export const MUL = binary('mul', 'a * b', (a, b) => a * b);
export const DIV = binary('div', 'a / b', (a, b) => a / b);
export const POW = binary('pow', 'Math.pow(a, b)');
export const MOD = binary('mod', 'a % b', (a, b) => a % b);
export const MIN = binary('min', 'Math.min(a, b)', (a, b) => Math.min(a, b));
export const MAX = binary('max', 'Math.max(a, b)', (a, b) => Math.max(a, b));
export const ATAN2 = binary('atan2', 'Math.atan2(a, b)');
export const HYPOT = binary('hypot', 'Math.hypot(a, b)');

/** a · b, and 0 where a is 0 whatever b is: how an adjoint passes a derivative that may be infinite or undefined. */
export const WEIGH = binary('weigh', 'a === 0 ? 0 : a * b', (a, b) => (a === 0 ? 0 : a * b));

export const LT = relation('lt', 'a < b', (a, b) => (a < b ? 1 : 0));
export const LE = relation('le', 'a <= b', (a, b) => (a <= b ? 1 : 0));
export const GT = relation('gt', 'a > b', (a, b) => (a > b ? 1 : 0));
export const GE = relation('ge', 'a >= b', (a, b) => (a >= b ? 1 : 0));
export const EQ = relation('eq', 'a === b', (a, b) => (a === b ? 1 : 0));
export const NE = relation('ne', 'a !== b', (a, b) => (a !== b ? 1 : 0));
// As in JavaScript, 0 and NaN count as false.
export const AND = relation('and', 'a && b', (a, b) => (a && b ? 1 : 0));
export const OR = relation('or', 'a || b', (a, b) => (a || b ? 1 : 0));
export const NOT = define('not', 1, 'a ? 0 : 1', true, (a) => (a ? 0 : 1));

export const SELECT = define('select', 3, 'a ? b : c', false, (a, b, c) => (a ? b : c));

export const NEG = unary('neg', '-a', (a) => -a);
export const ABS = unary('abs', 'Math.abs(a)', Math.abs);
export const SIGN = unary('sign', 'Math.sign(a)');
export const FLOOR = unary('floor', 'Math.floor(a)', Math.floor);
export const CEIL = unary('ceil', 'Math.ceil(a)', Math.ceil);
export const ROUND = unary('round', 'Math.round(a)');
export const TRUNC = unary('trunc', 'Math.trunc(a)', Math.trunc);
export const RECIPROCAL = unary('reciprocal', '1 / a', (a) => 1 / a);
export const SQUARE = unary('square', 'a * a', (a) => a * a);
export const SQRT = unary('sqrt', 'Math.sqrt(a)', Math.sqrt);
export const CBRT = unary('cbrt', 'Math.cbrt(a)');
export const EXP = unary('exp', 'Math.exp(a)', Math.exp);
export const EXPM1 = unary('expm1', 'Math.expm1(a)');
export const LOG = unary('log', 'Math.log(a)');
export const LOG1P = unary('log1p', 'Math.log1p(a)');
export const LOG2 = unary('log2', 'Math.log2(a)');
export const LOG10 = unary('log10', 'Math.log10(a)');
export const SIN = unary('sin', 'Math.sin(a)');
export const COS = unary('cos', 'Math.cos(a)');
export const TAN = unary('tan', 'Math.tan(a)');
export const ASIN = unary('asin', 'Math.asin(a)');
export const ACOS = unary('acos', 'Math.acos(a)');
export const ATAN = unary('atan', 'Math.atan(a)');
export const SINH = unary('sinh', 'Math.sinh(a)');
export const COSH = unary('cosh', 'Math.cosh(a)');
export const TANH = unary('tanh', 'Math.tanh(a)');
export const ASINH = unary('asinh', 'Math.asinh(a)');
export const ACOSH = unary('acosh', 'Math.acosh(a)');
export const ATANH = unary('atanh', 'Math.atanh(a)');
export const RELU = unary('relu', 'Math.max(a, 0)', (a) => Math.max(a, 0));
export const SIGMOID = unary('sigmoid', 'special.sigmoid(a)');
/** log(1 + eᵃ), without overflow. */
export const SOFTPLUS = unary(
  'softplus',
  'Math.log1p(Math.exp(-Math.abs(a))) + Math.max(a, 0)',
  (a) => Math.log1p(Math.exp(-Math.abs(a))) + Math.max(a, 0),
);
/** log(sigmoid(a)) = −softplus(−a). */
export const LOG_SIGMOID = unary(
  'logSigmoid',
  'Math.min(a, 0) - Math.log1p(Math.exp(-Math.abs(a)))',
  (a) => Math.min(a, 0) - Math.log1p(Math.exp(-Math.abs(a))),
);

LOG_SIGMOID.probability = SIGMOID;

/** log(1 − eᵃ) for a < 0, and log(eᵃ + eᵇ). */
export const LOG1M_EXP = unary('log1mExp', 'special.log1mExp(a)');
export const LOG_ADD_EXP = binary('logAddExp', 'special.logAddExp(a, b)');

export const LGAMMA = unary('lgamma', 'special.lgamma(a)');
export const DIGAMMA = unary('digamma', 'special.digamma(a)');
export const TRIGAMMA = unary('trigamma', 'special.trigamma(a)');
export const ERF = unary('erf', 'special.erf(a)');
export const ERFC = unary('erfc', 'special.erfc(a)');
export const ERFINV = unary('erfinv', 'special.erfinv(a)');
export const NORMAL_CDF = unary('normalCdf', 'special.normalCdf(a)');
export const NORMAL_QUANTILE = unary('normalQuantile', 'special.normalQuantile(a)');
/** log I₀ and its derivatives, for the von Mises distribution. */
export const LOG_BESSEL_I0 = unary('logBesselI0', 'special.logBesselI0(a)');
export const BESSEL_RATIO = unary('besselRatio', 'special.besselRatio(a)');
export const BESSEL_RATIO_SLOPE = unary('besselRatioSlope', 'special.besselRatioSlope(a)');
/** Regularised incomplete gamma functions P(shape, x) and Q = 1 − P, and the derivative of P in the shape. */
export const GAMMA_P = binary('gammaP', 'special.gammaP(a, b)');
export const GAMMA_Q = binary('gammaQ', 'special.gammaQ(a, b)');
export const GAMMA_P_SHAPE = binary('gammaPShape', 'special.gammaPShape(a, b)');
export const LOG_BETA = binary('logBeta', 'special.logBeta(a, b)');
/** The x with P(shape, x) = b, and with Q(shape, x) = b. */
export const GAMMA_P_INVERSE = binary('gammaPInverse', 'special.gammaPInverse(a, b)');
export const GAMMA_Q_INVERSE = binary('gammaQInverse', 'special.gammaQInverse(a, b)');
/** Regularised incomplete beta function I(p, q; x), its derivatives in p and q, and the x with I(p, q; x) = c. */
export const BETA_I = define('betaI', 3, 'special.betaI(a, b, c)');
export const BETA_I_FIRST = define('betaIFirst', 3, 'special.betaIFirst(a, b, c)');
export const BETA_I_SECOND = define('betaISecond', 3, 'special.betaISecond(a, b, c)');
export const BETA_I_INVERSE = define('betaIInverse', 3, 'special.betaIInverse(a, b, c)');

/** Precision, and broadcasting made visible: the value unchanged. */
export const TO_F32 = unary('toF32', 'Math.fround(a)');
export const TO_F64 = unary('toF64', 'a', (a) => a);
export const EXPAND = unary('expand', 'a', (a) => a);
/** The value, through which no gradient passes. */
export const STOP = unary('stop', 'a', (a) => a);
