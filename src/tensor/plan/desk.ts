/** What `trajectory-module.ts` works on: a table of words in memory, most of them addresses. */

/** Words of the table, by number. */
export const DESK = {
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
} as const;

/** Numbers of a transition besides those for each dimension, in `draws` and in `visits`. */
export const EXTRA = 2;
