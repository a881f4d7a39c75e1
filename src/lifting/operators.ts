/**
 * The meaning of operators in lifted text, where `algebra/operators.ts` leaves it to the graph: an operation on
 * nodes and tensors. Lifted text comes from `build/lift.ts` (the library's own files) and from the compiler
 * (programs).
 */
import '../tensor/evaluate.ts';
import type { Fn } from '../algebra/domain.ts';
import { type OperatorDomain, operatorsOver } from '../algebra/operators.ts';
import { presence } from '../lanes/gathering.ts';
import { compareObjects, comparePicked } from '../lanes/lane-comparison.ts';
import { narrowed } from '../lanes/narrowing.ts';
import { mayChange, mayChangeRoaming, own, roaming } from '../lanes/own-objects.ts';
import { mayPut } from '../lanes/putting.ts';
import { recording } from '../lanes/recording.ts';
import { SoftTruth, truthNumber } from '../lanes/soft-truth.ts';
import { agreedOf, variedOf } from '../lanes/varied.ts';
import { force } from '../runtime/force.ts';
import { machine } from '../runtime/machine.ts';
import { OneByOne } from '../runtime/signals.ts';
import { isRecord } from '../runtime/values.ts';
import { isNumeric, isTruth, Node, type Value } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import { type Shape, shapeText } from '../tensor/shape.ts';
import { Tensor } from '../tensor/tensor.ts';
import { combining } from './combining.ts';
import * as conditions from './conditions.ts';
import { graphDomain } from './graph-domain.ts';
import { plain } from './looking.ts';
import { lostGradient } from './lost-gradients.ts';
import { math } from './math.ts';
import { parting, through, turns } from './turns.ts';

type Binary = (a: unknown, b: unknown) => unknown;

const recorded =
  (record: (a: Value, b: Value) => Value): Binary =>
  (a, b) =>
    record(narrowed(a as Value), narrowed(b as Value));

/** The same for operators that combine tensors entry by entry. */
function arithmetic(symbol: string, record: (a: Value, b: Value) => Value): Binary {
  const misfit = (a: Shape, b: Shape): string =>
    `Tensors combined with '${symbol}' must have the same dims, or 1 where they differ, got ${shapeText(a)} and ${shapeText(b)}.`;
  const combined = recorded(combining(record, misfit));
  const number = (a: unknown): unknown => (a instanceof SoftTruth ? a.number : a);
  return (a, b) => combined(number(a), number(b));
}

const domain: OperatorDomain = {
  ...conditions.conditionDomain,
  isNumber: (value) => value instanceof Node && value.shape.length === 0,
  isNumeric,
  isTruth,
  operations: {
    add: arithmetic('+', ops.add),
    sub: arithmetic('-', ops.sub),
    mul: arithmetic('*', ops.mul),
    div: arithmetic('/', ops.div),
    mod: arithmetic('%', ops.mod),
    pow: arithmetic('**', ops.pow),
    lt: recorded(ops.lt),
    le: recorded(ops.le),
    gt: recorded(ops.gt),
    ge: recorded(ops.ge),
    eq: ops.eq as Binary,
    neg: (a) => ops.neg(narrowed(a as Node)),
    number: (a) => truthNumber(narrowed(a as Node)),
  },
  compare: (holds, a, b) =>
    comparePicked(holds, a, b) ?? compareObjects(holds, a, b) ?? graphDomain.each(holds as Fn, [a, b]),
  agree(of, value) {
    const varied = variedOf(value);
    return varied === undefined ? of(value) : agreedOf(varied, of);
  },
  absence(value) {
    const present = presence(value as Node);
    return present && ops.not(present);
  },
};

/**
 * Iterations that change what others see must run one after the other, and the change cannot be left out. A variable
 * is an execution's, or a group's, own if it was declared in the execution or group.
 */
function writing(reason = 'they change a variable or an object that they share', execution = -1): void {
  if (execution === machine.execution) return;
  recording.current?.obstruct('state', 'the program changes something outside the execution');
  // (A recording with open lanes is made beside the step.)
  if (machine.lanes !== null || recording.current?.isOpen) throw new OneByOne('state', reason);
}

/** The same of objects that a function makes, and changes itself: each lane, and each execution, has one of its own. */
function changing(...objects: object[]): void {
  if (!objects.every(mayChange)) writing();
}

/**
 * The same of one object that may go by several names. Of which of several that is, is looked at only where it has to be. The name of a method
 * that the program has written says nothing about what it changes.
 */
function changed(given: unknown, method?: string): unknown {
  const varied = variedOf(given);
  if (varied !== undefined && method === undefined && mayPut(varied)) return given;
  const object = machine.lanes === null && varied !== undefined ? plain(given) : given;
  const isProgram = method !== undefined && isRecord(object) && Object.hasOwn(object, method);
  if (!isProgram && !mayChangeRoaming(object)) writing();
  return object;
}

export const operators = {
  ...operatorsOver(domain, conditions.conditions),
  assigning: conditions.assigning,
  parting,
  turns,
  through,
  writing,
  own,
  changing,
  roaming,
  changed,
  plain,
  math,
};

// A node that JavaScript turns into text, a number or JSON is replaced by its plain value.
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
