/** What operators mean for executions side by side, where `algebra/operators.ts` leaves it to columns: a loop over all of them. */
import type { Fn } from '../../algebra/domain.ts';
import { isIdentical, isLooselyEqual } from '../../algebra/identity.ts';
import { mathematicsOver } from '../../algebra/mathematics.ts';
import { type OperatorDomain, operatorsOver } from '../../algebra/operators.ts';
import { once } from '../../compiler/once.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { changing, changingOwned } from '../writing.ts';
import { alternatives } from './alternatives.ts';
import { conditionDomain, conditions, parting } from './branch.ts';
import { agreed, agreedOf, Column, column, differs, isNumeric, isTruth, operand, truths, variousOf } from './column.ts';
import { columnDomain, inEachLane } from './each-lane.ts';
import { elementary, isElementary } from './elementary.ts';
import { currentGroup } from './group.ts';
import { Doubles } from './kernel-memory.ts';
import { elementwise } from './kernels.ts';
import { get } from './picking.ts';
import { TensorColumn } from './tensor-column.ts';
import { turns } from './turns.ts';

type Numeric = number | boolean | Column;
type Binary = (a: unknown, b: unknown) => unknown;

/** An operation for which there is a kernel. */
const byKernel =
  (kernel: string, make: (numbers: Doubles) => Column): Binary =>
  (a, b) =>
    make(elementwise(kernel, currentGroup().size, operand(a as Numeric), operand(b as Numeric)));

const mapped = (value: unknown, fn: (x: number) => number): Column =>
  column(Doubles.of((value as Column).data.map((x) => fn(x))));

const computed = (kernel: string, value: Column): Column =>
  column(elementwise(kernel, currentGroup().size, value.numbers));

/** Functions of `Math` of one number for which there is a kernel, and those of two that are taken of any number of them. */
const KERNELS: ReadonlySet<string> = new Set(['abs', 'sqrt', 'floor', 'ceil', 'trunc']);
const FOLDED: ReadonlySet<string> = new Set(['max', 'min']);

/** Whether tensors that differ are the very same object, if that is asked: each execution has one of its own. */
function sameTensors(holds: unknown, a: unknown, b: unknown): boolean | undefined {
  if (holds !== isIdentical && holds !== isLooselyEqual) return undefined;
  const [tensor, other] = a instanceof TensorColumn ? [a, b] : [b, a];
  if (!(tensor instanceof TensorColumn)) return undefined;
  if (tensor === other) return true;
  if (other === undefined || other === null) return false;
  if (holds === isLooselyEqual && !(other instanceof TensorColumn)) return undefined;
  if (typeof other !== 'object' || other instanceof Column) return false;
  throw new OneByOne('value', 'the program asks whether tensors that differ are the same');
}

const domain: OperatorDomain = {
  ...conditionDomain,
  isNumber: (value) => value instanceof Column,
  isNumeric,
  isTruth: isTruth as (value: unknown) => boolean,
  operations: {
    add: byKernel('add', column),
    sub: byKernel('sub', column),
    mul: byKernel('mul', column),
    div: byKernel('div', column),
    lt: byKernel('lt', truths),
    le: byKernel('le', truths),
    gt: byKernel('gt', truths),
    ge: byKernel('ge', truths),
    eq: byKernel('eq', truths),
    neg: (value) => computed('neg', value as Column),
    number: (value) => mapped(value, (x) => x),
  },
  compare: (holds, a, b) => sameTensors(holds, a, b) ?? inEachLane(holds, [a, b]),
  agree: agreedOf,
};

const operators = operatorsOver(domain, conditions);

function typeOf(value: unknown): string {
  const types = variousOf(value)?.map((one) => typeof one);
  if (types?.some((type) => type !== types[0])) throw new OneByOne('value', 'the type of a value differs');
  return operators.typeOf(value);
}

/** Functions of `Math`: of one argument in a loop, most others one execution at a time. */
const mathDomain = {
  ...columnDomain,
  isNumeric,
  mathematical(name: string, fn: Fn): Fn {
    if (KERNELS.has(name)) return (value) => computed(name, value as Column);
    if (isElementary(name)) return (value) => column(elementary(name, (value as Column).numbers));
    const fold = FOLDED.has(name) ? byKernel(name, column) : undefined;
    return (...args) => {
      if (args.length === 1) return mapped(args[0], fn as (x: number) => number);
      return fold === undefined ? inEachLane(fn, args) : args.reduce(fold);
    };
  },
  random(): never {
    throw new OneByOne('outside', 'they call Math.random');
  },
};

const mathematicsOf = once((plainMath: Readonly<Record<string, unknown>>) => mathematicsOver(mathDomain, plainMath));

export const columnOperators = (plainMath: Readonly<Record<string, unknown>>) => ({
  ...operators,
  assigning: parting,
  parting,
  turns,
  typeOf,
  alternatives,
  get,
  plain: agreed,
  /** A template literal, made by a function of its values. */
  text: (make: Fn, ...parts: unknown[]): unknown =>
    parts.some((part) => differs(part)) ? inEachLane(make, parts) : make(...parts),
  writing: changing,
  owning: (isOwn: boolean): boolean => isOwn,
  owned: changingOwned,
  clocks: {
    Date,
    // Node loads it when it is first looked at, which takes milliseconds.
    get performance(): object {
      return globalThis.performance;
    },
  },
  /** Each program has an object of its own, which it may change. */
  math: { ...mathematicsOf(plainMath) },
});
