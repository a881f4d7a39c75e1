/** What compiled programs use in their text for executions side by side; loaded only for programs that need it. */
import type { PlainArithmetic } from '../plain-arithmetic.ts';
import { construct, hostMethod, method, pure } from './calls.ts';
import { columnLibrary } from './library.ts';
import { columnOperators } from './operators.ts';

export function columnLinkage(
  library: Readonly<Record<string, unknown>>,
  pureNames: ReadonlySet<string>,
  plain: PlainArithmetic,
) {
  const operators = columnOperators(plain);
  return Object.assign(operators, {
    host: (callee: unknown): unknown =>
      typeof callee === 'function' ? pure(callee as (...args: unknown[]) => unknown) : callee,
    hostMethod,
    method,
    construct,
    library: columnLibrary(library, pureNames, operators.get as never),
  });
}
