import { Iterations } from '../runtime/iteration.ts';
import { machine } from '../runtime/machine.ts';

/** The results of `body` for all items. The iterations run side by side where the handler can do that, else one after the other. */
export function iterated<A, B>(items: ArrayLike<A>, body: (item: A, index: number) => B): B[] {
  const { handler, address } = machine;
  const atOnce = handler.together === undefined ? undefined : handler.together(items, body, address, true);
  return atOnce ?? oneAfterTheOther(items.length, (i) => body(items[i], i));
}

/** The results of `body` for all indices, one after the other. */
export function oneAfterTheOther<B>(length: number, body: (index: number) => B): B[] {
  const result = new Array<B>(length);
  const iterations = new Iterations();
  const { past } = iterations;
  try {
    for (let i = past === null ? 0 : past.begin(result); i < length; i++) {
      iterations.enter(i);
      result[i] = body(i);
      if (past !== null) past.note(i, result[i]);
    }
  } finally {
    iterations.leave();
  }
  return result;
}
