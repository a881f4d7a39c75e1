/** WebPPL's objects of functions, on nodes: the lifted functions under the names they have there. */
import type { Fn } from '../algebra/domain.ts';
import * as webppl from '../library/webppl/index.ts';
import { isRecord } from '../runtime/values.ts';
import { Node } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import { calls } from './calls.ts';
import { logsumexp, product, sum } from './numbers.ts';
import { operators } from './operators.ts';
import { logAddExp, logGamma } from './special.ts';
import { isTensor } from './tensor-members.ts';
import { squishToProbSimplex, T } from './tensors.ts';

/** A function of the library that takes plain values only. */
const pure = (fn: unknown): Fn => calls.pure(fn as Fn);

export const numeric = {
  ...webppl.numeric,
  ...{ sum, _sum: sum, product, logsumexp, _logsumexp: logsumexp, squishToProbSimplex },
  logaddexp: logAddExp,
  fact: pure(webppl.numeric.fact),
  lnfact: pure(webppl.numeric.lnfact),
};

export const util = {
  ...webppl.util,
  ...{ sum, logsumexp },
  serialize: pure(webppl.util.serialize),
  deserialize: pure(webppl.util.deserialize),
  prettyJSON: pure(webppl.util.prettyJSON),
  isObject: (value: unknown): boolean => !(value instanceof Node) && webppl.util.isObject(value),
  isInteger: pure(webppl.util.isInteger),
  isTensor: (value: unknown): boolean => isTensor(value) || webppl.util.isTensor(value),
  isVector: pure(webppl.util.isVector),
  isMatrix: pure(webppl.util.isMatrix),
  tensorEqDim0: pure(webppl.util.tensorEqDim0),
  tensorEqDims: pure(webppl.util.tensorEqDims),
  idMatrix: pure(webppl.util.idMatrix),
  oneHot: pure(webppl.util.oneHot),
  histExpectation: pure(webppl.util.histExpectation),
  histStd: pure(webppl.util.histStd),
  histsApproximatelyEqual: pure(webppl.util.histsApproximatelyEqual),
};

/** The value, with nodes in it that no gradient passes. */
function withoutGradient(value: unknown): unknown {
  if (value instanceof Node) return ops.stopGradient(value);
  if (Array.isArray(value)) return value.map(withoutGradient);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutGradient(item)]));
}

const { neg, number, add, sub, mul, div, gt, lt, ge, le, eq, ne, looseEq, looseNe } = operators;

/** `Math`, with WebPPL's names for operators. */
const scalarMath: Readonly<Record<string, unknown>> = {
  ...operators.math,
  ...{ neg, plus: number, add, sub, mul, div, gt, lt, geq: ge, leq: le, peq: eq, pneq: ne, eq: looseEq, neq: looseNe },
  isNaN: pure(webppl.ad.scalar.isNaN),
  isFinite: pure(webppl.ad.scalar.isFinite),
  sum,
  logGamma,
};

export const ad = {
  ...webppl.ad,
  isLifted: (value: unknown): boolean => value instanceof Node,
  value: withoutGradient,
  valueRec: withoutGradient,
  tensor: T,
  scalar: scalarMath,
};
