import type { Distribution } from '../runtime/handler.ts';
import { fresh, replayed, sample } from '../runtime/primitives.ts';
import type { Described } from './family.ts';
import { fromOwnText } from './own-text.ts';

/** The lower-case helper of a family: `gaussian({mu, sigma})` or `gaussian(mu, sigma)` makes a choice at once. */
export interface Sampler<Given, V> {
  (params: Given): V;
  (...positional: Given[keyof Given][]): V;
}

type FamilyConstructor<Given, V> = Described & ((params: Given) => Distribution<V>);

export function sampler<Given, V>(family: FamilyConstructor<Given, V>): Sampler<Given, V> {
  const { name, params } = family.family;
  const names = Object.keys(params);
  return fromOwnText(name, makeSampler, family as never, names, isNamed, sample as never, replayed, fresh) as Sampler<
    Given,
    V
  >;
}

/** Copied per family (`fromOwnText`), so it may use nothing but its arguments. Families have up to four parameters. */
function makeSampler(
  family: (params: object) => Distribution<unknown>,
  names: readonly string[],
  isNamed: (first: unknown, names: readonly string[]) => boolean,
  sample: (distribution: Distribution<unknown>) => unknown,
  replayed: () => unknown,
  fresh: unknown,
) {
  const [name0, name1, name2, name3] = names;
  const build = [
    () => ({}),
    (a: unknown) => ({ [name0]: a }),
    (a: unknown, b: unknown) => ({ [name0]: a, [name1]: b }),
    (a: unknown, b: unknown, c: unknown) => ({ [name0]: a, [name1]: b, [name2]: c }),
    (a: unknown, b: unknown, c: unknown, d: unknown) => ({ [name0]: a, [name1]: b, [name2]: c, [name3]: d }),
  ][names.length] as (...positional: unknown[]) => object;
  return (a: unknown, b: unknown, c: unknown, d: unknown): unknown => {
    const known = replayed();
    if (known !== fresh) return known;
    return sample(family(b === undefined && isNamed(a, names) ? (a as object) : build(a, b, c, d)));
  };
}

/** A lone object is the named form, unless it is itself the (tensor, array …) value of the first parameter. */
function isNamed(first: unknown, names: readonly string[]): boolean {
  if (typeof first !== 'object' || first === null || Array.isArray(first)) return false;
  return Object.getPrototypeOf(first) === Object.prototype || names.some((name) => name in first);
}
