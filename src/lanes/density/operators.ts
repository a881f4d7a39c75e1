/** What operators and conditions mean while an execution is recorded: on plain values what JavaScript means. */
import { OneByOne } from '../../runtime/signals.ts';
import { isOwnThrow } from '../../runtime/throwing.ts';
import { bitwiseBy } from '../bitwise.ts';
import { watchedClocks } from '../clocks.ts';
import { isMathFunction, type PlainArithmetic } from '../plain-arithmetic.ts';
import { changing } from '../writing.ts';
import { calls } from './calls.ts';
import {
  fromNode,
  holdsRecorded,
  isNumeric,
  isTruth,
  looked,
  type Numeric,
  nodeOf,
  opaque,
  operate,
  Recorded,
  recording,
  tape,
  truth,
} from './recorded.ts';
import type { HostFunction, Operation } from './tape.ts';

type Binary = (a: unknown, b: unknown) => unknown;

const isRecorded = (value: unknown): boolean => value instanceof Recorded;

function numeric(value: unknown): Numeric {
  if (isNumeric(value)) return value;
  throw new OneByOne('value', 'a value that depends on choices is combined with one that is no number');
}

/** An operator; `native` is what it is on plain values. */
function binary(name: Operation, asTruth: boolean, native: Binary): Binary {
  return (a, b) => {
    if (typeof a === 'number' && typeof b === 'number') return native(a, b);
    if (!isRecorded(a) && !isRecorded(b)) return native(a, b);
    return operate(name, asTruth, numeric(a), numeric(b));
  };
}

/** An operator that WebAssembly does not have. */
function called(fn: (a: number, b: number) => number, native: Binary): Binary {
  return (a, b) =>
    isRecorded(a) || isRecorded(b)
      ? fromNode(tape().call(fn as HostFunction, nodeOf(numeric(a)), nodeOf(numeric(b))), false)
      : native(a, b);
}

function identical(a: unknown, b: unknown): unknown {
  if (!isRecorded(a) && !isRecorded(b)) return a === b;
  // Numbers and truth values are never identical to each other, nor to anything else.
  if (!isNumeric(a) || !isNumeric(b) || isTruth(a) !== isTruth(b)) return false;
  return operate('eq', true, a, b);
}

function alike(a: unknown, b: unknown): unknown {
  // biome-ignore lint/suspicious/noDoubleEquals: this is what the program wrote
  return isRecorded(a) || isRecorded(b) ? operate('eq', true, numeric(a), numeric(b)) : a == b;
}

/** The value as a truth value. */
function asTruth(value: Recorded): Numeric {
  return value.isTruth ? value : fromNode(tape().truthy(value.node), true);
}

function not(value: unknown): unknown {
  return value instanceof Recorded ? operate('not', true, asTruth(value)) : !value;
}

function branch(condition: unknown, then: () => unknown, otherwise: () => unknown): unknown {
  return truth(condition) ? then() : otherwise();
}

/** A conditional whose sides are cheap and make no choices: both are evaluated. */
export function choose(condition: unknown, then: () => unknown, otherwise: () => unknown): unknown {
  if (!(condition instanceof Recorded)) return condition ? then() : otherwise();
  let a: unknown;
  let b: unknown;
  try {
    a = then();
    b = otherwise();
  } catch {
    // One side cannot be evaluated but where it is taken.
    return branch(condition, then, otherwise);
  }
  if (!isNumeric(a) || !isNumeric(b) || isTruth(a) !== isTruth(b)) return truth(condition) ? a : b;
  return operate('select', isTruth(a), asTruth(condition), a, b);
}

const andThen = (left: unknown, right: () => unknown): unknown => (truth(left) ? right() : left);
const orThen = (left: unknown, right: () => unknown): unknown => (truth(left) ? left : right());

function and(left: unknown, right: () => unknown): unknown {
  return left instanceof Recorded && left.isTruth ? choose(left, right, () => false) : andThen(left, right);
}

function or(left: unknown, right: () => unknown): unknown {
  return left instanceof Recorded && left.isTruth ? choose(left, () => true, right) : orThen(left, right);
}

/** With other choices a function of the host may not fail, and nothing that is recorded would tell. */
function caught(thrown: unknown): void {
  if (!isOwnThrow(thrown) && recording.tape !== null) throw new OneByOne('caught', 'the program catches an error');
}

/** A longer list is looked up, so that the recording holds for one place of it. */
const MOST_PLACES = 16;

/** `object[index]`. In a short list of numbers any place may be meant. */
export function element(object: unknown, index: unknown, plainGet: Binary): unknown {
  if (!(index instanceof Recorded)) {
    return (object as Record<PropertyKey, unknown>)[index as PropertyKey] ?? plainGet(object, index);
  }
  if (!Array.isArray(object) || index.isTruth || object.length > MOST_PLACES || !object.every(isNumeric)) {
    return element(object, looked(index), plainGet);
  }
  const asTruths = object.length > 0 && isTruth(object[0]);
  if (object.some((item) => isTruth(item) !== asTruths)) return element(object, looked(index), plainGet);
  const recorder = tape();
  const places = object.map((_, i) => recorder.operate('eq', index.node, recorder.constant(i)));
  let found = recorder.constant(0);
  let inside = recorder.constant(0);
  for (let i = object.length - 1; i >= 0; i--) {
    found = recorder.operate('select', places[i], nodeOf(object[i]), found);
    inside = recorder.operate('max', places[i], inside);
  }
  recorder.check(inside);
  return fromNode(found, asTruths);
}

/** Functions of `Math` that WebAssembly has. */
const DIRECT: readonly string[] = ['abs', 'sqrt', 'floor', 'ceil', 'trunc'];

function mathematics(plain: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const made: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(plain)) {
    if (typeof value !== 'function') made[name] = value;
    else if (name === 'random') made[name] = drawnOutside;
    else if (!isMathFunction(name)) made[name] = calls.pure(value as never);
    else {
      made[name] = (...args: unknown[]): unknown => {
        if (!args.some(holdsRecorded)) return (value as (...args: unknown[]) => unknown)(...args);
        const given = args.map(numeric);
        if (given.length === 1 && DIRECT.includes(name)) return operate(name as Operation, false, given[0]);
        if (given.length === 2 && (name === 'min' || name === 'max')) return operate(name, false, given[0], given[1]);
        return fromNode(tape().call(value as HostFunction, ...given.map(nodeOf)), false);
      };
    }
  }
  return made;
}

function drawnOutside(): never {
  throw new OneByOne('outside', 'the program calls Math.random');
}

/** What was recorded would know one time only. */
function readClock(): void {
  if (recording.tape !== null) throw new OneByOne('outside', 'the program reads the clock');
}

export function recordedOperators(plain: PlainArithmetic) {
  const add = binary('add', false, plain.add);
  const sub = binary('sub', false, plain.sub);
  let math: Readonly<Record<string, unknown>> | undefined;
  return {
    add,
    sub,
    mul: binary('mul', false, plain.mul),
    div: binary('div', false, plain.div),
    mod: called((a, b) => a % b, plain.mod),
    pow: called((a, b) => a ** b, plain.pow),
    lt: binary('lt', true, (a, b) => (a as number) < (b as number)),
    le: binary('le', true, (a, b) => (a as number) <= (b as number)),
    gt: binary('gt', true, (a, b) => (a as number) > (b as number)),
    ge: binary('ge', true, (a, b) => (a as number) >= (b as number)),
    eq: identical,
    ne: (a: unknown, b: unknown): unknown => not(identical(a, b)),
    looseEq: alike,
    looseNe: (a: unknown, b: unknown): unknown => not(alike(a, b)),
    neg: (a: unknown): unknown => (a instanceof Recorded ? operate('neg', false, a) : plain.neg(a)),
    inc: (a: unknown): unknown => add(a, 1),
    dec: (a: unknown): unknown => sub(a, 1),
    numeric: (a: unknown): unknown => (a instanceof Recorded ? operate('add', false, a, -0) : plain.numeric(a)),
    number: (a: unknown): unknown => (a instanceof Recorded ? operate('add', false, a, -0) : +(a as number)),
    ...bitwiseBy(
      (native) =>
        (...operands) =>
          operands.some(isRecorded) ? opaque(native, operands) : native(...operands),
    ),
    writing: changing,
    plain: looked,
    typeOf: (a: unknown): string => (a instanceof Recorded ? (a.isTruth ? 'boolean' : 'number') : typeof a),
    truth,
    not,
    choose,
    branch,
    alternatives: branch,
    either: branch,
    and,
    or,
    andThen,
    orThen,
    caught,
    inside: (key: unknown, object: unknown): unknown => (looked(key) as string) in (looked(object) as object),
    instanceOf: (value: unknown, kind: unknown): unknown => !isRecorded(value) && value instanceof (kind as never),
    there: (value: unknown): unknown => value,
    /** What has the fields of a value: numbers have none. */
    fields: (value: unknown): unknown => (isRecorded(value) ? undefined : value),
    get: (object: unknown, index: unknown): unknown => element(object, index, plain.get),
    clocks: watchedClocks(readClock),
    /** Made when a recording first asks: most programs never do. */
    get math(): Readonly<Record<string, unknown>> {
      math ??= mathematics(plain.math);
      return math;
    },
  };
}
