/** The kinds of joint guides by name. Parameters that guides have learned for a choice are named `place$kind$…`, those of independent ones `place$mf$…`. */

/** Kinds whose parameters are learned. */
const LEARNED = ['fullRank', 'lowRank', 'flow'] as const;

type LearnedKind = (typeof LEARNED)[number];

/** Kinds that `Optimize` may be asked for. */
export type KindName = LearnedKind | 'laplace';

/** The result of Laplace's method is a Gaussian of full rank. */
export const learnedBy = (name: KindName): LearnedKind => (name === 'laplace' ? 'fullRank' : name);

/** The kind of which a choice has parameters, if `has` says of the beginning of their names that there are some. */
export const learnedOf = (place: string, has: (stem: string) => boolean): LearnedKind | undefined =>
  LEARNED.find((kind) => has(stemOf(place, kind)));

export const stemOf = (place: string, kind: LearnedKind): string => `${place}$${kind}$`;

const JOINT = new RegExp(`\\$(${LEARNED.join('|')})\\$mu`);

export const isOfJointGuide = (name: string): boolean => JOINT.test(name);

const GUIDED = new RegExp(`^(.*)\\$(${LEARNED.join('|')}|mf)\\$`);

/** The choice that a parameter of an automatic guide is for, and what kind of guide it is of. */
export function guidedBy(name: string): { readonly place: string; readonly kind: string } | undefined {
  const [, place, kind] = GUIDED.exec(name) ?? [];
  return place === undefined ? undefined : { place, kind };
}
