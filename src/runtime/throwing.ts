/**
 * What the program threw last, in its own words. Where many executions run as one, all of them have thrown it that run there; of
 * what a function of the host or the library throws, that is not known.
 */
export const throwing: { value: unknown } = { value: undefined };

/** True of what the program has thrown itself. */
export const isOwnThrow = (thrown: unknown): boolean => Object.is(thrown, throwing.value);
