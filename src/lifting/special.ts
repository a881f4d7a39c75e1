/**
 * The special functions of `src/tensor/special/`, under the same names, for lifted text: on plain numbers those very
 * functions, on nodes operations of the graph.
 */
import { Node, type Value } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import * as bessel from '../tensor/special/bessel.ts';
import * as exponentials from '../tensor/special/exponentials.ts';
import * as gammas from '../tensor/special/gamma.ts';
import * as incompleteBeta from '../tensor/special/incomplete-beta.ts';
import * as incompleteGamma from '../tensor/special/incomplete-gamma.ts';
import * as normal from '../tensor/special/normal.ts';
import { Tensor } from '../tensor/tensor.ts';

const lifted = (value: unknown): boolean => value instanceof Node || value instanceof Tensor;

type Record_ = (...operands: Value[]) => Value;

/** The operation if an operand is lifted, else the function on numbers. */
function either(record: Record_, native: (...operands: never[]) => number) {
  return (...operands: unknown[]): unknown =>
    operands.some(lifted) ? record(...(operands as Value[])) : native(...(operands as never[]));
}

export const logGamma = either(ops.lgamma as Record_, gammas.logGamma);
export const digamma = either(ops.digamma as Record_, gammas.digamma);
export const trigamma = either(ops.trigamma as Record_, gammas.trigamma);
export const erf = either(ops.erf as Record_, normal.erf);
export const erfc = either(ops.erfc as Record_, normal.erfc);
export const erfInverse = either(ops.erfinv as Record_, normal.erfInverse);
export const normalCdf = either(ops.normalCdf as Record_, normal.normalCdf);
export const normalQuantile = either(ops.normalQuantile as Record_, normal.normalQuantile);
export const logBesselI0 = either(ops.logBesselI0 as Record_, bessel.logBesselI0);
export const besselRatio = either(ops.besselRatio as Record_, bessel.besselRatio);
export const gammaP = either(ops.gammaP as Record_, incompleteGamma.gammaP);
export const gammaQ = either(ops.gammaQ as Record_, incompleteGamma.gammaQ);
export const gammaPInverse = either(ops.gammaPInverse as Record_, incompleteGamma.gammaPInverse);
export const gammaQInverse = either(ops.gammaQInverse as Record_, incompleteGamma.gammaQInverse);
export const betaI = either(ops.betaI as Record_, incompleteBeta.betaI);
export const betaIInverse = either(ops.betaIInverse as Record_, incompleteBeta.betaIInverse);
export const softplus = either(ops.softplus as Record_, exponentials.softplus);
export const sigmoid = either(ops.sigmoid as Record_, exponentials.sigmoid);

export const logBeta = either(
  (a, b) => ops.sub(ops.add(ops.lgamma(a), ops.lgamma(b)), ops.lgamma(ops.add(a, b))),
  gammas.logBeta,
);
export const logFactorial = either((k) => ops.lgamma(ops.add(k, 1)), gammas.logFactorial);
export const logChoose = either(
  (n, k) =>
    ops.sub(ops.lgamma(ops.add(n, 1)), ops.add(ops.lgamma(ops.add(k, 1)), ops.lgamma(ops.add(ops.sub(n, k), 1)))),
  gammas.logChoose,
);
/** log(1 − eˣ) for x < 0: each of the two forms where it keeps its digits. */
const recordLog1mExp = (x: Value): Value =>
  ops.select(ops.gt(x, -Math.LN2), ops.log(ops.neg(ops.expm1(x))), ops.log1p(ops.neg(ops.exp(x))));
export const log1mExp = either(recordLog1mExp, exponentials.log1mExp);
export const inverseSoftplus = either((y) => ops.add(y, recordLog1mExp(ops.neg(y))), exponentials.inverseSoftplus);
export const logit = either((p) => ops.sub(ops.log(p), ops.log1p(ops.neg(p))), exponentials.logit);
export const logAddExp = either((a, b) => {
  const [high, low] = [ops.max(a, b), ops.min(a, b)];
  return ops.add(high, ops.log1p(ops.exp(ops.sub(low, high))));
}, exponentials.logAddExp);
/** Of an array of numbers and nodes, or of a vector. */
export function logSumExp(xs: ArrayLike<number> | Node | unknown[]): unknown {
  if (xs instanceof Node || xs instanceof Tensor) return ops.logsumexp(xs);
  const terms = Array.from(xs as unknown[]);
  return terms.some(lifted) ? logSumExpOfEach(terms as Value[]) : exponentials.logSumExp(terms as number[]);
}

/** Term by term, so that what is made of numbers alone stays so: plans of scalars are the quickest. */
function logSumExpOfEach(terms: readonly Value[]): Value {
  const largest = ops.stopGradient(terms.reduce((a, b) => ops.max(a, b)));
  // Where all terms are −∞ there is nothing to scale by.
  const scale = ops.select(ops.gt(largest, -Infinity), largest, 0);
  const sum = terms.map((term) => ops.exp(ops.sub(term, scale))).reduce((a, b) => ops.add(a, b));
  return ops.add(scale, ops.log(sum));
}

export { log1pMinus } from '../tensor/special/exponentials.ts';
export { stirlingError } from '../tensor/special/gamma.ts';
export { erfcInverse } from '../tensor/special/normal.ts';
export { solveLogLog } from '../tensor/special/quantile.ts';
