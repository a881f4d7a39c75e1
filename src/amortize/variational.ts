/**
 * Learning from real data by the evidence lower bound. Executions that the network proposes for a datum are weighted
 * by how much better they fit it than the others do. This is the score-function gradient with the mean of the others
 * as baseline (leave-one-out): unbiased for all families and any control flow, and without gradients of the program.
 */
import { WaymarkError } from '../runtime/errors.ts';
import { currentTeam } from '../runtime/team.ts';
import type { Dreams } from './dreams.ts';
import { logWeight } from './proposing.ts';
import { wakes } from './wake.ts';

/** Executions for one datum, of several ranks those of this one, with what is to be learned from each. */
export function variational(...given: Parameters<typeof wakes>): Dreams {
  const dreams = wakes(...given);
  const { size, logWeights, ratios } = dreams;
  if (ratios === undefined) throw rejects();
  // Executions that were drawn from the prior for defence, or whose weight is no finite number, are not draws of
  // the network.
  const drawn = Array.from(ratios.keys()).filter((lane) => Number.isFinite(ratios[lane]));
  const bounds = drawn.map((lane) => logWeights[lane] - logWeight(ratios[lane]) - ratios[lane]);
  const sums = Float64Array.of(
    bounds.reduce((sum, bound) => sum + bound, 0),
    bounds.length,
  );
  if (dreams.largest !== undefined) currentTeam()?.sum('compare executions', sums);
  const [sum, count] = sums;
  const mean = sum / count;
  if (mean === -Infinity) throw impossible();
  const shares = new Float64Array(size);
  if (count > 1) {
    drawn.forEach((lane, i) => {
      shares[lane] = (bounds[i] - mean) / (count - 1);
    });
  }
  return { ...dreams, shares, objective: mean };
}

const rejects = (): WaymarkError =>
  new WaymarkError(
    'Amortize: the objective ELBO cannot learn from a program with a loop that rejects, since the probability of rejecting is not ' +
      "known. Use the objectives 'dream' and 'RWS'.",
  );

const impossible = (): WaymarkError =>
  new WaymarkError(
    'Amortize: the objective ELBO is −Infinity, because an execution that the network proposes is impossible with the data (a factor of ' +
      "−Infinity, or a condition that does not hold). Use the objective 'RWS', which leaves such executions out.",
  );
