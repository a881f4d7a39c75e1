/** What compiled programs use in their text for executions side by side; loaded only for programs that need it. */
import type { LibraryRows } from '../../algebra/library-row.ts';
import type { PlainArithmetic } from '../plain-arithmetic.ts';
import { calls, method } from './calls.ts';
import { columnLibrary } from './library.ts';
import { columnOperators } from './operators.ts';

export function columnLinkage(library: Readonly<Record<string, unknown>>, rows: LibraryRows, plain: PlainArithmetic) {
  const operators = columnOperators(plain);
  return Object.assign(operators, {
    called: calls.called,
    hostField: calls.hostField,
    hostMethod: calls.hostMethod,
    method,
    construct: calls.construct,
    library: columnLibrary(library, rows, operators.get as never),
  });
}
