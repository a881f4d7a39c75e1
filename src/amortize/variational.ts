/**
 * Learning from data that are there, by the evidence lower bound: executions that the network proposes are learned from by how much better
 * they fit a datum than the others do. That is the score-function gradient with the mean of the others as baseline (leave-one-out):
 * unbiased, whatever the families and the control flow, and without gradients of the program.
 */
import { WaymarkError } from '../runtime/errors.ts';
import type { Dreams } from './dreams.ts';
import { logWeight } from './proposing.ts';
import { proposed } from './wake.ts';

/** Executions for one datum, with what is to be learned from each. */
export function variational(...given: Parameters<typeof proposed>): Dreams {
  const { dreams, inference } = proposed(...given);
  const { size, logWeights } = dreams;
  if (inference.hasRejected) {
    throw new WaymarkError(
      'Amortize: the objective ELBO cannot learn from a program with a loop that rejects, since the probability of rejecting is not ' +
        "known. Use the objectives 'dream' and 'RWS'.",
    );
  }
  const ratios = inference.guideRatios(size);
  // What was drawn from the prior for defence, or beyond what numbers can tell, is no draw of the network's.
  const drawn = Array.from(ratios.keys()).filter((lane) => Number.isFinite(ratios[lane]));
  const bounds = drawn.map((lane) => logWeights[lane] - logWeight(ratios[lane]) - ratios[lane]);
  const mean = bounds.reduce((sum, bound) => sum + bound, 0) / bounds.length;
  if (mean === -Infinity) throw impossible();
  const shares = new Float64Array(size);
  if (drawn.length > 1) {
    drawn.forEach((lane, i) => {
      shares[lane] = (bounds[i] - mean) / (drawn.length - 1);
    });
  }
  return { ...dreams, shares, objective: mean };
}

const impossible = (): WaymarkError =>
  new WaymarkError(
    'Amortize: the objective ELBO is −Infinity, because an execution that the network proposes is impossible with the data (a factor of ' +
      "−Infinity, or a condition that does not hold). Use the objective 'RWS', which leaves such executions out.",
  );
