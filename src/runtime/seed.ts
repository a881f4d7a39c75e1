/** What may be a seed: a whole number that is exact, so that it can be written down and read back. */
export const isSeed = (given: unknown): given is number => Number.isSafeInteger(given);

/** How messages say so. */
export const SEED_KIND = 'a whole number';
