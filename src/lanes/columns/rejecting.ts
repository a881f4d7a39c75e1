/** Loops that reject, where executions run side by side. */

import type { Address } from '../../runtime/address.ts';
import { machine } from '../../runtime/machine.ts';
import { countRounds, type Rounds } from '../../runtime/rejection.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { branch, truthOfEach } from './branch.ts';
import { Column, differs, fromLanes, lanesOf } from './column.ts';
import { Loop } from './turns.ts';

/** At the start of a loop whose rounds cannot be followed for many: a handler that follows them has to see each execution by itself. */
export function rejectsAlone(): void {
  if (machine.handler.rejecting === undefined) return;
  throw new OneByOne('courses', 'it has a loop that rejects, whose rounds are counted for each execution by itself');
}

/** The result of a round that is rejected. */
export const rejected = Symbol('rejected');

/**
 * The result of the first round that is accepted, for each execution, of a function that calls itself to draw anew. All rounds are at its
 * address.
 */
export function accepted(rounds: Rounds, address: Address, round: () => unknown): unknown {
  let value: unknown = 0;
  const loop = new Loop(
    () => [value],
    ([given]) => {
      value = given;
    },
  );
  loop.round(() => {
    for (let count = 1; ; count++) {
      countRounds(count);
      rounds.round(address);
      const given = round();
      value = filled(given);
      const leaves = branch(
        isGiven(given),
        () => rounds.accepts(),
        () => false,
      );
      if (!loop.goesOn(leaves, true)) return;
    }
  });
  return value;
}

/** Which executions have a result. */
function isGiven(value: unknown): unknown {
  if (value === rejected || value instanceof Column || !differs(value)) return value !== rejected;
  const given = lanesOf(value).map((one) => one !== rejected);
  return given.every((one) => one === given[0]) ? given[0] : truthOfEach(given);
}

/** The same with a value in all places: executions without a result go on, and their value is not used. */
function filled(value: unknown): unknown {
  if (value === rejected) return 0;
  if (value instanceof Column || !differs(value)) return value;
  const lanes = lanesOf(value);
  const some = lanes.find((one) => one !== rejected);
  return lanes.includes(rejected) ? fromLanes(lanes.map((one) => (one === rejected ? some : one))) : value;
}
