/**
 * Functions that put the items of lists in the place of these, and leave what is no list as it is. They ask of each item, or of what a
 * callback returns, whether it is a list, so that it has to be one for all or for none.
 */
import type { Domain, Fn } from './domain.ts';

/** How deep they ask, given their arguments. */
export const FLATTENING: Readonly<Record<string, (args: readonly unknown[]) => number>> = {
  flat: ([depth = 1]) => Number(depth),
  flatMap: () => 1,
  flatten: () => 1,
  flattenDeep: () => Infinity,
  flattenDepth: ([, depth = 1]) => Number(depth),
};

interface Lists {
  readonly domain: Domain;
  /** A list for all, made of a value that stands for one for each, or the value that all agree on. */
  opened(value: unknown): unknown;
}

/** What such a function is given in place of its owner and arguments. */
export function flattened(
  { domain, opened }: Lists,
  [owner, ...args]: readonly unknown[],
  depth: number,
): [owner: unknown, args: unknown[]] {
  const asList = (value: unknown, deep: number): unknown => {
    if (!(deep > 0)) return value;
    const kind = domain.kindOf(value);
    const one = kind === 'list' || kind === 'other' ? opened(value) : value;
    return Array.isArray(one) ? one.map((item) => asList(item, deep - 1)) : one;
  };
  const hasCallback = args.some((argument) => typeof argument === 'function');
  const prepared = (value: unknown): unknown => {
    if (typeof value === 'function') return (...given: unknown[]) => asList((value as Fn)(...given), depth);
    return hasCallback || !Array.isArray(value) ? value : asList(value, depth + 1);
  };
  return [Array.isArray(owner) ? prepared(owner) : owner, args.map(prepared)];
}
