/** Loops that executions may leave at different times, as `compiler/emit/parting-loops.ts` writes them. */
import { OneByOne } from '../../runtime/signals.ts';
import { asTruth, parting } from './branch.ts';
import type { Column } from './column.ts';
import { currentGroup } from './group.ts';

/** Each time some leave, the others are one conditional deeper. */
const DEEPEST = 500;

const nothing = (): void => {};

/** What all agree on, or what differs. */
function decision(given: unknown): boolean | Column {
  const condition = asTruth(given);
  if (condition === undefined) return Boolean(given);
  const { data } = condition;
  return data.every((truth) => truth === data[0]) ? data[0] !== 0 : condition;
}

/**
 * Goes round as long as `test` holds and `turn` does not say that it is to be left; `isDue`: the first turn needs no test. Those
 * that go on where others leave do so by themselves, and come back when all of them have left.
 */
export function turns(
  test: () => unknown,
  turn: () => unknown,
  update: () => void,
  read: () => unknown[],
  write: (values: unknown[]) => void,
  isDue: boolean,
): void {
  if (currentGroup().depth > DEEPEST) throw new OneByOne('courses', 'they leave a loop at too many different times');
  for (let isTested = isDue; ; isTested = false) {
    if (!isTested) {
      const goes = decision(test());
      if (goes === false) return;
      if (goes !== true) {
        parting(goes, () => turns(test, turn, update, read, write, true), nothing, read, write);
        return;
      }
    }
    const leaves = decision(turn());
    if (leaves === true) return;
    if (leaves !== false) {
      const goOn = (): void => {
        update();
        turns(test, turn, update, read, write, false);
      };
      parting(leaves, nothing, goOn, read, write);
      return;
    }
    update();
  }
}
