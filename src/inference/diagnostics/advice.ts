/** What to do where the weights of samples are not to be trusted. */

/** Above it, estimates by importance sampling are not reliable (Vehtari et al. 2024). */
export const BAD_KHAT = 0.7;

/** Advice about the weights of one posterior; undefined if they are good, or nothing is known of them. */
export function badWeights({ ess, khat }: { ess?: number; khat?: number }): string | undefined {
  if (khat === undefined || !(khat > BAD_KHAT)) return undefined;
  const worth = ess === undefined ? '' : `, and the samples are worth ${ess < 10 ? ess.toFixed(1) : Math.round(ess)}`;
  return `Pareto k̂ is ${khat.toFixed(2)}, above ${BAD_KHAT}${worth}: the guide does not reach all of this posterior. ${REMEDY}`;
}

const REMEDY = 'Train it further, draw more samples, or use SMC or MCMC for these data.';

/** The same about posteriors of several data; undefined if all are good. `owner` names the method. */
export function badWeightsOfSome(owner: string, khats: readonly (number | undefined)[]): string | undefined {
  const bad = khats.flatMap((khat, i) => (khat !== undefined && khat > BAD_KHAT ? [i] : []));
  if (bad.length === 0) return undefined;
  const which = `${bad.slice(0, NAMED).join(', ')}${bad.length > NAMED ? ', …' : ''}`;
  return (
    `${owner}: Pareto k̂ is above ${BAD_KHAT} for ${bad.length} of ${khats.length} data (index ${which}): the guide does not reach all of their ` +
    `posteriors. ${REMEDY}`
  );
}

/** Data that are named, of those with bad weights. */
const NAMED = 5;
