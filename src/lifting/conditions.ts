/** Conditionals in lifted text: one side is selected, or the condition is looked at, or each side run for those that take it. */
import { currentLanes, diverge, type Lanes, laneNumbers } from '../lanes/lanes.ts';
import { recording } from '../lanes/recording.ts';
import { placesIn, variedOf } from '../lanes/varied.ts';
import { machine } from '../runtime/machine.ts';
import { isSignal, OneByOne } from '../runtime/signals.ts';
import { isOwnThrow } from '../runtime/throwing.ts';
import { isNumeric, Node, type Value } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import { Tensor } from '../tensor/tensor.ts';
import { isTruth, plain } from './looking.ts';

export function truth(condition: unknown): boolean {
  return Boolean(plain(condition));
}

export function not(condition: unknown): unknown {
  return condition instanceof Node ? ops.not(asTruth(condition)) : !plain(condition);
}

/**
 * The value of a conditional whose two sides are cheap, total and free of choices: where the condition is a node, both
 * are evaluated and one is selected, so that the program need not wait for the condition's value.
 */
export function choose(condition: unknown, then: () => unknown, otherwise: () => unknown): unknown {
  if (!(condition instanceof Node)) return branch(condition, then, otherwise);
  let sides: [unknown, unknown];
  try {
    sides = [then(), otherwise()];
  } catch (thrown) {
    if (isSignal(thrown)) throw thrown;
    // One side cannot be evaluated unless it is the one taken.
    return branch(condition, then, otherwise);
  }
  const [a, b] = sides;
  return areAlike(a, b) ? ops.select(condition, a as Value, b as Value) : eitherOf(condition, a, b);
}

/** Whether a number or truth value counts as true. NaN does not. */
const asTruth = (value: Node): Node =>
  value.dtype === 'bool' || value.shape.length > 0 ? value : (ops.gt(ops.abs(value), 0) as Node);

/** True of two numbers, two truth values or two tensors of one shape: only these can be selected from. */
function areAlike(a: unknown, b: unknown): boolean {
  if (!isNumeric(a) || !isNumeric(b) || isTruth(a) !== isTruth(b)) return false;
  const [dims, others] = [dimsOf(a), dimsOf(b)];
  return dims.length === others.length && dims.every((n, i) => n === others[i]);
}

const SCALAR: readonly number[] = [];

const dimsOf = (value: Value): readonly number[] =>
  value instanceof Node ? value.shape : value instanceof Tensor ? value.dims : SCALAR;

/** One of two values that are known: which, the condition says. */
const eitherOf = (condition: unknown, a: unknown, b: unknown): unknown =>
  branch(
    condition,
    () => a,
    () => b,
  );

/** `a && b` and `a || b` for a node `a`, which has the value of one of its sides: which of them, `a` says. */
function logical(
  a: Node,
  b: () => unknown,
  ifTrue: (right: unknown) => [unknown, unknown],
  after: (a: unknown, b: () => unknown) => unknown,
): unknown {
  let right: unknown;
  try {
    right = b();
  } catch (thrown) {
    if (isSignal(thrown)) throw thrown;
    // It cannot be evaluated unless it is wanted.
    return after(a, b);
  }
  const [then, otherwise] = ifTrue(right);
  if (!areAlike(a, right) || a.shape.length > 0) return eitherOf(a, then, otherwise);
  return ops.select(asTruth(a), then as Value, otherwise as Value);
}

/** `a && b`, where b may be evaluated in any case. */
export function and(a: unknown, b: () => unknown): unknown {
  return a instanceof Node ? logical(a, b, (right) => [right, a], andThen) : andThen(a, b);
}

/** `a || b`, where b may be evaluated in any case. */
export function or(a: unknown, b: () => unknown): unknown {
  return a instanceof Node ? logical(a, b, (right) => [a, right], orThen) : orThen(a, b);
}

/** `a && b`, where b is evaluated only if a is true. */
export function andThen(a: unknown, b: () => unknown): unknown {
  return branch(a, b, () => a);
}

/** `a || b`, where b is evaluated only if a is false. */
export function orThen(a: unknown, b: () => unknown): unknown {
  return branch(a, () => a, b);
}

/** A conditional with a value. */
export function branch(condition: unknown, then: () => unknown, otherwise: () => unknown): unknown {
  return decided(condition, then, otherwise, true);
}

/** A conditional of which only the effects are wanted. */
export function either(condition: unknown, then: () => void, otherwise: () => void): void {
  decided(condition, then, otherwise, false);
}

/**
 * A conditional whose sides change variables: `read` gives their values, `write` sets them. Where lanes take both sides, each
 * side finds the variables as they were, and each lane has them afterwards as its side left them.
 */
export function assigning(
  condition: unknown,
  then: () => void,
  otherwise: () => void,
  read: () => unknown[],
  write: (values: unknown[]) => void,
): void {
  const before = read();
  let branched = false;
  const side = (run: () => void) => (): unknown => {
    // (Where lanes agree nothing is merged, and this changes nothing.)
    write(before);
    run();
    branched = machine.lanes !== lanes;
    return read();
  };
  const { lanes } = machine;
  const after = branch(condition, side(then), side(otherwise));
  if (branched) write(after as unknown[]);
}

/** Runs the side that the condition says, or each for those lanes that take it, or has the lanes part. */
function decided(condition: unknown, then: () => unknown, otherwise: () => unknown, valued: boolean): unknown {
  if (typeof condition === 'boolean') return condition ? then() : otherwise();
  const lanes = currentLanes();
  const taken = lanes === null ? undefined : takenIn(lanes, condition);
  if (taken === undefined) return truth(condition) ? then() : otherwise();
  if (!taken.includes(1)) return otherwise();
  if (!taken.includes(0)) return then();
  const { handler } = machine;
  if (!lanes!.branches || handler.branch === undefined) return diverge(taken);
  try {
    return handler.branch(taken, then, otherwise, valued);
  } catch (thrown) {
    if (isSignal(thrown) || !isOwnThrow(thrown)) throw thrown;
    // Those who do not throw go on without the others.
    return diverge(taken);
  }
}

/** Called where the program catches something: not all lanes may have come across what a function of the host says. */
export function caught(thrown: unknown): void {
  if (isOwnThrow(thrown)) return;
  recording.current?.obstruct('caught', 'the program catches an error');
  const lanes = currentLanes();
  if (lanes !== null && lanes.size > 1)
    throw new OneByOne('caught', 'an error is caught that some iterations may not have met');
}

/** For each lane, 1 if the condition is true there; undefined if it is no value that differs between them. */
function takenIn(lanes: Lanes, condition: unknown): Uint8Array | undefined {
  if (condition instanceof Node) {
    if (condition.space === null || condition.shape.length > 0) return undefined;
    const numbers = laneNumbers(condition, lanes);
    const taken = new Uint8Array(numbers.length);
    // NaN is false.
    for (let lane = 0; lane < taken.length; lane++)
      if (numbers[lane] !== 0 && !Number.isNaN(numbers[lane])) taken[lane] = 1;
    return taken;
  }
  const varied = variedOf(condition);
  return varied && Uint8Array.from(placesIn(varied, lanes), (place) => (varied.table[place] ? 1 : 0));
}
