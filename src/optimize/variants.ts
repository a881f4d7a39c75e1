/** Variants of a unit (`variation-plan.ts`), and how they grow: which of its values each choice has. */

/** How a choice is varied: all its values are tried, or another one than was drawn. */
export type Varying = 'valued' | 'turned';

export const VARYING: readonly Varying[] = ['valued', 'turned'];

/** Which of its values a choice has, and how many there are. */
export interface Place {
  readonly place: number;
  readonly count: number;
}

export interface Variant {
  /** By the key of the choice (`varied-unit.ts`). */
  readonly places: ReadonlyMap<string, Place>;
  /** The choice that has another value than is drawn; absent in variants that count as executions. */
  readonly turned?: string;
}

export const ONE_VARIANT: readonly Variant[] = [{ places: new Map() }];

/** Choices that variants say nothing of, by the number of the variant. */
type Missing = ReadonlyMap<number, ReadonlySet<string>>;

/**
 * A choice that an execution makes is missing in the variants that go along with it but for one value, too. So it does not matter
 * which of them is found first.
 */
export function withTwins(variants: readonly Variant[], missing: Missing): Missing {
  if (!variants.some(({ turned }) => turned !== undefined)) return missing;
  const all = new Map([...missing].map(([v, keys]) => [v, new Set(keys)]));
  for (const [v, keys] of missing) {
    if (variants[v].turned !== undefined) continue;
    for (const [w, twin] of variants.entries()) {
      if (twin.turned === undefined || !goesAlong(twin, variants[v])) continue;
      const own = all.get(w) ?? new Set<string>();
      for (const key of keys) if (!twin.places.has(key)) own.add(key);
      all.set(w, own);
    }
  }
  return all;
}

const goesAlong = (twin: Variant, { places }: Variant): boolean =>
  [...places].every(([key, { place }]) => twin.places.get(key)?.place === place);

/** How many there would be. (Counted before they are made: a loop of a hundred choices would have 2^100.) */
export function grownCount(variants: readonly Variant[], missing: Missing, count: number): number {
  return variants.reduce((sum, _, v) => sum + count ** (missing.get(v)?.size ?? 0), 0);
}

/** Each variant with all values of the choices that it said nothing of. */
export function grown(variants: readonly Variant[], missing: Missing, count: number): readonly Variant[] {
  const valued = ({ places, turned }: Variant, key: string): Variant[] =>
    Array.from({ length: count }, (_, place) => ({ places: new Map([...places, [key, { place, count }]]), turned }));
  return variants.flatMap((variant, v) =>
    [...(missing.get(v) ?? [])].reduce<Variant[]>((all, key) => all.flatMap((one) => valued(one, key)), [variant]),
  );
}

/** Without those that other choices alone have led to. */
export function reduced(
  variants: readonly Variant[],
  isKept: (how: Varying, key: string) => boolean,
): readonly Variant[] {
  const left = variants.filter(({ turned }) => turned === undefined || isKept('turned', turned));
  const kept = left.map(({ places, turned }) => ({
    places: new Map([...places].filter(([key]) => isKept('valued', key))),
    turned,
  }));
  return [...new Map(kept.map((variant) => [textOf(variant), variant])).values()];
}

/** (The order in which choices were met makes no difference.) */
const textOf = ({ places, turned }: Variant): string =>
  JSON.stringify([turned, [...places].map(([key, { place }]) => `${key} ${place}`).sort()]);

/** Iterations of one place are varied together or not at all, so that the order in which they are met makes no difference. */
const siteOf = (key: string): string => key.replace(/\[\d+\]/g, '[]').replace(/'$/, '');

/** What the second other value of a choice is called. */
export const secondOf = (key: string): string => `${key}'`;

/** The same for all choices of one call in the program, however deep a recursion is: for choices that have not asked. */
export const pointOf = (key: string): string => `${POINT}${/[^/[]*(\[\])?$/.exec(siteOf(key))![0].replace('[]', '')}`;

/** What is varied together, and how. */
export const placeOf = (how: Varying, key: string, named: boolean): string =>
  `${how} ${named ? siteOf(key) : pointOf(key)}`;

/** Whether it is of choices that have not asked; the point is then what follows. */
export const pointIn = (place: string): string | undefined => /^\w+ (at .*)$/.exec(place)?.[1];

const POINT = 'at ';
