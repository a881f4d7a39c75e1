/**
 * Parameters of networks are kept and moved in single precision while networks compute in it: reading and writing them is
 * most of what an optimiser does, and takes half the time. Other parameters are kept in double precision.
 */

/** Whether the parameters declared at the moment are to be kept in single precision. */
export const declaring = { single: false };

/** Declares parameters of a network that computes in single precision. */
export function declareSingle<T>(declare: () => T): T {
  const before = declaring.single;
  declaring.single = true;
  try {
    return declare();
  } finally {
    declaring.single = before;
  }
}
