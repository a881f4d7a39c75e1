import { HOW_TO_COMPILE } from './compilation.ts';
import { WaymarkError } from './errors.ts';

/**
 * A place for a module that is loaded later, if at all, and registers itself here when it is: programs that need no
 * gradients do not load the engine. It is filled once, and holds nothing of any run.
 */
export class Later<T> {
  current: T | null = null;
}

/** What is there in a program that was compiled for gradients; an error that says so in any other. */
export function installed<T>({ current }: Later<T>, owner: string): T {
  if (current !== null) return current;
  throw new WaymarkError(`${owner} needs a program compiled for gradients. ${HOW_TO_COMPILE}`);
}
