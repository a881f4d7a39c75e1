/**
 * What operators mean in lifted text: on plain values what JavaScript means, on graph nodes and tensors an operation of
 * the graph. Lifted text comes from `build/lift.ts` (the library's own files) and from the compiler (programs).
 */
import '../tensor/evaluate.ts';
import { isIdentical, isLooselyEqual, originOf } from '../algebra/identity.ts';
import { bitwiseBy } from '../lanes/bitwise.ts';
import { presence } from '../lanes/indexing.ts';
import { compareInLanes, inEachLane } from '../lanes/lane-comparison.ts';
import { narrowed } from '../lanes/narrowing.ts';
import { recording } from '../lanes/recording.ts';
import { derived, differs } from '../lanes/value.ts';
import { agreedOf, variedOf } from '../lanes/varied.ts';
import { force } from '../runtime/force.ts';
import { machine } from '../runtime/machine.ts';
import { OneByOne } from '../runtime/signals.ts';
import { isNumeric, Node, type Value } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import { type Shape, shapeText } from '../tensor/shape.ts';
import { Tensor } from '../tensor/tensor.ts';
import { combining } from './combining.ts';
import * as conditions from './conditions.ts';
import { isTruth, plain } from './looking.ts';
import { lostGradient } from './lost-gradients.ts';
import { math } from './math.ts';

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
    if (isLifted(a) || isLifted(b)) {
      // What lanes agree on may be a number, and then nobody looks at the other operand.
      const [x, y] = [isNumeric(a) ? a : plain(a), isNumeric(b) ? b : plain(b)];
      if (isNumeric(x) && isNumeric(y)) return record(narrowed(x), narrowed(y));
    }
    return native(plain(a) as never, plain(b) as never);
  };
}

/** True if the value is one that differs between lanes and is no number. */
const isVaried = (value: unknown): boolean => variedOf(value) !== undefined;

/** Whether a node stands for a value that some lanes have not, having asked a list for an item it has not. */
const absence = (value: unknown): unknown => {
  const present = value instanceof Node ? presence(value) : undefined;
  return present === undefined ? false : ops.not(present);
};

/** A value, or nothing where all lanes have nothing; they part where only some have. */
function there(value: unknown): unknown {
  const present = value instanceof Node ? presence(value) : undefined;
  return present === undefined || plain(present) ? value : undefined;
}

function identical(given: unknown, other: unknown): unknown {
  const [a, b] = [originOf(given), originOf(other)];
  if (b === undefined && a instanceof Node) return absence(a);
  if (a === undefined && b instanceof Node) return absence(b);
  if (isVaried(a) || isVaried(b)) return compareInLanes(a, b, isIdentical);
  if (a instanceof Node ? isNumeric(b) : b instanceof Node && isNumeric(a)) {
    // Numbers and truth values are never identical in JavaScript.
    if (isTruth(a) !== isTruth(b)) return false;
    return ops.eq(a as Value, b as Value);
  }
  return a === b;
}

/** `==`, which unlike `===` takes true for 1. */
function alike(given: unknown, other: unknown): unknown {
  const [a, b] = [originOf(given), originOf(other)];
  if ((b === undefined || b === null) && a instanceof Node) return absence(a);
  if ((a === undefined || a === null) && b instanceof Node) return absence(b);
  if (isVaried(a) || isVaried(b)) return compareInLanes(a, b, isLooselyEqual);
  if (a instanceof Node ? isNumeric(b) : b instanceof Node && isNumeric(a)) return ops.eq(a as Value, b as Value);
  // biome-ignore lint/suspicious/noDoubleEquals: this is what the program wrote
  return plain(a) == plain(b);
}

/** `+a`. */
export function number(value: unknown): unknown {
  if (value instanceof Node && value.shape.length === 0) {
    const here = narrowed(value);
    return here.dtype === 'bool' ? ops.select(here, 1, 0) : here;
  }
  const varied = variedOf(value);
  return varied === undefined ? +(plain(value) as number) : derived(varied, (one) => +(one as number));
}

/** A function whose value jumps where it changes at all: gradients are zero, and what it is given is looked at. */
const looking =
  (native: (...operands: unknown[]) => number) =>
  (...operands: unknown[]): unknown => {
    if (!operands.some((operand) => differs(operand))) return native(...operands.map(plain));
    return inEachLane((at) => native(...operands.map(at)));
  };

function typeOf(value: unknown): string {
  if (isVaried(value)) return agreedOf(variedOf(value)!, (item) => typeof item) as string;
  if (!(value instanceof Node) || value.shape.length > 0) return typeof value;
  if (there(value) === undefined) return 'undefined';
  return value.dtype === 'bool' ? 'boolean' : 'number';
}

/** `key in object`. */
function inside(key: unknown, object: unknown): unknown {
  if (isVaried(key) || isVaried(object)) return compareInLanes(key, object, (x, y) => (x as string) in (y as object));
  return (plain(key) as string) in (plain(object) as object);
}

/** `value instanceof kind`: a number is no object, whatever stands for it. */
function instanceOf(value: unknown, kind: unknown): unknown {
  if (isVaried(value)) return compareInLanes(value, kind, (x, y) => x instanceof (y as never));
  return (value instanceof Node ? plain(value) : value) instanceof (plain(kind) as never);
}

/** What has the fields of a value: numbers have none, nor do texts that differ unless they are looked at. */
function fields(value: unknown): unknown {
  if (value instanceof Node) return value.shape.length === 0 ? undefined : plain(value);
  if (!isVaried(value)) return value;
  return variedOf(value)!.table.every((item) => typeof item === 'object' && item !== null) ? value : plain(value);
}

/**
 * Iterations that change what others see must run one after the other, and such a step cannot be left out. A variable that
 * came to be in the execution at hand, or in the same group of lanes, is nobody else's.
 */
function writing(reason = 'they change a variable or an object that they share', execution = -1): void {
  if (execution === machine.execution) return;
  recording.current?.obstruct('state', 'the program changes something outside the execution');
  if (machine.lanes !== null) throw new OneByOne('state', reason);
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
  ne: (a: unknown, b: unknown): unknown => conditions.not(identical(a, b)),
  looseEq: alike,
  looseNe: (a: unknown, b: unknown): unknown => conditions.not(alike(a, b)),
  inc: (a: unknown): unknown => operators.add(a, 1),
  dec: (a: unknown): unknown => operators.sub(a, 1),
  numeric: (a: unknown): unknown => (isLifted(a) ? a : Number(a)),
  number,
  ...bitwiseBy(looking),
  plain,
  there,
  typeOf,
  inside,
  instanceOf,
  fields,
  neg: (a: unknown): unknown => (isLifted(a) ? ops.neg(narrowed(a) as Node) : -(a as number)),
  ...conditions,
  math,
};

// A node that ordinary JavaScript makes text, a number or JSON of is looked at.
Object.defineProperty(Node.prototype, Symbol.toPrimitive, {
  value(this: Node, hint: string): unknown {
    if (hint !== 'string') lostGradient('a function that is not of the library', this);
    const value = force(this);
    return value instanceof Tensor ? String(value) : value;
  },
});
Object.defineProperty(Node.prototype, 'toJSON', {
  value(this: Node): unknown {
    return force(this);
  },
});
