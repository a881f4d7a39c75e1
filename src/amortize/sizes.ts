/** Sizes of a network. */
export interface NetworkSizes {
  /** Units of each hidden layer of the heads. */
  hidden: number;
  /** Numbers that an earlier choice is to later ones. */
  token: number;
  /** Numbers that an observation is, for each read. */
  read: number;
  /** Ways in which a choice looks at the observations: with weights of its own for each. */
  reads: number;
  /** Normals that the guide of a number is a mixture of. */
  components: number;
}

export const STANDARD_SIZES: NetworkSizes = { hidden: 32, token: 16, read: 12, reads: 2, components: 6 };

/** Numbers that a site, an iteration or a part of the data is in the network. */
export const EMBEDDING = 16;
/** Parameters of a prior that the network is told. */
export const TOLD_PARAMS = 4;
/** Numbers that it is told besides tokens: those, how many data there are, and how many choices were made. */
export const PRIOR_FEATURES = TOLD_PARAMS + 2;
/** Numbers that the value of a choice is, before it becomes a token. */
export const VALUE_FEATURES = 4;
/** Lists of values share a head with lists of about their length. */
export const LIST_LENGTHS: readonly number[] = [2, 8, 64];

export const listLength = (values: number): number => LIST_LENGTHS.find((length) => length >= values)!;

/** What a head says, in numbers. */
export const outputsOf = (kind: string, { components }: NetworkSizes): number =>
  kind.startsWith('finite') ? Number(kind.slice(6)) + 2 : 3 * components;

/** The kinds of heads. */
export const HEADS: readonly string[] = ['real', 'whole', ...LIST_LENGTHS.map((length) => `finite${length}`)];

/**
 * How strongly the numbers of a head move each component of a mixture. Components that are alike would stay alike for ever, and
 * they all are the prior at first.
 */
export const strength = (component: number, components: number): number =>
  components === 1 ? 1 : 0.5 * 3 ** (component / (components - 1));

/** Log standard deviations stay between −this and this. */
export const SPREAD = 7;
