/** What searches over all executions ask of a choice: its values, and what each of them weighs. */
import { describe } from '../../runtime/describe.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import type { Distribution, Handler } from '../../runtime/handler.ts';
import { lifting } from '../../runtime/lifting.ts';
import { machine } from '../../runtime/machine.ts';
import type { RandomStream } from '../../runtime/random.ts';

/** Why a choice cannot be enumerated, or undefined if it can. */
export function obstacleTo(distribution: Distribution<unknown>, support: unknown): string | undefined {
  if (Array.isArray(support)) {
    return support.length > 0 ? undefined : `${distribution.name} has an empty support`;
  }
  return distribution.isContinuous
    ? `${distribution.name} is continuous`
    : `${distribution.name} has infinitely many values`;
}

/** The advice that goes with an obstacle. */
export const OTHER_METHODS =
  'Use a method that draws samples (MCMC, SMC, rejection), or, if the value is known, observe it instead of sampling.';

/** Thrown when a function that must only compute a number turns out to make choices. */
const foundChoices = { foundChoices: true } as const;

function foundOne(): never {
  throw foundChoices;
}

/** Under this handler a score function is tried out, to see whether it makes choices or factors of its own. */
const trial: Handler = { name: 'the score function of sampleWithFactor', sample: foundOne, factor: foundOne };

/**
 * The score that `sampleWithFactor` gives a value, before the value is chosen. Undefined if the score function
 * makes choices or factors itself: then it must be run after the choice, as a part of the program. An inference
 * inside the score function draws from the stream `own`, so that the program's is the same when the path is replayed.
 */
export function scoreInAdvance<V>(score: (value: V) => number, value: V, own: RandomStream): number | undefined {
  const { handler, address, stream } = machine;
  machine.handler = trial;
  machine.stream = own;
  machine.address = address.at('score');
  try {
    return checkedScore(score(value));
  } catch (thrown) {
    if (thrown === foundChoices) return undefined;
    throw thrown;
  } finally {
    machine.handler = handler;
    machine.stream = stream;
    machine.address = address;
  }
}

/** What a score function returned, if it is a score. */
export function checkedScore(score: number): number {
  if ((typeof score !== 'number' || Number.isNaN(score)) && !lifting.current?.isLifted(score)) {
    throw new WaymarkError(
      `The function given to sampleWithFactor must return a number as its score, got ${describe(score)}.`,
    );
  }
  return score;
}
