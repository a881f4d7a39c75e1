import { Marginal, MarginalBuilder, SampleBasedMarginal } from '../distributions/marginal.ts';
import type { Posterior } from '../inference/algorithm.ts';
import { Infer } from '../inference/infer.ts';
import { describe } from '../runtime/describe.ts';
import { didYouMean, WaymarkError } from '../runtime/errors.ts';
import type { Distribution } from '../runtime/handler.ts';
import { machine } from '../runtime/machine.ts';
import { isDistribution, sample } from '../runtime/primitives.ts';
import { isRecord } from '../runtime/values.ts';

const FORM = 'marginalize(dist, field or fn)';

/**
 * The distribution of one field of a distribution's values, or of a function of them. Probabilities and samples are
 * carried over as they are; only a function that makes choices of its own needs another inference.
 *
 *     const both = Infer(() => {
 *       const [rain, sprinkler] = [flip(0.2), flip(0.3)];
 *       condition(rain || sprinkler);
 *       return {rain, sprinkler};
 *     });
 *     marginalize(both, 'rain')
 */
export function marginalize<V, R>(dist: Distribution<V>, fn: (value: V) => R): Posterior<R>;
export function marginalize<V, K extends keyof V>(dist: Distribution<V>, field: K): Posterior<V[K]>;
export function marginalize(
  dist: Distribution<unknown>,
  projection: string | number | symbol | ((value: unknown) => unknown),
): Posterior<unknown> {
  if (!isDistribution(dist)) {
    throw new WaymarkError(`marginalize needs a distribution, as in ${FORM}; got ${describe(dist)}.`);
  }
  const kind = typeof projection;
  if (kind !== 'function' && kind !== 'string' && kind !== 'number') {
    throw new WaymarkError(
      `marginalize needs the name of a field or a function, as in ${FORM}; got ${describe(projection)}.`,
    );
  }
  const project = kind === 'function' ? (projection as (value: unknown) => unknown) : fieldReader(projection as string);
  const own = machine.address;
  const result = projected(dist, project);
  machine.address = own;
  if (kind !== 'function' && result !== undefined) checkField(String(projection), result, dist);
  return result ?? Infer(() => projectChoice(dist, project));
}

function projectChoice(dist: Distribution<unknown>, project: (value: unknown) => unknown): unknown {
  const own = machine.address;
  machine.address = own.at('value');
  const value = sample(dist);
  machine.address = own.at('projection');
  return project(value);
}

/** The distribution of the projection; undefined if the values cannot be listed, or if the projection made choices. */
function projected(dist: Distribution<unknown>, project: (value: unknown) => unknown): Posterior<unknown> | undefined {
  const own = machine.address;
  const effects = machine.effects;
  if (dist instanceof SampleBasedMarginal) {
    const samples: { value: unknown; score?: number }[] = [];
    for (let i = 0; i < dist.samples.length; i++) {
      machine.address = own.index(i);
      samples.push({ ...dist.samples[i], value: project(dist.samples[i].value) });
      if (machine.effects !== effects) return undefined;
    }
    return new SampleBasedMarginal(samples, dist);
  }
  const support = dist.support?.();
  if (!Array.isArray(support)) return undefined;
  // The evidence is that of the whole: scores carry it over.
  const logZ = (dist instanceof Marginal ? dist.logZ : undefined) ?? 0;
  const builder = new MarginalBuilder<unknown>();
  for (let i = 0; i < support.length; i++) {
    machine.address = own.index(i);
    const score = dist.score(support[i]);
    if (score > -Infinity) builder.add(project(support[i]), score + logZ);
    if (machine.effects !== effects) return undefined;
  }
  return builder.build();
}

/** Values without the field have undefined there, unless they all are: then the name is a slip. */
function fieldReader(field: string): (value: unknown) => unknown {
  return (value) => {
    if (typeof value !== 'object' || value === null) return undefined;
    // What every object has is no field of a record.
    return isRecord(value) && !Object.hasOwn(value, field) ? undefined : (value as Record<string, unknown>)[field];
  };
}

function checkField(field: string, result: Posterior<unknown>, dist: Distribution<unknown>): void {
  const found = result.samples?.some((drawn) => drawn.value !== undefined);
  if (found ?? result.support().some((value) => value !== undefined)) return;
  const [value] = dist.support!() as readonly unknown[];
  const fields = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  if (fields.includes(field)) return;
  const known = fields.length === 0 ? `is ${describe(value)}` : `has the fields ${fields.join(', ')}`;
  throw new WaymarkError(
    `marginalize: a value of this distribution has no field '${field}'; it ${known}.${didYouMean(field, fields)}`,
  );
}
