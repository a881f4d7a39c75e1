/**
 * What JavaScript's operators mean on values that stand for others, written once. On plain values an operator is
 * JavaScript's own. Numbers and truth values go to the domain's operation of that name. Anything else is computed with each
 * one's own values.
 */
import { forProgram } from '../runtime/throwing.ts';
import { isObject, isRecord } from '../runtime/values.ts';
import type { ConditionDomain, Conditions } from './conditions.ts';
import { isHostFunction } from './host-functions.ts';
import { isIdentical, isLooselyEqual, originOf } from './identity.ts';
import * as plain from './plain-arithmetic.ts';
import { fieldsOver, takenApartOver } from './taken-apart.ts';

type Unary = (a: unknown) => unknown;
type Binary = (a: unknown, b: unknown) => unknown;

/**
 * Operations on numbers and truth values, of which at least one is the domain's. One that is left out is computed for each
 * one.
 */
interface Operations {
  readonly add: Binary;
  readonly sub: Binary;
  readonly mul: Binary;
  readonly div: Binary;
  readonly mod?: Binary;
  readonly pow?: Binary;
  readonly lt: Binary;
  readonly le: Binary;
  readonly gt: Binary;
  readonly ge: Binary;
  readonly eq: Binary;
  readonly neg: Unary;
  /** A truth value as 0 or 1. */
  readonly number: Unary;
}

export interface OperatorDomain extends ConditionDomain {
  /** A number or truth value of the domain. */
  isNumber(value: unknown): boolean;
  /** What operations take: plain numbers and truth values too. */
  isNumeric(value: unknown): boolean;
  /** Whether what operations take is a truth value. */
  isTruth(value: unknown): boolean;
  readonly operations: Operations;
  /** Compares for each; the function is given the very objects that each one has. */
  compare(holds: (a: unknown, b: unknown) => boolean, a: unknown, b: unknown): unknown;
  /** A property of the value that is the same for all; they part where it is not. */
  agree(of: Unary, value: unknown): unknown;
  /** Whether a number is missing, because a list had no item at the index; left out in domains in which none ever is. */
  absence?(value: unknown): unknown;
}

const comparisons = {
  lt: (a: never, b: never): boolean => a < b,
  le: (a: never, b: never): boolean => a <= b,
  gt: (a: never, b: never): boolean => a > b,
  ge: (a: never, b: never): boolean => a >= b,
};

/** Operators on whole numbers of 32 bits. */
const bitwise = {
  bitOr: (a: never, b: never): number => a | b,
  bitAnd: (a: never, b: never): number => a & b,
  bitXor: (a: never, b: never): number => a ^ b,
  shiftLeft: (a: never, b: never): number => a << b,
  shiftRight: (a: never, b: never): number => a >> b,
  shiftRightUnsigned: (a: never, b: never): number => a >>> b,
  bitNot: (a: never): number => ~a,
};

/** `===`, `==` and what is missing. */
function equalityOver(domain: OperatorDomain) {
  const { isMine, isNumber, isNumeric, isTruth, operations, compare } = domain;

  /** Whether a number is missing; undefined if the value is no number. */
  const absence = (value: unknown): unknown => (isNumber(value) ? (domain.absence?.(value) ?? false) : undefined);

  /** Whether something stands for others that are not all numbers. */
  const isVarious = (value: unknown): boolean => isMine(value) && !isNumeric(value);

  function identical(given: unknown, other: unknown): unknown {
    const [a, b] = [originOf(given), originOf(other)];
    if (!isMine(a) && !isMine(b)) return a === b;
    // Numbers and truth values are never identical in JavaScript.
    if (isNumeric(a) && isNumeric(b)) return isTruth(a) === isTruth(b) && operations.eq(a, b);
    if (isVarious(a) || isVarious(b)) return compare(isIdentical, a, b);
    // Nor is a number ever a text or an object, though it may be missing.
    return (a === undefined ? absence(b) : b === undefined ? absence(a) : false) ?? false;
  }

  /** `==`, which unlike `===` takes true for 1. */
  function alike(given: unknown, other: unknown): unknown {
    const [a, b] = [originOf(given), originOf(other)];
    if (!isMine(a) && !isMine(b)) return isLooselyEqual(a, b);
    if (isNumeric(a) && isNumeric(b)) return operations.eq(a, b);
    const missing = a === undefined || a === null ? absence(b) : b === undefined || b === null ? absence(a) : undefined;
    return missing ?? compare(isLooselyEqual, a, b);
  }

  return { absence, isVarious, identical, alike };
}

/** Operators that ask of which kind something is. */
function kindsOver(domain: OperatorDomain, conditions: Conditions, absence: Unary) {
  const { isMine, isNumber, isTruth, compare } = domain;
  const { not } = conditions;

  /** A value, or undefined where all have none; they part where only some have none. */
  const there = (value: unknown): unknown => (conditions.truth(absence(value) ?? false) ? undefined : value);

  const fieldsOf = fieldsOver(domain);

  return {
    there,
    typeOf(value: unknown): string {
      if (!isMine(value)) return typeof value;
      if (!isNumber(value)) return domain.agree((one) => typeof one, value) as string;
      return there(value) === undefined ? 'undefined' : isTruth(value) ? 'boolean' : 'number';
    },
    /** `key in object`. */
    inside: (key: unknown, object: unknown): unknown =>
      isMine(key) || isMine(object) ? compare(isInside, key, object) : isInside(key, object),
    /** `value instanceof kind`: a number is no object, whatever stands for it, unless the program says what an instance is. */
    instanceOf(value: unknown, given: unknown): unknown {
      const kind = isMine(given) ? domain.look(given) : given;
      const asked = ownInstances(kind);
      if (asked !== undefined) return not(not(asked.call(kind, value)));
      if (isNumber(value)) return false;
      return isMine(value) ? compare(isInstance, value, kind) : isInstance(value, kind);
    },
    /** `object.name`. */
    field: (object: unknown, name: PropertyKey): unknown => (fieldsOf(object) as Record<PropertyKey, unknown>)[name],
    /** What a pattern takes apart. */
    apart: takenApartOver(fieldsOf),
    /** The object whose fields are read: numbers have none. They part where only some are objects. */
    fields(value: unknown): unknown {
      if (!isMine(value) || domain.kindOf(value) === 'record') return value;
      if (isNumber(value)) return undefined;
      return domain.agree(isRecord, value) === true ? value : domain.look(value);
    },
  };
}

export function operatorsOver(domain: OperatorDomain, conditions: Conditions) {
  const { isMine, isNumber, isNumeric, isTruth, operations, each } = domain;
  const { not } = conditions;
  const { absence, isVarious, identical, alike } = equalityOver(domain);

  function binary(onNumbers: Binary, operation: Binary = (a, b) => each(onNumbers, [a, b])): Binary {
    const native = forProgram(onNumbers);
    return (a, b) => {
      if (typeof a === 'number' && typeof b === 'number') return onNumbers(a, b);
      if (!isMine(a) && !isMine(b)) return native(a, b);
      if (isNumeric(a) && isNumeric(b)) return operation(a, b);
      if (!domain.isDifferentiable || !(isNumber(a) || isNumber(b))) return each(native, [a, b]);
      // If all agree on a number, gradients pass through the other operand.
      const [x, y] = [a, b].map((one) => (isVarious(one) ? domain.look(one) : one));
      return isNumeric(x) && isNumeric(y) ? operation(x, y) : each(native, [x, y]);
    };
  }

  /** An operator that makes a number of its operand. */
  const numbered = (onOne: Unary): Unary => {
    const native = forProgram(onOne);
    return (a) => {
      if (!isMine(a)) return native(a);
      return !isNumber(a) ? each(native, [a]) : isTruth(a) ? operations.number(a) : a;
    };
  };

  const byEach = (onOwn: (...operands: never[]) => unknown) => {
    const native = forProgram(onOwn as (...operands: unknown[]) => unknown);
    return (...operands: unknown[]): unknown => (operands.some(isMine) ? each(native, operands) : native(...operands));
  };

  const add = binary(plain.add, operations.add);
  const sub = binary(plain.sub, operations.sub);
  const numeric = numbered(plain.numeric);

  return {
    ...conditions,
    add,
    sub,
    mul: binary(plain.mul, operations.mul),
    div: binary(plain.div, operations.div),
    mod: binary(plain.mod, operations.mod),
    pow: binary(plain.pow, operations.pow),
    lt: binary(comparisons.lt as Binary, operations.lt),
    le: binary(comparisons.le as Binary, operations.le),
    gt: binary(comparisons.gt as Binary, operations.gt),
    ge: binary(comparisons.ge as Binary, operations.ge),
    eq: identical,
    ne: (a: unknown, b: unknown): unknown => not(identical(a, b)),
    looseEq: alike,
    looseNe: (a: unknown, b: unknown): unknown => not(alike(a, b)),
    neg: (a: unknown): unknown => (!isMine(a) ? negated(a) : isNumeric(a) ? operations.neg(a) : each(negated, [a])),
    inc: (a: unknown): unknown => (isMine(a) ? add(numeric(a), 1) : plain.inc(a)),
    dec: (a: unknown): unknown => (isMine(a) ? sub(numeric(a), 1) : plain.dec(a)),
    /** The value that postfix `++` and `--` give. */
    numeric,
    /** `+a`. */
    number: numbered((a) => +(a as number)),
    ...(Object.fromEntries(Object.entries(bitwise).map(([name, native]) => [name, byEach(native)])) as Record<
      keyof typeof bitwise,
      (...operands: unknown[]) => unknown
    >),
    ...kindsOver(domain, conditions, absence),
  };
}

const negated = forProgram(plain.neg);
const isInside = forProgram((key: unknown, object: unknown): boolean => (key as string) in (object as object));
const usualInstances = Function.prototype[Symbol.hasInstance];

/** The function of the program that says what an instance is of this kind. */
function ownInstances(kind: unknown): Unary | undefined {
  const asked = isObject(kind) ? (kind as { [Symbol.hasInstance]?: unknown })[Symbol.hasInstance] : undefined;
  const isOwn = typeof asked === 'function' && asked !== usualInstances && !isHostFunction(asked);
  return isOwn ? (asked as Unary) : undefined;
}

const isInstance = forProgram((value: unknown, kind: unknown): boolean => value instanceof (kind as never));
