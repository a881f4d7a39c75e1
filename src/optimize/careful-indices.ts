/** Steps in which an index of some lane lies outside its list. */
import { answerable } from '../runtime/faults.ts';
import { during } from '../runtime/machine.ts';
import { BadIndex } from '../tensor/kernels/indexing.ts';
import { checkTerms } from './bad-terms.ts';
import type { CompiledSteps } from './compiled-steps.ts';
import type { Estimate } from './estimator.ts';
import type { ProgramFindings } from './program-findings.ts';
import type { Strand } from './record.ts';

interface Attempts {
  attempt(): Estimate;
  /** The same again, where more is known than before. */
  again(): Estimate;
  /** The executions of the step, one by one. */
  alone(): Strand[];
}

/** A step that looks at indices before items are gathered, once one was found outside its list. */
export function withCare(
  found: ProgramFindings,
  compiled: CompiledSteps,
  { attempt, again, alone }: Attempts,
): Estimate {
  try {
    return during({ careful: found.careful }, () => answerable(attempt));
  } catch (thrown) {
    if (!(thrown instanceof BadIndex)) throw thrown;
    if (!found.careful) {
      // Some lanes may want an item that a list has not, and know what to do then.
      found.careful = true;
      compiled.clear();
      return again();
    }
    // One by one the program itself meets what is wrong, and says at which datum.
    during({ careful: true }, () => checkTerms(alone()));
    throw thrown;
  }
}
