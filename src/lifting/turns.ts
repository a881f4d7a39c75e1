/** Loops that lanes may leave at different times, as `compiler/emit/parting-loops.ts` writes them. */
import type { LiftedLinkage } from '../compiler/linkage.ts';
import { currentLanes } from '../lanes/lanes.ts';
import { Node } from '../tensor/node.ts';
import { branch, truth } from './conditions.ts';

/** Each turn is a conditional within that of the turn before; lanes that go round more often must leave together. */
const DEEPEST = 200;

/** A conditional whose sides change variables, which `read` gives and `write` sets; gives the value of the side. */
export const parting: LiftedLinkage['parting'] = (condition, then, otherwise, read, write) => {
  const before = read();
  let branched = false;
  const lanes = currentLanes();
  const side = (run: () => unknown) => (): unknown => {
    // (Where lanes agree nothing is merged, and this changes nothing.)
    write(before);
    const value = run();
    branched = currentLanes() !== lanes;
    return [value, ...read()];
  };
  const [value, ...after] = branch(condition, side(then), side(otherwise)) as unknown[];
  if (branched) write(after);
  return value;
};

const nothing = (): void => {};

/** Whether lanes that branch may have different answers: then each goes its way. */
const mayDiffer = (condition: unknown): boolean =>
  condition instanceof Node && condition.space !== null && currentLanes()?.branches === true;

/**
 * Goes round as long as `test` holds and `turn` does not say that it is to be left; `isDue`: the first turn needs no test. Those
 * that go on where others leave do so by themselves, and come back when all of them have left.
 */
export const turns: LiftedLinkage['turns'] = (test, turn, update, read, write, isDue, counted, count) => {
  /** A side may be run several times, by those that do not agree within it: the turns are counted from here each time. */
  const fromHere = (run: () => void) => {
    const before = counted?.();
    return (): void => {
      if (before !== undefined) count?.(before);
      run();
    };
  };
  const round = (isDue: boolean, depth: number): void => {
    const goOn = (isDue: boolean): void => round(isDue, depth + 1);
    for (let isTested = isDue; ; isTested = false) {
      if (!isTested) {
        const goes = test();
        if (depth < DEEPEST && mayDiffer(goes)) {
          parting(
            goes,
            fromHere(() => goOn(true)),
            nothing,
            read,
            write,
          );
          return;
        }
        if (!truth(goes)) return;
      }
      const leaves = turn();
      if (depth < DEEPEST && mayDiffer(leaves)) {
        const next = fromHere(() => {
          update();
          goOn(false);
        });
        parting(leaves, nothing, next, read, write);
        return;
      }
      if (truth(leaves)) return;
      update();
    }
  };
  round(isDue, 0);
};
