import { fromText } from './new-code.ts';
import { isUsed } from './tricks.ts';

/**
 * Copies of the text of a function. Here there are none; the build of the command writes them out (`build/own-text-plugin.ts`), so
 * that V8 keeps what it has compiled of them. One is taken for each use.
 */
export const writtenOut = <F>(_make: F): F[] => [];

/**
 * Calls `make` from a copy of its own source text. V8 keeps type feedback per source text, so what forty families do
 * through one text is slow for all of them (a Gaussian is made and scored three times as fast this way). `make`
 * must need nothing but its arguments. Where a page's security policy forbids new code, the shared text serves.
 */
export function fromOwnText<A extends unknown[], R>(
  name: string,
  make: (...args: A) => R,
  copies: ((...args: A) => R)[],
  ...args: A
): R {
  if (!isUsed('own-text')) return make(...args);
  const ready = copies.pop();
  if (ready !== undefined) return ready(...args);
  const copy = fromText<typeof make>(`/* ${name} */ return ${make.toString()}`);
  try {
    return (copy ?? make)(...args);
  } catch (thrown) {
    // A bundler may have put functions of its own into the text, which a copy does not see.
    if (!(thrown instanceof ReferenceError)) throw thrown;
    return make(...args);
  }
}
