/** Pages have no files. */
export const ownPlace = (): string => '';
