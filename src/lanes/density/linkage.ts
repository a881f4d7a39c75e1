/** What compiled programs use while an execution is recorded. */
import type { LibraryRows } from '../../algebra/library-row.ts';
import type { PlainArithmetic } from '../plain-arithmetic.ts';
import { calls, method } from './calls.ts';
import { recordedLibrary } from './library.ts';
import { recordedOperators } from './operators.ts';

export function recordedLinkage(library: Readonly<Record<string, unknown>>, rows: LibraryRows, plain: PlainArithmetic) {
  const operators = recordedOperators(plain);
  return Object.assign(operators, {
    called: calls.called,
    hostField: calls.hostField,
    hostMethod: calls.hostMethod,
    method,
    construct: calls.construct,
    library: recordedLibrary(library, rows, operators.get as never),
  });
}
