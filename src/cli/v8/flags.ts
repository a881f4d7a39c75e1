/** How V8 is set up, since most of the processor time of a short run goes into compiling it. */
import { setFlagsFromString } from 'node:v8';
import { INLINED, LATE, LOOPS_HERE } from './tiers.ts';
import { isUsed } from './tricks.ts';
import { budget, USUAL } from './wasm-budget.ts';

/**
 * How many times as large the room for young values becomes when it is too small. From the one megabyte that V8 starts with, a run that keeps
 * what it makes would copy it four times on the way, and V8 would take so many collections in a row for a sign to look through all of the heap.
 */
const ROOMIER = '--semi-space-growth-factor=16';

const FLAGS = [
  INLINED,
  ...LATE,
  ROOMIER,
  ...LOOPS_HERE,
  // Also the value that a flag has for a while: V8 keeps code for the values of all flags.
  budget(USUAL),
];

/**
 * For the thread that calls it, which is the program's. Not before it starts: Node has code of its own modules, too, but for the usual
 * flags, and would compile all of them.
 */
export function setFlags(): void {
  if (isUsed('flags')) for (const flag of FLAGS) setFlagsFromString(flag);
}

/**
 * For threads that are started from now on: V8 optimises where the program runs. Beside it, the program would go on in slow code until
 * the result is there. V8 looks at this flag when a thread starts, and Node does not mind it.
 */
export function setFlagsOfThreads(): void {
  if (isUsed('flags')) setFlagsFromString('--no-concurrent-recompilation');
}
