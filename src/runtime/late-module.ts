/**
 * A place for a module that is loaded later, if at all, and registers itself here when it is: programs that need no
 * gradients do not load the engine. It is filled once, and holds nothing of any run.
 */
export class Later<T> {
  current: T | null = null;
}
