/** How V8 is set up, since most of the processor time of a short run goes into compiling it. */
import { setFlagsFromString } from 'node:v8';
import { LATE } from './tiers.ts';
import { isUsed } from './tricks.ts';
import { budget, USUAL } from './wasm-budget.ts';

const FLAGS = [
  // How much is compiled into one function. Three times as much, which is usual, makes for code that is a few per cent faster.
  '--max-inlined-bytecode-size-cumulative=300',
  // Optimises where the program runs: beside it, the program would go on in slow code until the result is there.
  '--no-concurrent-recompilation',
  // Megabytes that may survive before all of the heap is looked through for the first time.
  '--initial-old-space-size=256',
  // From the one megabyte that V8 starts with, a run that keeps what it makes copies it several times on the way.
  '--min-semi-space-size=32',
  ...LATE,
  // As it is in between where it is set for a while: code is kept under all the flags there are.
  budget(USUAL),
];

/** For the threads that are started from now on. */
export function setFlags(): void {
  if (isUsed('flags')) for (const flag of FLAGS) setFlagsFromString(flag);
}
