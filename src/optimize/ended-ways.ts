/** Why iterations of a step could not go on side by side. */
import { reasonOf } from '../runtime/faults.ts';
import { machine } from '../runtime/machine.ts';
import type { Reason } from '../runtime/reasons.ts';
import { BadIndex } from '../tensor/kernels/indexing.ts';

/**
 * Anything that says nothing of that is thrown on. So is an index that some lanes want and a list has not: the step then begins again
 * with care (`objective-steps.ts`), and only if that does not help is it the program's fault or the engine's.
 */
export function endedBy(thrown: unknown, ahead = false): Reason {
  if (thrown instanceof BadIndex && !machine.careful) throw thrown;
  return reasonOf(thrown, ahead);
}
