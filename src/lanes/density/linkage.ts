/** What compiled programs use while an execution is recorded. */
import type { Names } from '../../algebra/library.ts';
import type { LibraryRows } from '../../algebra/library-row.ts';
import { calls } from './calls.ts';
import { recordedForms } from './forms.ts';
import { recordedLibrary } from './library.ts';
import { recordedOperators } from './operators.ts';

export function recordedLinkage(library: Names, rows: LibraryRows, math: Names) {
  return Object.assign(recordedOperators(math), calls.linkage, recordedForms, {
    library: recordedLibrary(library, rows),
  });
}
