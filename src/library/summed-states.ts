/** States of a sequence summed out, item by item: what the forward algorithm of hidden Markov models does, for any step with finitely many states. */
import { Delta } from '../distributions/delta.ts';
import type { Posterior } from '../inference/algorithm.ts';
import { Infer } from '../inference/infer.ts';
import { WaymarkError } from '../runtime/errors.ts';
import type { Distribution } from '../runtime/handler.ts';
import { factor, sample } from '../runtime/primitives.ts';

/** More states than this are no longer a few that come again, but a state that remembers its past. */
const MOST_STATES = 1000;

/** Before the first item: one state. */
export const knownState = <S>(state: S): Distribution<S> => Delta({ v: state }) as Distribution<S>;

/**
 * One item. Equal states are one from here on, so that an item costs as many executions as there are states, times the choices of the
 * step; what was observed counts by a factor.
 */
export function sumOverStates<S>(before: Distribution<S>, i: number, step: (state: S) => S): Posterior<S> {
  const after = Infer(() => step(sample(before)), { method: 'enumerate' }) as Posterior<S>;
  const count = (after.support() as readonly S[]).length;
  if (count > MOST_STATES) {
    throw new WaymarkError(
      `foldData: with sumOut there are ${count} different states after item ${i}, more than ${MOST_STATES}. Equal states are summed once, so ` +
        'that a state should hold no more than what the rest depends on. Where that has too many values, leave out sumOut and draw it.',
    );
  }
  factor(after.logZ as number);
  return after;
}
