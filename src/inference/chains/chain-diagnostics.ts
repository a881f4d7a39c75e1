import type { Sample } from '../../distributions/marginal.ts';
import { SampleColumns } from '../../distributions/sample-columns.ts';
import { machine } from '../../runtime/machine.ts';
import { convergenceOf } from '../diagnostics/components.ts';
import type { Convergence } from '../diagnostics/convergence.ts';

/**
 * What can be told about samples of chains of one length, one chain after the other. `convergence` (R-hat and effective
 * sample sizes by component of the values) is worked out when it is asked for: inner inferences never are.
 */
export function diagnosticsOf(
  /** What the kernel of each chain tells. */
  told: readonly Record<string, number>[],
  acceptance: number,
  samples: readonly Sample<unknown>[] | SampleColumns<unknown>,
): Record<string, unknown> {
  const diagnostics: Record<string, unknown> = { acceptance };
  if (told.length > 1) diagnostics.chains = told.length;
  for (const name of Object.keys(told[0])) {
    const values = told.map((one) => one[name] ?? Number.NaN);
    const sum = values.reduce((total, value) => total + value, 0);
    diagnostics[name] = name === 'divergences' ? sum : sum / values.length;
  }
  warnOfDivergences(diagnostics.divergences, samples.length);
  let known: Record<string, Convergence> | undefined;
  Object.defineProperty(diagnostics, 'convergence', {
    enumerable: true,
    get() {
      known ??= convergenceOf(inChains(samples, told.length));
      return known;
    },
  });
  return diagnostics;
}

function inChains(samples: readonly Sample<unknown>[] | SampleColumns<unknown>, count: number): unknown[][] {
  const length = Math.floor(samples.length / count);
  const values = samples instanceof SampleColumns ? Array.from(samples.values) : samples.map(({ value }) => value);
  return Array.from({ length: count }, (_, i) => values.slice(i * length, (i + 1) * length));
}

function warnOfDivergences(divergences: unknown, samples: number): void {
  if (typeof divergences !== 'number' || divergences === 0) return;
  machine.run.warn(
    `NUTS: ${divergences} trajectories diverged on the way to ${samples} samples, so that parts of the posterior may be ` +
      'missing. Raise targetAcceptance (to 0.95, say), or write the model so that the scale of a choice does not depend ' +
      'on other choices: x = mu + sigma * gaussian(0, 1) for x = gaussian(mu, sigma).',
  );
}
