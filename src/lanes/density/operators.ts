/** What operators and conditions mean while an execution is recorded, where `src/algebra/` leaves it to the tape. */
import { type ConditionDomain, conditionsOver } from '../../algebra/conditions.ts';
import type { Fn } from '../../algebra/domain.ts';
import { mathematicsOver } from '../../algebra/mathematics.ts';
import { onceFor } from '../../algebra/once-for.ts';
import { type OperatorDomain, operatorsOver } from '../../algebra/operators.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { watchedClocks } from '../clocks.ts';
import { changing } from '../writing.ts';
import { get } from './picking.ts';
import {
  fromNode,
  isNumeric,
  isTruth,
  looked,
  type Numeric,
  nodeOf,
  operate,
  Recorded,
  recordedDomain,
  recording,
  tape,
  truth,
} from './recorded.ts';
import type { HostFunction, Operation } from './tape.ts';

type Operated = (...operands: unknown[]) => unknown;

/** An operation that WebAssembly has. */
const direct =
  (name: Operation, asTruth = false): Operated =>
  (...operands) =>
    operate(name, asTruth, ...(operands as Numeric[]));

/** One that it does not have. */
const called =
  (fn: HostFunction): Operated =>
  (...operands) =>
    fromNode(tape().call(fn, ...(operands as Numeric[]).map(nodeOf)), false);

const conditionDomain: ConditionDomain = {
  ...recordedDomain,
  asTruth(value) {
    if (!(value instanceof Recorded)) return undefined;
    return value.isTruth ? value : fromNode(tape().truthy(value.node), true);
  },
  not: direct('not', true),
  truth,
  select: (condition, a, b) =>
    isNumeric(a) && isNumeric(b) && isTruth(a) === isTruth(b)
      ? operate('select', isTruth(a), condition as Numeric, a, b)
      : undefined,
  decide: (condition, then, otherwise) => (truth(condition) ? then() : otherwise()),
  /** With other choices the host function may not fail, and the recording would not notice. */
  caught() {
    if (recording.tape !== null) throw new OneByOne('caught', 'the program catches an error');
  },
};

export const conditions = conditionsOver(conditionDomain);
export const { choose } = conditions;

const domain: OperatorDomain = {
  ...conditionDomain,
  isNumber: (value) => value instanceof Recorded,
  isNumeric,
  isTruth: isTruth as (value: unknown) => boolean,
  operations: {
    add: direct('add'),
    sub: direct('sub'),
    mul: direct('mul'),
    div: direct('div'),
    mod: called((a, b) => a % b),
    pow: called((a, b) => a ** b),
    lt: direct('lt', true),
    le: direct('le', true),
    gt: direct('gt', true),
    ge: direct('ge', true),
    eq: direct('eq', true),
    neg: direct('neg'),
    number: (value) => fromNode((value as Recorded).node, false),
  },
  compare: (holds, a, b) => holds(looked(a), looked(b)),
  agree: (of, value) => of(value),
};

/** Functions of `Math` that WebAssembly has, of one number. */
const DIRECT: readonly string[] = ['abs', 'sqrt', 'floor', 'ceil', 'trunc'];

const mathDomain = {
  ...recordedDomain,
  isNumeric,
  mathematical(name: string, fn: Fn): Fn {
    const ofAny = called(fn as HostFunction);
    if (DIRECT.includes(name)) return (...args) => (args.length === 1 ? direct(name as Operation) : ofAny)(...args);
    if (name !== 'min' && name !== 'max') return ofAny;
    return (...args) => (args.length === 2 ? direct(name) : ofAny)(...args);
  },
  random(): never {
    throw new OneByOne('outside', 'the program calls Math.random');
  },
};

/** A recording would keep the time at which it was made. */
function readClock(): void {
  if (recording.tape !== null) throw new OneByOne('outside', 'the program reads the clock');
}

const operatorsWith = onceFor((plainMath: Readonly<Record<string, unknown>>) => ({
  ...operatorsOver(domain, conditions),
  alternatives: conditions.branch,
  /** The condition has been looked at, so variables have the values of the side taken. */
  assigning: conditions.branch,
  parting: conditions.branch,
  turns(test: () => unknown, turn: () => unknown, update: () => void, _read: unknown, _write: unknown, isDue: boolean) {
    for (let isTested = isDue; isTested || truth(test()); isTested = false) {
      if (truth(turn())) return;
      update();
    }
  },
  get,
  plain: looked,
  writing: changing,
  math: mathematicsOver(mathDomain, plainMath),
}));

/** Each program has objects of its own, which it may change. */
export const recordedOperators = (plainMath: Readonly<Record<string, unknown>>) => {
  const operators = operatorsWith(plainMath);
  return { ...operators, clocks: watchedClocks(readClock), math: { ...operators.math } };
};
