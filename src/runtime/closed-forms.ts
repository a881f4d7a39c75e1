/** What distributions of some families know in closed form, and what is said where one does not. */
import { WaymarkError } from './errors.ts';
import type { Distribution } from './handler.ts';

const NAMES: ReadonlySet<string> = new Set(['mean', 'variance', 'cdf', 'quantile', 'support']);

const missing = (who: string, name: string): string =>
  `${who} has no ${name} in closed form. Estimate what you need from draws: ` +
  "Infer({method: 'forward', samples: 10000, model: …}), with a model that samples from it.";

/** A method of a distribution; one that its family lacks is an error that says so. */
export function methodOfDistribution(
  distribution: Distribution<unknown>,
  name: PropertyKey,
): (...args: unknown[]) => unknown {
  const method = (distribution as unknown as Record<PropertyKey, unknown>)[name];
  if (typeof method === 'function') return (...args) => method.apply(distribution, args) as unknown;
  if (typeof name === 'string' && NAMES.has(name)) throw new WaymarkError(missing(distribution.name, name));
  throw new TypeError(`${distribution.name} has no method ${String(name)}.`);
}

/** What there is to add to JavaScript's own words about something that is no function, if it may be a distribution's. */
export function ofDistribution(quoted: string): string | undefined {
  const [, object, name] = /^(.*)\.(\w+)$/s.exec(quoted) ?? [];
  return name !== undefined && NAMES.has(name) ? `If it is a distribution: ${missing(object, name)}` : undefined;
}
