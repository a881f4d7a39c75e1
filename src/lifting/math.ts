/** `Math` in lifted text. */

import type { Fn } from '../algebra/domain.ts';
import { mathematicsOver } from '../algebra/mathematics.ts';
import { currentLanes } from '../lanes/lanes.ts';
import { narrowed } from '../lanes/narrowing.ts';
import { recording } from '../lanes/recording.ts';
import { scalarMath } from '../library/math.ts';
import { force } from '../runtime/force.ts';
import { OneByOne } from '../runtime/signals.ts';
import { isNumeric, Node, type Value } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import { graphDomain } from './graph-domain.ts';

type Operation = (...operands: Value[]) => Value;

const UNARY = [
  ...[
    'abs',
    'sign',
    'floor',
    'ceil',
    'round',
    'trunc',
    'sqrt',
    'cbrt',
    'exp',
    'expm1',
    'log',
    'log1p',
    'log2',
    'log10',
  ],
  ...['sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'sinh', 'cosh', 'tanh', 'asinh', 'acosh', 'atanh', 'sigmoid'],
] as const;

/** Of any number of operands, two at a time. */
const folded =
  (record: (a: Value, b: Value) => Value): Operation =>
  (...values) =>
    values.reduce((a, b) => record(a, b));

/** Rounded to fewer digits, which is no reason to have no gradient. */
function fround(a: Value): Value {
  if (!(a instanceof Node)) return Math.fround(a as number);
  const now = force(a) as number;
  return ops.add(a, Math.fround(now) - now);
}

const operations: Readonly<Record<string, Operation>> = {
  // biome-ignore lint/performance/noDynamicNamespaceImportAccess: the engine is loaded whole
  ...Object.fromEntries(UNARY.map((name) => [name, (a: Value) => (ops[name] as Operation)(a)])),
  fround,
  logGamma: (a) => ops.lgamma(a as Node),
  pow: (a, b) => ops.pow(a, b),
  atan2: (a, b) => ops.atan2(a, b),
  hypot: folded(ops.hypot),
  min: folded(ops.min),
  max: folded(ops.max),
};

/** A function without an operation in the graph is given the plain numbers of each lane. */
export const math = mathematicsOver(
  {
    ...graphDomain,
    isNumeric,
    mathematical(name): Fn | undefined {
      const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
      return operation && ((...operands) => operation(...(operands as Value[]).map(narrowed)));
    },
    /** It gives another number for each datum and each step, which a recording cannot. */
    random(): number {
      recording.current?.obstruct('outside', 'the program calls Math.random');
      if (currentLanes() !== null) throw new OneByOne('outside', 'they call Math.random');
      return Math.random();
    },
  },
  scalarMath,
);
