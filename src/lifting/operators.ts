/**
 * What operators mean in lifted text: on plain values what JavaScript means, on graph nodes and tensors an operation of
 * the graph. Lifted text comes from `build/lift.ts` (the library's own files) and from the compiler (programs).
 */
import '../tensor/evaluate.ts';
import { recording } from '../lanes/recording.ts';
import { agreed, agreedOf, compareInLanes, variedOf } from '../lanes/value.ts';
import { force } from '../runtime/force.ts';
import { machine } from '../runtime/machine.ts';
import { isSignal, OneByOne } from '../runtime/signals.ts';
import { Node, type Value } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import { type Shape, shapeText } from '../tensor/shape.ts';
import { Tensor } from '../tensor/tensor.ts';
import { combining } from './combining.ts';
import { math } from './math.ts';

const isNumeric = (value: unknown): value is Value =>
  typeof value === 'number' || typeof value === 'boolean' || value instanceof Node || value instanceof Tensor;

const isLifted = (value: unknown): value is Node | Tensor => value instanceof Node || value instanceof Tensor;

type Native = (a: never, b: never) => unknown;

/** The same for operators that combine tensors entry by entry. */
function arithmetic(symbol: string, record: (a: Value, b: Value) => Value, native: Native) {
  const misfit = (a: Shape, b: Shape): string =>
    `Tensors combined with '${symbol}' must have the same dims, or 1 where they differ, got ${shapeText(a)} and ${shapeText(b)}.`;
  return binary(combining(record, misfit), native);
}

/** An operator that records if an operand is a node or tensor and the other is numeric; else it is JavaScript's own. */
function binary(record: (a: Value, b: Value) => Value, native: Native) {
  return (a: unknown, b: unknown): unknown => {
    if (typeof a === 'number' && typeof b === 'number') return native(a as never, b as never);
    if ((isLifted(a) || isLifted(b)) && isNumeric(a) && isNumeric(b)) return record(a, b);
    return native(plain(a) as never, plain(b) as never);
  };
}

/** A value as ordinary JavaScript sees it. */
function plain(value: unknown): unknown {
  if (value instanceof Node) return force(value);
  const varied = machine.lanes === null ? undefined : variedOf(value);
  return varied === undefined ? value : agreed(varied);
}

/** True if the value is one that differs between lanes and is no number. */
const isVaried = (value: unknown): boolean => machine.lanes !== null && variedOf(value) !== undefined;

function identical(a: unknown, b: unknown): unknown {
  if (isVaried(a) || isVaried(b)) return compareInLanes(a, b, (x, y) => x === y);
  if (a instanceof Node ? isNumeric(b) : b instanceof Node && isNumeric(a)) {
    // Numbers and truth values are never identical in JavaScript.
    if (isTruth(a) !== isTruth(b)) return false;
    return ops.eq(a as Value, b as Value);
  }
  return a === b;
}

const isTruth = (value: unknown): boolean =>
  typeof value === 'boolean' || (value instanceof Node && value.dtype === 'bool');

function truth(condition: unknown): boolean {
  return Boolean(plain(condition));
}

function not(condition: unknown): unknown {
  return condition instanceof Node ? ops.not(condition) : !plain(condition);
}

/**
 * The value of a conditional whose two sides are cheap, total and free of choices: where the condition is a node, both
 * are evaluated and one is selected, so that the program need not wait for the condition's value.
 */
function choose(condition: unknown, then: () => unknown, otherwise: () => unknown): unknown {
  if (!(condition instanceof Node)) return plain(condition) ? then() : otherwise();
  let sides: [unknown, unknown];
  try {
    sides = [then(), otherwise()];
  } catch (thrown) {
    if (isSignal(thrown)) throw thrown;
    // One side cannot be evaluated unless it is the one taken.
    return truth(condition) ? then() : otherwise();
  }
  const [a, b] = sides;
  return areAlike(a, b) ? ops.select(condition, a as Value, b as Value) : truth(condition) ? a : b;
}

/** True of two numbers, two truth values or two tensors of one shape: only these can be selected from. */
function areAlike(a: unknown, b: unknown): boolean {
  if (!isNumeric(a) || !isNumeric(b) || isTruth(a) !== isTruth(b)) return false;
  const [dims, others] = [dimsOf(a), dimsOf(b)];
  return dims.length === others.length && dims.every((n, i) => n === others[i]);
}

const SCALAR: readonly number[] = [];

const dimsOf = (value: Value): readonly number[] =>
  value instanceof Node ? value.shape : value instanceof Tensor ? value.dims : SCALAR;

/** `a && b` and `a || b` for a node `a`, which has the value of one of its sides: which of them, `a` says. */
function either(a: Node, b: () => unknown, ifTrue: (right: unknown) => [unknown, unknown]): unknown {
  const right = b();
  const [then, otherwise] = ifTrue(right);
  if (!areAlike(a, right) || a.shape.length > 0) return truth(a) ? then : otherwise;
  return ops.select(a.dtype === 'bool' ? a : ops.ne(a, 0), then as Value, otherwise as Value);
}

/** `==`, which unlike `===` takes true for 1. */
function alike(a: unknown, b: unknown): unknown {
  // biome-ignore lint/suspicious/noDoubleEquals: this is what the program wrote
  if (isVaried(a) || isVaried(b)) return compareInLanes(a, b, (x, y) => x == y);
  if (a instanceof Node ? isNumeric(b) : b instanceof Node && isNumeric(a)) return ops.eq(a as Value, b as Value);
  // biome-ignore lint/suspicious/noDoubleEquals: this is what the program wrote
  return plain(a) == plain(b);
}

function typeOf(value: unknown): string {
  if (isVaried(value)) return agreedOf(variedOf(value)!, (item) => typeof item) as string;
  if (!(value instanceof Node) || value.shape.length > 0) return typeof value;
  return value.dtype === 'bool' ? 'boolean' : 'number';
}

/**
 * Iterations that change what others see must run one after the other, and such a step cannot be left out. A variable that
 * came to be in the execution at hand, or in the same group of lanes, is nobody else's.
 */
function writing(reason = 'they change a variable or an object that they share', execution = -1): void {
  if (execution === machine.execution) return;
  recording.current?.obstruct('the program changes something outside the execution');
  if (machine.lanes !== null) throw new OneByOne(reason);
}

export const operators = {
  writing,
  add: arithmetic('+', ops.add, (a: number, b: number) => a + b),
  sub: arithmetic('-', ops.sub, (a: number, b: number) => a - b),
  mul: arithmetic('*', ops.mul, (a: number, b: number) => a * b),
  div: arithmetic('/', ops.div, (a: number, b: number) => a / b),
  mod: arithmetic('%', ops.mod, (a: number, b: number) => a % b),
  pow: arithmetic('**', ops.pow, (a: number, b: number) => a ** b),
  lt: binary(ops.lt, (a: number, b: number) => a < b),
  le: binary(ops.le, (a: number, b: number) => a <= b),
  gt: binary(ops.gt, (a: number, b: number) => a > b),
  ge: binary(ops.ge, (a: number, b: number) => a >= b),
  eq: identical,
  ne: (a: unknown, b: unknown): unknown => not(identical(a, b)),
  looseEq: alike,
  looseNe: (a: unknown, b: unknown): unknown => not(alike(a, b)),
  inc: (a: unknown): unknown => operators.add(a, 1),
  dec: (a: unknown): unknown => operators.sub(a, 1),
  numeric: (a: unknown): unknown => (isLifted(a) ? a : Number(a)),
  plain,
  typeOf,
  neg: (a: unknown): unknown => (isLifted(a) ? ops.neg(a as Node) : -(a as number)),
  not,
  truth,
  choose,
  and: (a: unknown, b: () => unknown): unknown =>
    a instanceof Node ? either(a, b, (right) => [right, a]) : plain(a) ? b() : a,
  or: (a: unknown, b: () => unknown): unknown =>
    a instanceof Node ? either(a, b, (right) => [a, right]) : plain(a) ? a : b(),
  math,
};

// A node that ordinary JavaScript makes text, a number or JSON of is looked at.
Object.defineProperty(Node.prototype, Symbol.toPrimitive, {
  value(this: Node): unknown {
    const value = force(this);
    return value instanceof Tensor ? String(value) : value;
  },
});
Object.defineProperty(Node.prototype, 'toJSON', {
  value(this: Node): unknown {
    return force(this);
  },
});
