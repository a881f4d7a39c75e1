/** Loops that lanes may leave at different times, as `compiler/emit/parting-loops.ts` writes them. */
import type { LiftedLinkage } from '../compiler/linkage.ts';
import { currentLanes } from '../lanes/lanes.ts';
import { derived } from '../lanes/value.ts';
import { type Varied, variedOf } from '../lanes/varied.ts';
import { Node } from '../tensor/node.ts';
import { branch, truth } from './conditions.ts';

/**
 * Each turn is a conditional within that of the turn before. Beyond this number of turns, lanes must leave together.
 */
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

/** Whether lanes that branch may have different answers. Then each goes its own way. */
const mayDiffer = (condition: unknown): boolean =>
  condition instanceof Node && condition.space !== null && currentLanes()?.branches === true;

/**
 * Repeats `turn` as long as `test` holds and `turn` does not say that the loop is to be left. With `isDue`, the
 * first turn needs no test. Lanes that stay while others leave go on in a group of their own, which rejoins the
 * others when all have left.
 */
export const turns: LiftedLinkage['turns'] = (test, turn, update, read, write, isDue, counted, count) => {
  /** A side may run several times, for groups that differ within it: each run counts its turns from here. */
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

/** The items of a loop: whether there is a k-th, and which it is. */
interface Passed {
  has(k: number): unknown;
  at(k: number): unknown;
}

/**
 * Each lane's own list. Lanes whose list has no k-th item are not in force when it is asked for; any other item
 * stands in for theirs.
 */
function ownLists(varied: Varied): Passed {
  const lists = varied.table as readonly (readonly unknown[])[];
  return {
    has: (k) => derived(varied, (list) => k < (list as readonly unknown[]).length),
    at(k) {
      const filler = lists.find((list) => k < list.length)?.[k];
      return derived(varied, (list) =>
        k < (list as readonly unknown[]).length ? (list as readonly unknown[])[k] : filler,
      );
    },
  };
}

/** One list for all, which may grow meanwhile. */
const oneList = (list: readonly unknown[]): Passed => ({ has: (k) => k < list.length, at: (k) => list[k] });

/** Undefined for anything but a list: an iterator may have effects when it is started, and when it is left. */
function passedOf(items: unknown): Passed | undefined {
  const varied = variedOf(items);
  if (varied?.table.every(Array.isArray)) return ownLists(varied);
  return Array.isArray(items) ? oneList(items) : undefined;
}

/** `for (const item of items)`: `turn` gives whether lanes leave. */
export const through: LiftedLinkage['through'] = (items, turn, read, write, counted, count) => {
  const passed = passedOf(items);
  if (passed === undefined) {
    for (const item of items as Iterable<unknown>) if (truth(turn(item))) return;
    return;
  }
  let k = 0;
  turns(
    () => passed.has(k),
    () => turn(passed.at(k)),
    () => k++,
    read,
    write,
    false,
    () => [k, ...(counted?.() ?? [])],
    ([now, ...others]) => {
      k = now as number;
      count?.(others);
    },
  );
};
