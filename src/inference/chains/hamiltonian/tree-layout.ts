/** How what is kept of a trajectory lies in memory. */

/** Fields of a stretch of the trajectory, by how many rows of a number per dimension, and then numbers, are before them. */
export const STRETCH = {
  logWeight: [0, 0],
  /** Position, gradient and log-density. */
  proposal: [0, 1],
  /** Sum of momenta along it. */
  rho: [2, 2],
  /** Momentum and velocity at the two ends. */
  firstMomentum: [3, 2],
  firstVelocity: [4, 2],
  lastMomentum: [5, 2],
  lastVelocity: [6, 2],
  end: [7, 2],
} as const;

/** Numbers of what is kept of a trajectory of so many doublings at most, for `tree` of the table. */
export function treeNumbers(dimension: number, maxDepth: number): number {
  const [rows, more] = STRETCH.end;
  return 3 * (3 * dimension + 1) + 2 * dimension + (maxDepth + 2) * (rows * dimension + more);
}

/** Bytes of the random numbers that are made at once. */
export const BATCH_BYTES = 128;
