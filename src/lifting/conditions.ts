/** Conditionals in lifted text: one side is selected, or the condition is looked at, or each side run for those that take it. */
import { type ConditionDomain, conditionsOver } from '../algebra/conditions.ts';
import { currentLanes, diverge, type Lanes, laneNumbers } from '../lanes/lanes.ts';
import { recording } from '../lanes/recording.ts';
import { SoftTruth, truthNumber } from '../lanes/soft-truth.ts';
import { placesIn, variedOf } from '../lanes/varied.ts';
import { machine } from '../runtime/machine.ts';
import { isSignal, OneByOne } from '../runtime/signals.ts';
import { isOwnThrow } from '../runtime/throwing.ts';
import { isNumeric, isTruth, Node, shapeOf, type Value } from '../tensor/node.ts';
import * as ops from '../tensor/ops.ts';
import { sameShape } from '../tensor/shape.ts';
import { graphDomain } from './graph-domain.ts';
import { plain } from './looking.ts';

/** Whether numbers and truth values count as true. NaN does not. */
function asTruth(value: unknown): Node | undefined {
  if (!(value instanceof Node) || value.shape.length > 0) return undefined;
  return value.dtype === 'bool' ? value : (ops.gt(ops.abs(value), 0) as Node);
}

/** True of two numbers, two truth values or two tensors of one shape: only these can be selected from. */
function areAlike(a: unknown, b: unknown): boolean {
  return isNumeric(a) && isNumeric(b) && isTruth(a) === isTruth(b) && sameShape(shapeOf(a), shapeOf(b));
}

/** Runs the side that the condition selects; or each side for the lanes that take it; or has the lanes part. */
function decide(condition: unknown, then: () => unknown, otherwise: () => unknown, valued: boolean): unknown {
  const lanes = currentLanes();
  const sides = { yes: then, no: otherwise };
  const { handler } = machine;
  if (lanes?.branches && condition instanceof Node && condition.space !== null && condition.shape.length === 0) {
    const recorded = handler.fork?.(condition, sides, valued);
    if (recorded !== undefined) return recorded.value;
  }
  const taken = lanes === null ? undefined : takenIn(lanes, condition);
  if (taken === undefined) return plain(condition) ? sides.yes() : sides.no();
  if (!taken.includes(1)) return sides.no();
  if (!taken.includes(0)) return sides.yes();
  if (!lanes!.branches || handler.branch === undefined) return diverge(taken);
  try {
    return handler.branch(taken, sides.yes, sides.no, valued);
  } catch (thrown) {
    if (isSignal(thrown) || !isOwnThrow(thrown)) throw thrown;
    // Lanes that do not throw go on without the others.
    return diverge(taken);
  }
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

export const conditionDomain: ConditionDomain = {
  ...graphDomain,
  asTruth,
  not: (truth) => (truth instanceof SoftTruth ? truth.not() : ops.not(truth as Node)),
  truth: (condition) => Boolean(plain(condition)),
  select(truth, a, b) {
    if (!areAlike(a, b)) return undefined;
    if (truth instanceof SoftTruth) return truth.select(a as Value, b as Value);
    const isSoft = a instanceof SoftTruth || b instanceof SoftTruth;
    const [then, otherwise] = isSoft ? [truthNumber(a as Value), truthNumber(b as Value)] : [a as Value, b as Value];
    const selected = ops.select(truth as Node, then, otherwise);
    return isSoft ? SoftTruth.of(selected as Node) : selected;
  },
  decide,
  caught() {
    recording.current?.obstruct('caught', 'the program catches an error');
    const lanes = currentLanes();
    if (lanes !== null && lanes.size > 1)
      throw new OneByOne('caught', 'an error is caught that some iterations may not have met');
  },
};

export const conditions = conditionsOver(conditionDomain);
export const { branch, not, truth } = conditions;

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
