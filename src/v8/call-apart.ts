import { isUsed } from './tricks.ts';

/**
 * Calls a function in a place where V8 has seen so many that it never compiles one of them into the caller. Without it
 * every loop of an inference would be compiled together with all of the program, again and again as parts of it get hot,
 * and most of a short run would be spent on that.
 */
export function callApart<T>(f: () => T): T {
  return f();
}

/** As many as V8 tells apart at one place, and often enough for it to take notice. */
for (let i = 0; i < 64 && isUsed('call-apart'); i++) {
  callApart(() => 0);
  callApart(() => 1);
  callApart(() => 2);
  callApart(() => 3);
  callApart(() => 4);
}
