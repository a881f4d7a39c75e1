/**
 * Elementwise operations as functions. On plain numbers they answer with plain numbers at once; on tensors with
 * tensors; as soon as a node is among the operands they record a node.
 */
import { recordBinary, recordSelect, recordTernary, recordUnary } from '../elementwise/record.ts';
import * as table from '../elementwise/table.ts';
import { toNode } from '../leaves.ts';
import { logarithmOf, probabilityOf } from '../logarithm.ts';
import { CONSTANT, type Compute, Node, type Op, type Value } from '../node.ts';
import type { Tensor } from '../tensor.ts';

export interface Unary {
  (a: number): number;
  (a: Node): Node;
  (a: Tensor): Tensor;
  (a: Value): Value;
}

export interface Binary {
  (a: number, b: number): number;
  (a: Node, b: Value): Node;
  (a: Value, b: Node): Node;
  (a: Tensor, b: Tensor | number): Tensor;
  (a: Tensor | number, b: Tensor): Tensor;
  (a: Value, b: Value): Value;
}

export interface Relation {
  (a: number, b: number): boolean;
  (a: Node, b: Value): Node;
  (a: Value, b: Node): Node;
  (a: Value, b: Value): Value;
}

export interface Select {
  <T>(condition: boolean, a: T, b: T): T;
  (condition: Node, a: Value, b: Value): Node;
  (condition: Value, a: Value, b: Value): Value;
}

function unary(op: Op, a: Value): Value {
  if (a instanceof Node) return recordUnary(op, a);
  return recordUnary(op, toNode(a)).value();
}

function binary(op: Op, a: Value, b: Value): Value {
  if (a instanceof Node) return recordBinary(op, a, b instanceof Node ? b : toNode(b));
  if (b instanceof Node) return recordBinary(op, toNode(a), b);
  return recordBinary(op, toNode(a), toNode(b)).value();
}

// Adding 0 and multiplying by 1 leave a node as it is; gradient rules produce many of these.
const recordsAs = (a: Value): a is Node => a instanceof Node && a.dtype !== 'bool' && a.dtype !== 'i32';

export const add = ((a: Value, b: Value) => {
  if (typeof a === 'number' && typeof b === 'number') return a + b;
  if (b === 0 && recordsAs(a)) return a;
  if (a === 0 && recordsAs(b)) return b;
  return binary(table.ADD, a, b);
}) as Binary;

export const sub = ((a: Value, b: Value) => {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (b === 0 && recordsAs(a)) return a;
  if (a === 0 && recordsAs(b)) return recordUnary(table.NEG, b);
  return binary(table.SUB, a, b);
}) as Binary;

export const mul = ((a: Value, b: Value) => {
  if (typeof a === 'number' && typeof b === 'number') return a * b;
  if (b === 1 && recordsAs(a)) return a;
  if (a === 1 && recordsAs(b)) return b;
  if (b === -1 && recordsAs(a)) return recordUnary(table.NEG, a);
  if (a === -1 && recordsAs(b)) return recordUnary(table.NEG, b);
  return binary(table.MUL, a, b);
}) as Binary;

export const div = ((a: Value, b: Value) => {
  if (typeof a === 'number' && typeof b === 'number') return a / b;
  if (b === 1 && recordsAs(a)) return a;
  if (a === 1 && b instanceof Node) return recordUnary(table.RECIPROCAL, b);
  return binary(table.DIV, a, b);
}) as Binary;

export const pow = ((a: Value, b: Value) => {
  if (typeof a === 'number' && typeof b === 'number') return a ** b;
  if (typeof b === 'number' && recordsAs(a)) {
    if (b === 1) return a;
    if (b === 2) return recordUnary(table.SQUARE, a);
    if (b === 3) return mul(a, recordUnary(table.SQUARE, a));
    if (b === 0.5) return recordUnary(table.SQRT, a);
    if (b === -1) return recordUnary(table.RECIPROCAL, a);
  }
  return binary(table.POW, a, b);
}) as Binary;

/** a · b, and 0 where a is 0 whatever b is: how a gradient rule applies a derivative b to an adjoint a. */
export const weigh = ((a: Value, b: Value) => {
  if (typeof a === 'number' && typeof b === 'number') return a === 0 ? 0 : a * b;
  if (typeof a === 'number') return a === 0 ? 0 : mul(a, b as Node);
  if (b === 1 && recordsAs(a)) return a;
  if (typeof b === 'number' && Number.isFinite(b)) return mul(a, b);
  if (a instanceof Node && a.op.name === 'constant' && typeof a.data === 'number' && a.data !== 0)
    return mul(a.data, b);
  return binary(table.WEIGH, a, b);
}) as Binary;

export const mod = ((a: Value, b: Value) =>
  typeof a === 'number' && typeof b === 'number' ? a % b : binary(table.MOD, a, b)) as Binary;
export const min = ((a: Value, b: Value) =>
  typeof a === 'number' && typeof b === 'number' ? Math.min(a, b) : binary(table.MIN, a, b)) as Binary;
export const max = ((a: Value, b: Value) =>
  typeof a === 'number' && typeof b === 'number' ? Math.max(a, b) : binary(table.MAX, a, b)) as Binary;
export const atan2 = ((a: Value, b: Value) =>
  typeof a === 'number' && typeof b === 'number' ? Math.atan2(a, b) : binary(table.ATAN2, a, b)) as Binary;
export const hypot = ((a: Value, b: Value) =>
  typeof a === 'number' && typeof b === 'number' ? Math.hypot(a, b) : binary(table.HYPOT, a, b)) as Binary;

export const lt = ((a: Value, b: Value) =>
  typeof a === 'number' && typeof b === 'number' ? a < b : binary(table.LT, a, b)) as Relation;
export const le = ((a: Value, b: Value) =>
  typeof a === 'number' && typeof b === 'number' ? a <= b : binary(table.LE, a, b)) as Relation;
export const gt = ((a: Value, b: Value) =>
  typeof a === 'number' && typeof b === 'number' ? a > b : binary(table.GT, a, b)) as Relation;
export const ge = ((a: Value, b: Value) =>
  typeof a === 'number' && typeof b === 'number' ? a >= b : binary(table.GE, a, b)) as Relation;
export const eq = ((a: Value, b: Value) =>
  typeof a === 'number' && typeof b === 'number' ? a === b : binary(table.EQ, a, b)) as Relation;
export const ne = ((a: Value, b: Value) =>
  typeof a === 'number' && typeof b === 'number' ? a !== b : binary(table.NE, a, b)) as Relation;

const isPlain = (a: Value): a is number | boolean => typeof a === 'number' || typeof a === 'boolean';

export const and = ((a: Value, b: Value) =>
  isPlain(a) && isPlain(b) ? Boolean(a) && Boolean(b) : binary(table.AND, a, b)) as Binary;
export const or = ((a: Value, b: Value) =>
  isPlain(a) && isPlain(b) ? Boolean(a) || Boolean(b) : binary(table.OR, a, b)) as Binary;
export const not = ((a: Value) => (isPlain(a) ? !a : unary(table.NOT, a))) as {
  (a: number | boolean): boolean;
  (a: Node): Node;
  (a: Value): Value;
};

/** Functions computed once, of what was selected, where both sides of a selection would compute them. */
const DEAR: ReadonlySet<Op> = new Set([table.EXP, table.LOG, table.LOG1P, table.LOG_SIGMOID]);

/** `a` where the condition holds, else `b`. The side not taken never reaches a gradient, not even as NaN. */
export const select = ((condition: Value, a: Value, b: Value) => {
  if (isPlain(condition)) return condition ? a : b;
  if (a instanceof Node && b instanceof Node && a.op === b.op && DEAR.has(a.op) && a.data === null && b.data === null) {
    return recordUnary(a.op, select(condition as Node, a.inputs[0], b.inputs[0]));
  }
  const node = recordSelect(table.SELECT, toNode(condition), toNode(a), toNode(b));
  return condition instanceof Node || a instanceof Node || b instanceof Node ? node : node.value();
}) as Select;

export const neg = ((a: Value) => (typeof a === 'number' ? -a : unary(table.NEG, a))) as Unary;
export const abs = ((a: Value) => (typeof a === 'number' ? Math.abs(a) : unary(table.ABS, a))) as Unary;
export const sign = ((a: Value) => (typeof a === 'number' ? Math.sign(a) : unary(table.SIGN, a))) as Unary;
export const floor = ((a: Value) => (typeof a === 'number' ? Math.floor(a) : unary(table.FLOOR, a))) as Unary;
export const ceil = ((a: Value) => (typeof a === 'number' ? Math.ceil(a) : unary(table.CEIL, a))) as Unary;
export const round = ((a: Value) => (typeof a === 'number' ? Math.round(a) : unary(table.ROUND, a))) as Unary;
export const trunc = ((a: Value) => (typeof a === 'number' ? Math.trunc(a) : unary(table.TRUNC, a))) as Unary;
export const reciprocal = ((a: Value) => (typeof a === 'number' ? 1 / a : unary(table.RECIPROCAL, a))) as Unary;
export const square = ((a: Value) => (typeof a === 'number' ? a * a : unary(table.SQUARE, a))) as Unary;
export const sqrt = ((a: Value) => (typeof a === 'number' ? Math.sqrt(a) : unary(table.SQRT, a))) as Unary;
export const cbrt = ((a: Value) => (typeof a === 'number' ? Math.cbrt(a) : unary(table.CBRT, a))) as Unary;
/** Of the logarithm of a probability, it is the probability. */
export const exp = ((a: Value) => {
  if (typeof a === 'number') return Math.exp(a);
  return (a instanceof Node ? probabilityOf(a) : null) ?? unary(table.EXP, a);
}) as Unary;
export const expm1 = ((a: Value) => (typeof a === 'number' ? Math.expm1(a) : unary(table.EXPM1, a))) as Unary;
/** Logarithms of what a sigmoid or softmax gave are taken of its argument: exact where the value has rounded to 0 or 1. */
export const log = ((a: Value) => {
  if (typeof a === 'number') return Math.log(a);
  if (!(a instanceof Node)) return unary(table.LOG, a);
  const logit = logitOf(a);
  return logit === null ? (logarithmOf(a) ?? recordUnary(table.LOG, a)) : recordUnary(table.LOG_SIGMOID, logit);
}) as Unary;
export const log1p = ((a: Value) => {
  if (typeof a === 'number') return Math.log1p(a);
  const rest = a instanceof Node && a.op === table.NEG ? restOf(a.inputs[0]) : null;
  if (rest !== null) return log(rest);
  const logit = a instanceof Node && a.op === table.NEG ? logitOf(a.inputs[0]) : null;
  return logit === null ? unary(table.LOG1P, a) : recordUnary(table.LOG_SIGMOID, recordUnary(table.NEG, logit));
}) as Unary;

/** The x of a difference 1 − x: log1p(−(1 − x)) is log(x), with the digits that the difference has lost. */
function restOf({ op, inputs, data }: Node): Node | null {
  return op === table.SUB && data === null && inputs[0].op === CONSTANT && inputs[0].data === 1 ? inputs[1] : null;
}

const logits = new WeakMap<Node, Node>();

/** The argument of the sigmoid whose result, or part of it, this is. */
function logitOf(node: Node): Node | null {
  if (node.data !== null) return null;
  const { op, inputs, attributes, shape, dtype, space } = node;
  if (op === table.SIGMOID) return inputs[0];
  if (!(op.kind === 'view' || op.selects || op === table.TO_F64)) return null;
  let logit = logits.get(node) ?? null;
  if (logit !== null) return logit;
  const argument = logitOf(inputs[0]);
  if (argument === null) return null;
  logit = new Node(op, [argument, ...inputs.slice(1)], attributes, shape, dtype, space);
  // One node for each value, so that its gradient is computed once.
  logits.set(node, logit);
  return logit;
}
export const log2 = ((a: Value) => (typeof a === 'number' ? Math.log2(a) : unary(table.LOG2, a))) as Unary;
export const log10 = ((a: Value) => (typeof a === 'number' ? Math.log10(a) : unary(table.LOG10, a))) as Unary;
export const sin = ((a: Value) => (typeof a === 'number' ? Math.sin(a) : unary(table.SIN, a))) as Unary;
export const cos = ((a: Value) => (typeof a === 'number' ? Math.cos(a) : unary(table.COS, a))) as Unary;
export const tan = ((a: Value) => (typeof a === 'number' ? Math.tan(a) : unary(table.TAN, a))) as Unary;
export const asin = ((a: Value) => (typeof a === 'number' ? Math.asin(a) : unary(table.ASIN, a))) as Unary;
export const acos = ((a: Value) => (typeof a === 'number' ? Math.acos(a) : unary(table.ACOS, a))) as Unary;
export const atan = ((a: Value) => (typeof a === 'number' ? Math.atan(a) : unary(table.ATAN, a))) as Unary;
export const sinh = ((a: Value) => (typeof a === 'number' ? Math.sinh(a) : unary(table.SINH, a))) as Unary;
export const cosh = ((a: Value) => (typeof a === 'number' ? Math.cosh(a) : unary(table.COSH, a))) as Unary;
export const tanh = ((a: Value) => (typeof a === 'number' ? Math.tanh(a) : unary(table.TANH, a))) as Unary;
export const asinh = ((a: Value) => (typeof a === 'number' ? Math.asinh(a) : unary(table.ASINH, a))) as Unary;
export const acosh = ((a: Value) => (typeof a === 'number' ? Math.acosh(a) : unary(table.ACOSH, a))) as Unary;
export const atanh = ((a: Value) => (typeof a === 'number' ? Math.atanh(a) : unary(table.ATANH, a))) as Unary;

/** An operation whose value on plain numbers is its entry in the table. */
function viaTable(op: Op): Unary {
  return ((a: Value) => (typeof a === 'number' ? (op.compute as Compute)(a, 0, 0) : unary(op, a))) as Unary;
}

/** The same, of two operands. */
function ofTwo(op: Op): Binary {
  return ((a: Value, b: Value) =>
    typeof a === 'number' && typeof b === 'number' ? (op.compute as Compute)(a, b, 0) : binary(op, a, b)) as Binary;
}

export const relu = viaTable(table.RELU);
export const sigmoid = viaTable(table.SIGMOID);
/** log(1 + eᵃ), without overflow. */
export const softplus = viaTable(table.SOFTPLUS);
/** log(sigmoid(a)). */
export const logSigmoid = viaTable(table.LOG_SIGMOID);
/** log(1 − eᵃ) for a < 0. */
export const log1mExp = viaTable(table.LOG1M_EXP);
/** log(eᵃ + eᵇ), −∞ of twice −∞. */
export const logAddExp = ofTwo(table.LOG_ADD_EXP);
export const lgamma = viaTable(table.LGAMMA);
export const digamma = viaTable(table.DIGAMMA);
export const trigamma = viaTable(table.TRIGAMMA);
export const erf = viaTable(table.ERF);
export const erfc = viaTable(table.ERFC);
export const erfinv = viaTable(table.ERFINV);
/** P(Z ≤ a) for a standard normal Z, and its inverse. */
export const normalCdf = viaTable(table.NORMAL_CDF);
export const normalQuantile = viaTable(table.NORMAL_QUANTILE);
export const logBesselI0 = viaTable(table.LOG_BESSEL_I0);
/** I₁(a) / I₀(a), the derivative of `logBesselI0`. */
export const besselRatio = viaTable(table.BESSEL_RATIO);
export const besselRatioSlope = viaTable(table.BESSEL_RATIO_SLOPE);

/** The regularised lower incomplete gamma function P(shape, x). */
export const gammaP = ofTwo(table.GAMMA_P);
/** 1 − P(shape, x), precise where it is small. */
export const gammaQ = ofTwo(table.GAMMA_Q);
/** log B(a, b). */
export const logBeta = ofTwo(table.LOG_BETA);
/** The derivative of `gammaP` in the shape. */
export const gammaPShape = ofTwo(table.GAMMA_P_SHAPE);

/** The x with P(shape, x) = p. */
export const gammaPInverse = ofTwo(table.GAMMA_P_INVERSE);
/** The x with 1 − P(shape, x) = q. */
export const gammaQInverse = ofTwo(table.GAMMA_Q_INVERSE);

export interface Ternary {
  (a: number, b: number, c: number): number;
  (a: Value, b: Value, c: Value): Value;
}

function ternary(op: Op): Ternary {
  return ((a: Value, b: Value, c: Value) => {
    if (typeof a === 'number' && typeof b === 'number' && typeof c === 'number')
      return (op.compute as Compute)(a, b, c);
    const node = recordTernary(op, toNode(a), toNode(b), toNode(c));
    return a instanceof Node || b instanceof Node || c instanceof Node ? node : node.value();
  }) as Ternary;
}

/** The regularised incomplete beta function I(p, q; x). */
export const betaI = ternary(table.BETA_I);
/** Its derivatives in p and in q. */
export const betaIFirst = ternary(table.BETA_I_FIRST);
export const betaISecond = ternary(table.BETA_I_SECOND);
/** The x with I(p, q; x) = c. */
export const betaIInverse = ternary(table.BETA_I_INVERSE);

/** The value, through which no gradient passes. (None passes through truth values anyway, which must not become numbers.) */
export const stopGradient = ((a: Value) =>
  a instanceof Node && a.dtype !== 'bool' ? recordUnary(table.STOP, a) : a) as Unary;
