/** What `trajectory-module.ts` and `tree-module.ts` work on: a table of words in memory, most of them addresses. */

/** Words of the table, by number. */
export const TABLE = {
  dimension: 0,
  /** The slots of the plan, which start with the position. */
  slots: 1,
  momenta: 2,
  inverseMasses: 3,
  /** Where the log-density and its derivatives are: a word each. */
  outputs: 4,
  /** Where the chain is: its position, the gradient there, and the log-density. */
  home: 5,
  /** For each transition as many normals as there are dimensions, and two uniforms. */
  draws: 6,
  /** Room for what the numbers of a transition are made of, and of up to seven more: two float64 each. */
  raw: 7,
  /** What each transition came to: position, log-density, and whether it was accepted. */
  visits: 8,
  /** The table that normals are drawn by. */
  normals: 9,
  /** What `tree-module.ts` keeps of a trajectory. */
  tree: 10,
  /** The stream that random numbers come from, its choice, and the place of the next number within it. */
  key0: 11,
  key1: 12,
  epoch: 13,
  choice: 14,
  number: 15,
  /** The first of the numbers in `raw`. */
  batch: 16,
} as const;

/** Numbers of a transition besides those for each dimension, in `draws` and in `visits`. */
export const EXTRA = 2;

/** The same in the visits of `tree-module.ts`: log-density, whether it is another place, acceptance, steps, divergent, numbers. */
export const TREE_EXTRA = 6;
