/** Functions of distributions that WebPPL has beside their methods. */
import { Categorical } from '../distributions/categorical.ts';
import type { Scored } from '../distributions/distribution.ts';
import { KDE } from '../distributions/kde.ts';
import { SampleBasedMarginal } from '../distributions/marginal.ts';
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import type { Distribution } from '../runtime/handler.ts';
import { isDistribution } from '../runtime/primitives.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { deserialize, serialize } from './serialized-text.ts';
import { sampledValues, valuesFor } from './weighted.ts';

function checkDistribution(form: string, dist: unknown): void {
  if (isDistribution(dist)) return;
  throw new WaymarkError(
    `${form.slice(0, form.indexOf('('))} needs a distribution, as in ${form}; got ${describe(dist)}.`,
  );
}

/**
 * The most probable value with its log-probability; the first of them on a tie.
 *
 *     MAP(Infer(() => randomInteger(3) + randomInteger(3)))
 */
export function MAP<V>(dist: Distribution<V>): Scored<V> {
  checkDistribution('MAP(dist)', dist);
  return (dist as Distribution<V> & { MAP(): Scored<V> }).MAP();
}

/** In nats. */
export function entropy(dist: Distribution<unknown>): number {
  checkDistribution('entropy(dist)', dist);
  return (dist as Distribution<unknown> & { entropy(): number }).entropy();
}

/** A smooth density through the samples of an inference, so that values between them can be scored. */
export function kde<V extends number | Tensor>(dist: Distribution<V>, width?: number): Distribution<V> {
  checkDistribution('kde(dist, width)', dist);
  if (!(dist instanceof SampleBasedMarginal)) {
    throw new WaymarkError(
      `kde needs the samples of an inference, and ${dist.name} has none. Use a method that draws samples, such as MCMC.`,
    );
  }
  const data = evenSamples(dist as SampleBasedMarginal<unknown>) as number[];
  return KDE(width === undefined ? { data } : { data, width }) as unknown as Distribution<V>;
}

/** The samples; weighted ones as often as their weights say, each to within one (systematic resampling). */
function evenSamples(dist: SampleBasedMarginal<unknown>): unknown[] {
  const values = sampledValues(dist);
  if (dist.weights === undefined) return values;
  const { weights } = valuesFor('kde', dist);
  const n = values.length;
  const result: unknown[] = [];
  let total = 0;
  for (let i = 0; i < n; i++) {
    total += weights[i];
    while (result.length < n && result.length + 0.5 < total * n) result.push(values[i]);
  }
  return result;
}

/** JSON with the values of a distribution and their probabilities, `{probs, support}`. */
export function serializeDist(dist: Distribution<unknown>): string {
  checkDistribution('serializeDist(dist)', dist);
  return serialize((dist as Distribution<unknown> & { toJSON(): unknown }).toJSON());
}

/** The distribution that `serializeDist` wrote. */
export function deserializeDist(text: string): Distribution<unknown> {
  const { probs, support } = (deserialize(text) ?? {}) as { probs?: unknown; support?: unknown };
  if (!Array.isArray(probs) || !Array.isArray(support)) {
    throw new WaymarkError('deserializeDist needs the text that serializeDist makes: {"probs": […], "support": […]}.');
  }
  return Categorical({ ps: probs as number[], vs: support as unknown[] });
}
