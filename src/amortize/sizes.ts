/** Sizes of a network. */
export interface NetworkSizes {
  /** Units of each hidden layer of the heads. */
  hidden: number;
  /** Hidden layers after the first, each of which adds to what the one before it has found. */
  layers: number;
  /** The length of the token by which later choices know a choice. */
  token: number;
  /** The length of the token of an observation, for each read. */
  read: number;
  /** Ways in which a choice looks at the observations: with weights of its own for each. */
  reads: number;
  /** Ways in which a choice looks for data by what they are and what was chosen before; 0 for none. */
  heads: number;
  /** Numbers by which data are found in each of these ways. */
  width: number;
  /** How many choices of an execution, from the first on, search the data. */
  attending: number;
  /** Choices of the longest execution that was seen before the training. */
  longest: number;
  /** Normals that the guide of a number is a mixture of. */
  components: number;
}

const STANDARD_SIZES: NetworkSizes = {
  hidden: 32,
  layers: 1,
  token: 16,
  read: 8,
  reads: 4,
  heads: 2,
  width: 8,
  attending: 0,
  longest: 0,
  components: 8,
};

/** The same where executions are long: smaller, since there is more to learn from in each of them. */
const LONG_SIZES: NetworkSizes = { ...STANDARD_SIZES, token: 8, read: 4 };
const LONG = 32;
/**
 * The most pairs of choice and datum for which choices search the data: beyond that the search takes longer than
 * everything else.
 */
const MOST_LOOKED_FOR = 1000;

/** The sizes of a network, as far as they are given, for executions that have up to so many choices and data. */
export function sizesFor(given: Partial<NetworkSizes>, choices: number, data: number): NetworkSizes {
  const sizes = { ...(choices > LONG ? LONG_SIZES : STANDARD_SIZES), ...given };
  if (given.heads === undefined && choices * data > MOST_LOOKED_FOR) sizes.heads = 0;
  sizes.attending = sizes.heads === 0 || data === 0 ? 0 : choices;
  sizes.longest = choices;
  return sizes;
}

/** Sizes that a program may give. */
export type GivenSizes = Partial<Omit<NetworkSizes, 'attending' | 'longest'>>;

/**
 * Choices of an execution that a network proposes for; it draws those beyond from their priors. A network that has learned little may prefer
 * calls that call themselves twice, and would never come to an end.
 */
export const mostProposed = ({ longest }: NetworkSizes): number => 4 * longest + 100;

/** The names of the hidden layers after the first. */
export const layerNames = ({ layers }: NetworkSizes): string[] =>
  Array.from({ length: layers }, (_, k) => (k === 0 ? 'second' : `layer ${k + 2}`));

/** The length of the embedding of a site, an iteration or a part of the data. */
export const EMBEDDING = 16;
/** Parameters of a prior that the network is told. */
export const PARAM_FEATURES = 4;
/** Numbers that it is told besides tokens: those, how many data there are, and how many choices were made. */
export const PRIOR_FEATURES = PARAM_FEATURES + 2;
/**
 * What the sum of all earlier choices is multiplied by: each choice as it is added, and the sum as it is read, by where a choice is. So a
 * sum can keep apart what was chosen where, as a later choice needs it.
 */
export const GATES = ['sum entry', 'sum exit'] as const;
/** How many numbers stand for the value of a choice, before it becomes a token. */
export const VALUE_FEATURES = 5;
/** Numbers by which a choice is found that was made in a given iteration. */
export const POINT = 8;
/** Lists of values share a head with lists of about their length. */
const LIST_LENGTHS: readonly number[] = [2, 8, 64];

export const listLength = (values: number): number => LIST_LENGTHS.find((length) => length >= values)!;

/** The length of the lists that a head is for; 0 if it is for numbers. */
export const listLengthOf = (head: string): number => (head.startsWith('finite') ? Number(head.slice(6)) : 0);

/** How many numbers tell a head of a value of a list, besides its place. */
export const LIST_FEATURES = 4;

/** How many numbers a head puts out. */
export const outputsOf = (kind: string, { components }: NetworkSizes): number =>
  kind.startsWith('finite') ? listLengthOf(kind) + LIST_FEATURES : 3 * components;

/** The kinds of heads. */
export const HEADS: readonly string[] = ['real', 'whole', ...LIST_LENGTHS.map((length) => `finite${length}`)];

/**
 * How strongly the outputs of a head move each component of a mixture. Without different factors, components that
 * begin alike would stay alike for ever, and at first all of them are the prior.
 */
export const strength = (component: number, components: number): number =>
  components === 1 ? 1 : 0.5 * 3 ** (component / (components - 1));

/** Log standard deviations stay between −this and this. */
export const SPREAD = 7;
