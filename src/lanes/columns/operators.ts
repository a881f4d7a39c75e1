/** What operators mean in the text for executions side by side: on plain values what JavaScript means, on columns a loop. */
import { isIdentical, isLooselyEqual, originOf } from '../../algebra/identity.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { isRecord } from '../../runtime/values.ts';
import { isVectorShape } from '../../tensor/broadcast.ts';
import { isWithin } from '../../tensor/rows.ts';
import { bitwiseBy } from '../bitwise.ts';
import { isMathFunction, type PlainArithmetic } from '../plain-arithmetic.ts';
import { changing } from '../writing.ts';
import { alternatives } from './alternatives.ts';
import { and, andThen, branch, caught, choose, either, not, or, orThen, truth } from './branch.ts';
import {
  agreed,
  Column,
  column,
  differs,
  fromLanes,
  inEachLane,
  isDiffering,
  lanesOf,
  operand,
  truths,
  variousOf,
} from './column.ts';
import { currentGroup, part } from './group.ts';
import { Doubles } from './kernel-memory.ts';
import { elementwise } from './kernels.ts';
import { TensorColumn } from './tensor-column.ts';

type Binary = (a: unknown, b: unknown) => unknown;
const isNumeric = (value: unknown): value is number | boolean | Column =>
  typeof value === 'number' || typeof value === 'boolean' || value instanceof Column;

/** An operator for which there is a kernel; `native` is what it is elsewhere. */
function byKernel(kernel: string, isComparison: boolean, native: Binary): Binary {
  return (a, b) => {
    if (typeof a === 'number' && typeof b === 'number') return native(a, b);
    if (!isDiffering(a) && !isDiffering(b)) return native(a, b);
    if (!isNumeric(a) || !isNumeric(b)) return inEachLane(native, [a, b]);
    const result = elementwise(kernel, currentGroup().size, operand(a), operand(b));
    return isComparison ? truths(result) : column(result);
  };
}

/** Any other operator: one execution at a time. */
const byLane =
  (native: Binary): Binary =>
  (a, b) =>
    isDiffering(a) || isDiffering(b) ? inEachLane(native, [a, b]) : native(a, b);

const isTruth = (value: number | boolean | Column): boolean =>
  value instanceof Column ? value.isTruth : typeof value === 'boolean';

const sameNumbers = byKernel('eq', true, (a, b) => a === b);

function identical(given: unknown, other: unknown): unknown {
  const [a, b] = [originOf(given), originOf(other)];
  if (!isDiffering(a) && !isDiffering(b)) return a === b;
  if (isNumeric(a) && isNumeric(b)) {
    // Numbers and truth values are never identical in JavaScript.
    return isTruth(a) === isTruth(b) && sameNumbers(a, b);
  }
  if (a instanceof TensorColumn) return isSameTensor(a, b);
  if (b instanceof TensorColumn) return isSameTensor(b, a);
  // Nor is a number ever a text or an object.
  if (variousOf(a) === undefined && variousOf(b) === undefined && (isNumeric(a) || isNumeric(b))) return false;
  return inEachLane(isIdentical, [a, b]);
}

/** Whether it is that very object; each execution has one of its own. */
function isSameTensor(tensor: TensorColumn, other: unknown): boolean {
  if (tensor === other) return true;
  if (typeof other !== 'object' || other === null || other instanceof Column) return false;
  throw new OneByOne('value', 'the program asks whether tensors that differ are the same');
}

function alike(given: unknown, other: unknown): unknown {
  const [a, b] = [originOf(given), originOf(other)];
  if (a instanceof TensorColumn && (b === undefined || b === null || b instanceof TensorColumn))
    return isSameTensor(a, b);
  if (b instanceof TensorColumn && (a === undefined || a === null)) return false;
  return isDiffering(a) || isDiffering(b) ? inEachLane(isLooselyEqual, [a, b]) : isLooselyEqual(a, b);
}

/** `+a`. */
function number(value: unknown): unknown {
  if (value instanceof Column) return value.isTruth ? column(Doubles.of(value.data.slice())) : value;
  const native = (one: unknown): number => +(one as number);
  return isDiffering(value) ? inEachLane(native, [value]) : native(value);
}

function typeOf(value: unknown): string {
  if (value instanceof Column) return value.isTruth ? 'boolean' : 'number';
  const various = variousOf(value);
  if (various === undefined) return typeof value;
  if (various.some((item) => typeof item !== typeof various[0]))
    throw new OneByOne('value', 'the type of a value differs');
  return typeof various[0];
}

/** `value instanceof kind`: a number is no object, whatever stands for it. */
function instanceOf(value: unknown, kind: unknown): unknown {
  if (value instanceof Column) return false;
  return isDiffering(value) || isDiffering(kind)
    ? inEachLane((one, other) => one instanceof (other as never), [value, kind])
    : value instanceof (kind as never);
}

/** What has the fields of a value: numbers have none. Executions part where fields have other names. */
function fields(value: unknown): unknown {
  if (value instanceof Column) return undefined;
  const various = variousOf(value);
  if (various === undefined || various.every(isRecord)) return value;
  return isRecord(various[0]) || various.some(isRecord) ? part(various.map(isRecord)) : agreed(value);
}

/** `object[index]`; where the index differs, each execution has its own element. */
function get(object: unknown, index: unknown, plainGet: Binary): unknown {
  if (object instanceof TensorColumn) return entryOf(object, index, plainGet);
  if (!isDiffering(index)) {
    const read = (object as Record<PropertyKey, unknown>)[index as PropertyKey];
    return read ?? (isDiffering(object) ? read : plainGet(object, index));
  }
  if (!(index instanceof Column) || !Array.isArray(object) || isDiffering(object) || index.isTruth) {
    return inEachLane(
      (o, i) => (o as Record<PropertyKey, unknown>)[i as PropertyKey] ?? plainGet(o, i),
      [object, index],
    );
  }
  return elements(object, index.data);
}

/** `tensor[index]` of a tensor that differs, and fields that are named by text. */
function entryOf(tensor: TensorColumn, index: unknown, plainGet: Binary): unknown {
  const isPlace = typeof index === 'number' && isWithin(index, tensor.dims);
  if (isPlace && isVectorShape(tensor.dims)) return tensor.entry(index);
  return inEachLane(
    (one, at) => (one as Record<PropertyKey, unknown>)[at as PropertyKey] ?? plainGet(one, at),
    [tensor, index],
  );
}

/** The elements of one array at the places of each execution. */
function elements(items: readonly unknown[], places: Float64Array): unknown {
  const values = new Array<unknown>(places.length);
  const each = items.map((item) => (isDiffering(item) || differs(item) ? lanesOf(item) : undefined));
  for (let i = 0; i < places.length; i++) {
    const lanes = each[places[i]];
    values[i] = lanes === undefined ? items[places[i]] : lanes[i];
  }
  return fromLanes(values);
}

const unary = (apply: (x: number) => number, native: (value: unknown) => unknown) => {
  return (value: unknown): unknown => {
    if (typeof value === 'number') return apply(value);
    if (!(value instanceof Column)) return differs(value) ? inEachLane(native, [value]) : native(value);
    return column(Doubles.of(value.data.map((x) => apply(x))));
  };
};

/** Each execution has a number of its own, which no stream of ours can give. */
function drawnOutside(): never {
  throw new OneByOne('outside', 'they call Math.random');
}

/** Functions of `Math`: of one argument in a loop, others one execution at a time. */
function mathematics(plain: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const made: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(plain)) {
    if (typeof value !== 'function') made[name] = value;
    else if (name === 'random') made[name] = drawnOutside;
    else {
      const fn = value as (...args: unknown[]) => number;
      const ofNumber = isMathFunction(name);
      made[name] = (...args: unknown[]): unknown => {
        const [first] = args;
        if (ofNumber && args.length === 1 && first instanceof Column)
          return column(Doubles.of(first.data.map((x) => fn(x))));
        return args.some(differs) ? inEachLane(fn, args) : fn(...args);
      };
    }
  }
  return made;
}

export function columnOperators(plain: PlainArithmetic) {
  let math: Readonly<Record<string, unknown>> | undefined;
  const add = byKernel('add', false, plain.add);
  const sub = byKernel('sub', false, plain.sub);
  return {
    add,
    sub,
    mul: byKernel('mul', false, plain.mul),
    div: byKernel('div', false, plain.div),
    mod: byLane(plain.mod),
    pow: byLane(plain.pow),
    lt: byKernel('lt', true, (a, b) => (a as number) < (b as number)),
    le: byKernel('le', true, (a, b) => (a as number) <= (b as number)),
    gt: byKernel('gt', true, (a, b) => (a as number) > (b as number)),
    ge: byKernel('ge', true, (a, b) => (a as number) >= (b as number)),
    eq: identical,
    ne: (a: unknown, b: unknown): unknown => not(identical(a, b)),
    looseEq: alike,
    looseNe: (a: unknown, b: unknown): unknown => not(alike(a, b)),
    neg: unary((x) => -x, plain.neg),
    inc: (a: unknown): unknown => add(a, 1),
    dec: (a: unknown): unknown => sub(a, 1),
    numeric: (a: unknown): unknown => (isDiffering(a) ? a : plain.numeric(a)),
    writing: changing,
    number,
    ...bitwiseBy(
      (native) =>
        (...operands) =>
          operands.some(isDiffering) ? inEachLane(native, operands) : native(...operands),
    ),
    plain: agreed,
    typeOf,
    truth,
    not,
    choose,
    branch,
    alternatives,
    either,
    and,
    or,
    andThen,
    orThen,
    caught,
    inside: byLane((key, object) => (key as string) in (object as object)),
    instanceOf,
    fields,
    /** What some have and others have not has parted them: see `fromLanes`. */
    there: (value: unknown): unknown => value,
    get: (object: unknown, index: unknown): unknown => get(object, index, plain.get),
    clocks: { Date, performance: globalThis.performance },
    /** Made when a program first asks: many never do. */
    get math(): Readonly<Record<string, unknown>> {
      math ??= mathematics(plain.math);
      return math;
    },
  };
}
