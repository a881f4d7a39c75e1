/**
 * The output of iterations that run side by side. It is kept for each of them, and printed when all have ended, in
 * the order in which they would have run one after the other.
 */
import { machine, type Run } from '../runtime/machine.ts';
import { OneByOne } from '../runtime/signals.ts';
import type { Lanes } from './lanes.ts';
import { laneAt } from './value.ts';

interface Printed {
  readonly value: unknown;
  readonly text: string;
}

const printed = new WeakMap<Lanes, Printed[][]>();

function linesOf(lanes: Lanes): Printed[][] {
  let lines = printed.get(lanes);
  if (lines === undefined) {
    lines = Array.from({ length: lanes.size }, () => []);
    printed.set(lanes, lines);
  }
  return lines;
}

/** Prints a value for each lane: its own. */
export function printInLanes(lanes: Lanes, value: unknown, show: (value: unknown) => string): void {
  linesOf(lanes).forEach((lines, lane) => {
    const own = laneAt(value, lane, lanes);
    lines.push({ value: own, text: show(own) });
  });
}

/** The run, while lanes are in force: functions that take plain values only print for one lane. */
export function runInLanes(run: Run): Run {
  return Object.create(run, {
    output: {
      value(): never {
        throw new OneByOne('output', 'they print');
      },
    },
  }) as Run;
}

/** Whether one of the lanes has printed something. */
export const prints = (lanes: Lanes): boolean => printed.has(lanes);

/** All iterations have ended: prints what they printed, or hands it to the lanes around them. */
export function printAll(pieces: readonly { readonly lanes: Lanes; readonly places: Int32Array }[]): void {
  if (!pieces.some(({ lanes }) => printed.has(lanes))) return;
  const { outer } = pieces[0].lanes;
  const inOrder: { place: number; lines: Printed[]; outerLane: number }[] = [];
  for (const { lanes, places } of pieces) {
    const all = printed.get(lanes);
    if (all === undefined) continue;
    all.forEach((lines, lane) => {
      inOrder.push({ place: places[lane], lines, outerLane: lanes.around?.[lane] ?? 0 });
    });
  }
  inOrder.sort((a, b) => a.place - b.place);
  for (const { lines, outerLane } of inOrder) {
    if (outer !== null) linesOf(outer)[outerLane].push(...lines);
    else for (const { value, text } of lines) machine.run.output(value, text);
  }
}
