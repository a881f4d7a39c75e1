/** Thrown where a program wants a file and the platform has none; `whyNot` (`io/read-file.ts`) says what to do. */
export class NoFiles extends Error {
  readonly code = 'NO_FILES';

  constructor() {
    super('there are no files here');
  }
}
