/** Why iterations of a step could not go on side by side. */
import type { Address } from '../runtime/address.ts';
import { reasonOf } from '../runtime/faults.ts';
import { machine } from '../runtime/machine.ts';
import type { Reason } from '../runtime/reasons.ts';
import { OneByOne } from '../runtime/signals.ts';
import { BadIndex } from '../tensor/kernels/indexing.ts';

/**
 * Anything that says nothing of that is thrown on. So is an index that some lanes want and a list has not: the step then begins again
 * with care (`objective-steps.ts`), and only if that does not help is it the program's fault or the engine's.
 */
export function endedBy(thrown: unknown, ahead = false): Reason {
  if (thrown instanceof BadIndex && !machine.careful) throw thrown;
  return reasonOf(thrown, ahead);
}

/** Has iterations run one by one whose values the program looks at. */
export function looked(refused: Map<Address, Reason>, at: Address): (reason: string) => never {
  return (reason) => {
    const noted = new OneByOne('value', reason, true);
    refused.set(at, noted);
    throw noted;
  };
}
