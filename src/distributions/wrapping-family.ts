import { WaymarkError } from '../runtime/errors.ts';
import type { Distribution } from '../runtime/handler.ts';
import { isDistribution } from '../runtime/primitives.ts';
import { customFamily } from './custom-family.ts';
import type { Described, ParameterTable } from './family.ts';

/** What is known of a family whose distributions are made of another one. */
export interface WrappingFamily<P, D> {
  readonly name: string;
  readonly params: ParameterTable;
  /** Parameters may also be given one after the other. */
  readonly positional: true;
  /** Makes a distribution of parameters that have been checked, or that nothing is known of yet. */
  make(params: P): D;
}

export interface Wrapping<P, D, Rest extends readonly unknown[]> extends Described {
  (params: P): D;
  (dist: Distribution<number>, ...rest: Rest): D;
  readonly family: WrappingFamily<P, D>;
}

/**
 * A constructor for distributions that are made of another one, `dist`, which is the first parameter. `check` says what is wrong
 * with parameters that fit each by itself. Rest: the types of the others, in order.
 */
export function wrappingFamily<P extends { dist: Distribution<number> }, D, Rest extends readonly unknown[]>(
  name: string,
  params: ParameterTable,
  make: (params: P) => D,
  check: (params: P, made: D) => string | undefined = () => undefined,
): Wrapping<P, D, Rest> {
  const names = Object.keys(params);
  const byName = customFamily(name, params, (given: P): D => {
    const made = make(given);
    const problem = check(given, made);
    if (problem !== undefined) throw new WaymarkError(`${name}: ${problem}.`);
    return made;
  }) as (params: unknown, ...rest: unknown[]) => D;
  const construct = (first: unknown, ...rest: unknown[]): D => {
    if (!isDistribution(first)) return byName(first, ...rest);
    const given = [first, ...rest];
    return byName(Object.fromEntries(names.map((key, i) => [key, given[i]])), ...given.slice(names.length));
  };
  Object.defineProperty(construct, 'name', { value: name });
  return Object.assign(construct, { family: { name, params, positional: true, make } }) as never;
}
