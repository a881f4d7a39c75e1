import { machine } from '../runtime/machine.ts';

/**
 * Whether another thread that runs the program comes to the same, and leaves nothing behind: only the compiler knows. The functions of the program change
 * nothing that others see, and neither the clock nor the console is used in them.
 */
export function runsAlike(): boolean {
  const { sideEffect, lasting, looksOutside } = machine.program;
  return looksOutside === false && (lasting === undefined ? sideEffect : lasting) === null;
}
