/** The option `debugWeights`: by what each choice is weighed whose gradient is estimated by score function. */
import { machine } from '../runtime/machine.ts';
import { where } from '../runtime/places.ts';
import type { Weight } from './compiled-step.ts';
import type { Weighted } from './surrogate.ts';

export function tellWeights(step: number, weighted: readonly Weighted[], weights: readonly Weight[]): void {
  weighted.forEach(({ choice: { address, rule } }, i) => {
    const noun = rule.baseline === 'none' ? 'values that are tried' : 'data';
    machine.run.warn(`Step ${step}: the choice at ${where(address)} has the weight ${shown(weights[i], noun)}.`);
  });
}

function shown(given: Weight, noun: string): string {
  if (typeof given === 'number') return String(given);
  const weight = 'places' in given ? given.weights : given;
  if (typeof weight === 'number') return String(weight);
  if (weight.length === 1) return String(weight[0]);
  let [least, most, sum] = [Infinity, -Infinity, 0];
  for (const one of weight) {
    least = Math.min(least, one);
    most = Math.max(most, one);
    sum += one;
  }
  return `${sum / weight.length} on average over ${weight.length} ${noun}, from ${least} to ${most}`;
}
