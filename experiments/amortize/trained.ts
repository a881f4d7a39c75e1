// What the programs of amortised inference share: what `waymark reproduce` asks for. Each calls `Amortize` itself, so that it is seen what its model does.
import { argv } from 'waymark';
import { givenData } from '../training.ts';

/** Where reference draws are; null if they are not. */
export interface References {
  readonly sbibm: string | null;
  readonly posteriordb: string | null;
}

export const references = (): References => givenData<References>();

/** A number of the command's. */
export const given = (name: string): number => Number(argv[name]);

/** Where a training is kept, to go on from. */
export const checkpoint = (): string | undefined =>
  argv.checkpoint === undefined ? undefined : String(argv.checkpoint);

/** So many values of a posterior, by their weights: by one random number, so that each comes as often as its weight says. */
export function resampled<T>(samples: readonly { value: T; score?: number }[], count: number, uniform: number): T[] {
  const largest = samples.reduce((most, { score = 0 }) => Math.max(most, score), -Infinity);
  const weights = samples.map(({ score = 0 }) => Math.exp(score - largest));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const drawn: T[] = [];
  let sum = 0;
  samples.forEach(({ value }, i) => {
    sum += weights[i];
    while (drawn.length < count && (drawn.length + uniform) / count < sum / total) drawn.push(value);
  });
  while (drawn.length < count) drawn.push(samples[samples.length - 1].value);
  return drawn;
}
