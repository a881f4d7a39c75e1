/**
 * The meaning of operators and conditions while an execution is recorded, where `src/algebra/` leaves it to the
 * tape.
 */
import { type ConditionDomain, conditionsOver } from '../../algebra/conditions.ts';
import type { Fn } from '../../algebra/domain.ts';
import { mathematicsOver } from '../../algebra/mathematics.ts';
import { type OperatorDomain, operatorsOver } from '../../algebra/operators.ts';
import { once } from '../../compiler/once.ts';
import { machine } from '../../runtime/machine.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { watchedClocks } from '../clocks.ts';
import { changing, changingOwned } from '../writing.ts';
import { decideBoth, type Variables } from './both-sides.ts';
import { calls } from './calls.ts';
import { RecordedDistribution } from './distribution.ts';
import { agreedOf, comparedLater } from './later-values.ts';
import { get } from './picking.ts';
import {
  fromNode,
  isNumeric,
  isTruth,
  laterOf,
  looked,
  type Numeric,
  nodeOf,
  opaque,
  operate,
  Recorded,
  recordedDomain,
  recording,
  tableOf,
  tape,
  truth,
} from './recorded.ts';
import { calling, ofTables } from './tables.ts';
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

function decided(condition: unknown, then: () => unknown, otherwise: () => unknown, variables?: Variables): unknown {
  recording.tape?.tick();
  const own = asTruth(condition);
  if (own !== undefined) return decideBoth(own, then, otherwise, variables);
  return truth(condition) ? then() : otherwise();
}

/** The condition as a recorded truth value; undefined if it is to be looked at. */
function asTruth(value: unknown): Recorded | undefined {
  const own = tableOf(value)?.derive(Boolean) ?? (laterOf(value) === undefined ? value : opaque(Boolean, [value]));
  if (!(own instanceof Recorded)) return undefined;
  return own.isTruth ? own : (fromNode(tape().truthy(own.node), true) as Recorded);
}

calling.each = ({ values, place }, self, args) => {
  const { address } = machine;
  const call = (i: number): unknown => {
    machine.address = address;
    const fn = calls.called(values[i]) as Fn;
    if (i === values.length - 1) return fn.apply(self, args);
    const isThis = fromNode(tape().operate('eq', place, tape().constant(i)), true);
    return decided(
      isThis,
      () => fn.apply(self, args),
      () => call(i + 1),
    );
  };
  return call(0);
};

/** A conditional whose sides change variables. */
const assigning = (
  condition: unknown,
  then: () => unknown,
  otherwise: () => unknown,
  read: Variables['read'],
  write: Variables['write'],
): unknown => decided(condition, then, otherwise, { read, write });

const conditionDomain: ConditionDomain = {
  ...recordedDomain,
  asTruth,
  not: direct('not', true),
  truth,
  select: (condition, a, b) =>
    isNumeric(a) && isNumeric(b) && isTruth(a) === isTruth(b)
      ? operate('select', isTruth(a), condition as Numeric, a, b)
      : undefined,
  decide: (condition, then, otherwise) => decided(condition, then, otherwise),
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
  compare(holds, a, b) {
    if (a instanceof RecordedDistribution || b instanceof RecordedDistribution)
      throw new OneByOne('value', 'a distribution that depends on choices is compared');
    const both = ofTables(holds as Fn, [a, b]);
    if (both !== undefined) return both.value;
    const later = comparedLater(holds as Fn, [a, b]);
    if (later !== undefined) return later;
    return holds(looked(a), looked(b));
  },
  agree(of, value) {
    const later = agreedOf(of, value);
    return later === undefined ? (tableOf(value)?.agree(of) ?? of(value)) : later.value;
  },
};

/** A condition that decides whether a loop goes on. */
function met(condition: unknown): boolean {
  recording.tape?.tick();
  return truth(condition);
}

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

/** `+`: text that is made of numbers is of those that they are now. */
function addedTo(add: Operated): Operated {
  const isText = (value: unknown): boolean => typeof value === 'string' || tableOf(value)?.values.some(isText) === true;
  return (a, b) => (isText(a) ? add(a, lookedAtNumber(b)) : isText(b) ? add(lookedAtNumber(a), b) : add(a, b));
}

const lookedAtNumber = (value: unknown): unknown => (value instanceof Recorded ? looked(value) : value);

const common = operatorsOver(domain, conditions);

const operatorsWith = once((plainMath: Readonly<Record<string, unknown>>) => ({
  ...common,
  add: addedTo(common.add as Operated),
  alternatives: conditions.branch,
  truth: met,
  assigning,
  parting: assigning,
  turns(test: () => unknown, turn: () => unknown, update: () => void, _read: unknown, _write: unknown, isDue: boolean) {
    for (let isTested = isDue; isTested || met(test()); isTested = false) {
      if (met(turn())) return;
      update();
    }
  },
  get,
  plain: looked,
  writing(reason?: string, execution?: number) {
    changing(reason, execution);
    recording.tape?.effect();
  },
  // For a conditional around it, this is a change that it does not merge.
  owning(isOwn: boolean): boolean {
    if (isOwn) recording.tape?.effect();
    return isOwn;
  },
  owned: changingOwned,
  math: mathematicsOver(mathDomain, plainMath),
}));

/** Each program has objects of its own, which it may change. */
export const recordedOperators = (plainMath: Readonly<Record<string, unknown>>) => {
  const operators = operatorsWith(plainMath);
  return { ...operators, clocks: watchedClocks(readClock), math: { ...operators.math } };
};
