import { sample } from '../runtime/primitives.ts';
import type { Constructor } from './family.ts';

/** The lower-case helper of a family: `gaussian({mu, sigma})` or `gaussian(mu, sigma)` makes a choice at once. */
export interface Sampler<P extends object, V> {
  (params: P): V;
  (...positional: P[keyof P][]): V;
}

export function sampler<P extends object, V>(family: Constructor<P, V>): Sampler<P, V> {
  const names = Object.keys(family.family.params) as (keyof P)[];
  return (...given: unknown[]): V => {
    const [first] = given;
    const named = given.length === 1 && isNamed(first, names);
    if (named) return sample(family(first as P));
    const params: Partial<P> = {};
    names.forEach((name, i) => {
      params[name] = given[i] as P[keyof P];
    });
    return sample(family(params as P));
  };
}

/** A lone object is the named form, unless it is itself the (tensor, array …) value of the only parameter. */
function isNamed(value: unknown, names: readonly PropertyKey[]): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.getPrototypeOf(value) === Object.prototype || names.some((name) => name in value);
}
