/** What compiled programs use in their text for executions side by side; loaded only for programs that need it. */
import type { Names } from '../../algebra/library.ts';
import type { LibraryRows } from '../../algebra/library-row.ts';
import { calls } from './calls.ts';
import { key } from './differing-keys.ts';
import { columnLibrary } from './library.ts';
import { nothing } from './nothing.ts';
import { columnOperators } from './operators.ts';
import { itemOr, own, roaming } from './own-object.ts';
import { lengthOf, ofItems, spread, through } from './ragged.ts';
import { changed } from './references.ts';
import { accepted, rejected, rejectsAlone } from './rejecting.ts';

export { columnOperators } from './operators.ts';

export function columnLinkage(library: Names, rows: LibraryRows, math: Names) {
  return Object.assign(columnOperators(math), calls.linkage, {
    nothing,
    own,
    roaming,
    changed,
    key,
    itemOr,
    lengthOf,
    spread,
    ofItems,
    through,
    rejectsAlone,
    accepted,
    rejected,
    library: columnLibrary(library, rows),
  });
}
