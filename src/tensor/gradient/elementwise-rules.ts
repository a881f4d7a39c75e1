/**
 * Gradient rules of the elementwise operations: for each operand, its share of the adjoint g of the result y. Shares are
 * made with `weigh`, so that where g is exactly 0 (the side of a `select` not taken) the share is exactly 0, even if
 * the derivative is infinite or undefined there. Broadcasting is undone by `gradient.ts`.
 */
import { SQRT_2PI } from '../constants.ts';
import * as t from '../elementwise/table.ts';
import type { Node, Op } from '../node.ts';
import {
  add,
  and,
  besselRatio,
  besselRatioSlope,
  betaIFirst,
  betaISecond,
  cos,
  cosh,
  digamma,
  div,
  eq,
  exp,
  expm1,
  gammaPShape,
  ge,
  gt,
  le,
  lgamma,
  log,
  log1p,
  logBeta,
  mul,
  ne,
  neg,
  pow,
  reciprocal,
  select,
  sigmoid,
  sign,
  sin,
  sinh,
  sqrt,
  square,
  sub,
  trigamma,
  trunc,
  weigh,
} from '../ops/arithmetic.ts';

/** The share of one operand; null where it has none: the operation is locally constant in it, or `isInAnother` says so. */
export type Share = (g: Node, y: Node, a: Node, b: Node, c: Node) => Node | null;

const none: Share = () => null;
/** The adjoint itself. */
const same: Share = (g) => g;
/** The adjoint times a derivative. */
const by =
  (derivative: (y: Node, a: Node, b: Node, c: Node) => Node | number): Share =>
  (g, y, a, b, c) =>
    weigh(g, derivative(y, a, b, c));

const TWO_OVER_SQRT_PI = 2 / Math.sqrt(Math.PI);
const HALF_SQRT_PI = Math.sqrt(Math.PI) / 2;

const gaussianDensity = (x: Node): Node => mul(1 / SQRT_2PI, exp(mul(-0.5, square(x))));

/** The density of the gamma distribution of unit scale. */
const gammaDensity = (a: Node, x: Node): Node =>
  select(gt(x, 0), exp(sub(sub(mul(sub(a, 1), log(x)), x), lgamma(a))), 0);
/** The density of the beta distribution. */
const betaDensity = (p: Node, q: Node, x: Node): Node =>
  select(
    and(gt(x, 0), gt(sub(1, x), 0)),
    exp(sub(add(mul(sub(p, 1), log(x)), mul(sub(q, 1), log1p(neg(x)))), logBeta(p, q) as Node)),
    0,
  );
const isNegative = (b: Node, a: Node): boolean => b.op === t.NEG && b.inputs[0] === a;

/** Whether the share of an operand is part of another's: of a value that is selected with either sign. */
export const isInAnother = ({ op, inputs }: Node, at: number): boolean =>
  op === t.SELECT && at === 2 && isNegative(inputs[2], inputs[1]);

/** eˣ as a part of eʸ; none where x is −∞, even if y is too. */
const shareOfSum = (x: Node, y: Node): Node => select(eq(x, -Infinity), 0, exp(sub(x, y)));

export const elementwiseRules: ReadonlyMap<Op, readonly Share[]> = new Map<Op, readonly Share[]>([
  [t.ADD, [same, same]],
  [t.SUB, [same, (g) => neg(g)]],
  [t.MUL, [by((_y, _a, b) => b), by((_y, a) => a)]],
  [
    t.WEIGH,
    [
      // Where an adjoint of 0 met an infinite derivative, the side was not taken, and is flat to every order.
      by((_y, a, b) => select(and(eq(a, 0), ne(sub(b, b), 0)), 0, b)),
      (g, _y, a) => select(eq(a, 0), 0, weigh(g, a)),
    ],
  ],
  [t.DIV, [by((_y, _a, b) => reciprocal(b)), by((y, _a, b) => neg(div(y, b)))]],
  [
    t.POW,
    [
      by((_y, a, b) => mul(b, pow(a, sub(b, 1)))),
      // 0ᵇ stays 0 when b > 0 changes, although log 0 is infinite.
      by((y, a) => select(eq(a, 0), 0, mul(y, log(a)))),
    ],
  ],
  [t.MOD, [same, by((_y, a, b) => neg(trunc(div(a, b))))]],
  [t.MIN, [(g, _y, a, b) => select(le(a, b), g, 0), (g, _y, a, b) => select(le(a, b), 0, g)]],
  [t.MAX, [(g, _y, a, b) => select(ge(a, b), g, 0), (g, _y, a, b) => select(ge(a, b), 0, g)]],
  [
    t.ATAN2,
    [by((_y, a, b) => div(b, add(square(a), square(b)))), by((_y, a, b) => neg(div(a, add(square(a), square(b)))))],
  ],
  [t.HYPOT, [by((y, a) => div(a, y)), by((y, _a, b) => div(b, y))]],
  ...[t.LT, t.LE, t.GT, t.GE, t.EQ, t.NE, t.AND, t.OR].map((op): [Op, readonly Share[]] => [op, [none, none]]),
  [t.NOT, [none]],
  [
    t.SELECT,
    [
      none,
      // A value with either sign has one share, not two to be added up.
      (g, _y, c, a, b) => select(c, g, isNegative(b, a) ? neg(g) : 0),
      (g, y, c) => (isInAnother(y, 2) ? null : select(c, 0, g)),
    ],
  ],
  [t.NEG, [(g) => neg(g)]],
  [t.ABS, [by((_y, a) => sign(a))]],
  ...[t.SIGN, t.FLOOR, t.CEIL, t.ROUND, t.TRUNC, t.STOP].map((op): [Op, readonly Share[]] => [op, [none]]),
  [t.RECIPROCAL, [by((y) => neg(square(y)))]],
  [t.SQUARE, [by((_y, a) => mul(2, a))]],
  [t.SQRT, [by((y) => div(0.5, y))]],
  [t.CBRT, [by((y) => div(1 / 3, square(y)))]],
  [t.EXP, [by((y) => y)]],
  [t.EXPM1, [by((y) => add(y, 1))]],
  [t.LOG, [by((_y, a) => reciprocal(a))]],
  [t.LOG1P, [by((_y, a) => reciprocal(add(a, 1)))]],
  [t.LOG2, [by((_y, a) => div(Math.LOG2E, a))]],
  [t.LOG10, [by((_y, a) => div(Math.LOG10E, a))]],
  [t.SIN, [by((_y, a) => cos(a))]],
  [t.COS, [by((_y, a) => neg(sin(a)))]],
  [t.TAN, [by((y) => add(1, square(y)))]],
  [t.ASIN, [by((_y, a) => reciprocal(sqrt(sub(1, square(a)))))]],
  [t.ACOS, [by((_y, a) => neg(reciprocal(sqrt(sub(1, square(a))))))]],
  [t.ATAN, [by((_y, a) => reciprocal(add(1, square(a))))]],
  [t.SINH, [by((_y, a) => cosh(a))]],
  [t.COSH, [by((_y, a) => sinh(a))]],
  [t.TANH, [by((y) => sub(1, square(y)))]],
  [t.ASINH, [by((_y, a) => reciprocal(sqrt(add(square(a), 1))))]],
  [t.ACOSH, [by((_y, a) => reciprocal(sqrt(sub(square(a), 1))))]],
  [t.ATANH, [by((_y, a) => reciprocal(sub(1, square(a))))]],
  [t.RELU, [(g, _y, a) => select(gt(a, 0), g, 0)]],
  [t.SIGMOID, [by((y) => mul(y, sub(1, y)))]],
  [t.SOFTPLUS, [by((_y, a) => sigmoid(a))]],
  [t.LOG_SIGMOID, [by((_y, a) => sigmoid(neg(a)))]],
  [t.LGAMMA, [by((_y, a) => digamma(a))]],
  [t.DIGAMMA, [by((_y, a) => trigamma(a))]],
  [t.ERF, [by((_y, a) => mul(TWO_OVER_SQRT_PI, exp(neg(square(a)))))]],
  [t.ERFC, [by((_y, a) => mul(-TWO_OVER_SQRT_PI, exp(neg(square(a)))))]],
  [t.ERFINV, [by((y) => mul(HALF_SQRT_PI, exp(square(y))))]],
  [t.NORMAL_CDF, [by((_y, a) => gaussianDensity(a))]],
  [t.NORMAL_QUANTILE, [by((y) => mul(SQRT_2PI, exp(mul(0.5, square(y)))))]],
  [t.LOG_BESSEL_I0, [by((_y, a) => besselRatio(a))]],
  [t.BESSEL_RATIO, [by((_y, a) => besselRatioSlope(a))]],
  [t.GAMMA_P, [by((_y, a, x) => gammaPShape(a, x)), by((_y, a, x) => gammaDensity(a, x))]],
  [t.GAMMA_Q, [by((_y, a, x) => neg(gammaPShape(a, x))), by((_y, a, x) => neg(gammaDensity(a, x)))]],
  [
    t.LOG_BETA,
    [by((_y, a, b) => sub(digamma(a), digamma(add(a, b)))), by((_y, a, b) => sub(digamma(b), digamma(add(a, b))))],
  ],
  [t.LOG1M_EXP, [by((_y, a) => neg(reciprocal(expm1(neg(a)))))]],
  [t.LOG_ADD_EXP, [by((y, a) => shareOfSum(a, y)), by((y, _a, b) => shareOfSum(b, y))]],
  [
    t.BETA_I,
    [
      by((_y, p, q, x) => betaIFirst(p, q, x) as Node),
      by((_y, p, q, x) => betaISecond(p, q, x) as Node),
      by((_y, p, q, x) => betaDensity(p, q, x)),
    ],
  ],
  // Of an inverse x(a, p) with F(a, x) = p: dx/dp = 1 / f and dx/da = −∂F/∂a / f, where f is the density at x.
  [
    t.GAMMA_P_INVERSE,
    [by((x, a) => neg(div(gammaPShape(a, x), gammaDensity(a, x)))), by((x, a) => reciprocal(gammaDensity(a, x)))],
  ],
  [
    t.GAMMA_Q_INVERSE,
    [by((x, a) => neg(div(gammaPShape(a, x), gammaDensity(a, x)))), by((x, a) => neg(reciprocal(gammaDensity(a, x))))],
  ],
  [
    t.BETA_I_INVERSE,
    [
      by((x, p, q) => neg(div(betaIFirst(p, q, x), betaDensity(p, q, x)))),
      by((x, p, q) => neg(div(betaISecond(p, q, x), betaDensity(p, q, x)))),
      by((x, p, q) => reciprocal(betaDensity(p, q, x))),
    ],
  ],
  [t.TRIGAMMA, [refuse('trigamma', 'its argument')]],
  [t.BESSEL_RATIO_SLOPE, [refuse('besselRatioSlope', 'its argument')]],
  ...[t.BETA_I_FIRST, t.BETA_I_SECOND].map((op): [Op, readonly Share[]] => [
    op,
    ['its first parameter', 'its second parameter', 'x'].map((operand) => refuse(op.name, operand)),
  ]),
  [t.GAMMA_P_SHAPE, [refuse('gammaPShape', 'the shape'), refuse('gammaPShape', 'x')]],
  [t.TO_F32, [same]],
  [t.TO_F64, [same]],
  [t.EXPAND, [same]],
]);

/** No formula is known here, and an error is better than a wrong gradient. */
function refuse(operation: string, operand: string): Share {
  return () => {
    throw new Error(
      `The gradient of ${operation} with respect to ${operand} is not available. ` +
        'Keep that operand fixed, or cut the gradient with stopGradient.',
    );
  };
}
