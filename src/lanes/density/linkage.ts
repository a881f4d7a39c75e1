/** What compiled programs use while an execution is recorded. */
import type { Names } from '../../algebra/library.ts';
import type { LibraryRows } from '../../algebra/library-row.ts';
import { calls } from './calls.ts';
import { recordedLibrary } from './library.ts';
import { recordedOperators } from './operators.ts';

export function recordedLinkage(library: Names, rows: LibraryRows, math: Names) {
  // Objects that a function makes and changes are not recorded: see `ProgramFacts.noise`.
  const own = (made: unknown): unknown => made;
  return Object.assign(recordedOperators(math), calls.linkage, { own, library: recordedLibrary(library, rows) });
}
