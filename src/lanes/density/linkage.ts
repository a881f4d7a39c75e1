/** What compiled programs use while an execution is recorded. */
import type { PlainArithmetic } from '../plain-arithmetic.ts';
import { construct, hostMethod, method, pure } from './calls.ts';
import { recordedLibrary } from './library.ts';
import { recordedOperators } from './operators.ts';

export function recordedLinkage(
  library: Readonly<Record<string, unknown>>,
  pureNames: ReadonlySet<string>,
  plain: PlainArithmetic,
) {
  const operators = recordedOperators(plain);
  return Object.assign(operators, {
    host: (callee: unknown): unknown =>
      typeof callee === 'function' ? pure(callee as (...args: unknown[]) => unknown) : callee,
    hostMethod,
    method,
    construct,
    library: recordedLibrary(library, pureNames, operators.get as never),
  });
}
