/**
 * What the engine remembers from one computation to the next (which graphs it has met, which of them have plans)
 * decides how the next one is computed, and ways of computing round differently. So this memory belongs to a run: it
 * is cleared when one starts, and the same program gives the same digits whatever ran before it. A module that
 * remembers something registers here how to forget it.
 */
const forgetting: (() => void)[] = [];

/** Calls `forget` whenever a run starts. */
export function atRunStart(forget: () => void): void {
  forgetting.push(forget);
}

/** A run starts: everything of earlier runs is forgotten. */
export function forgetEarlierRuns(): void {
  for (const forget of forgetting) forget();
}
