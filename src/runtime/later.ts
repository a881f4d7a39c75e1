/**
 * A place for a part that is loaded later, if at all, and puts itself here when it is: programs that need no gradients do not load
 * the engine. It is filled once, and holds nothing of any run.
 */
export class Later<T> {
  current: T | null = null;
}
