/** What is in arrays, objects, Maps and Sets that an execution has made for itself: noted before they are changed, and put back. */

/** The contents of an object. Those that can be compared without looking at values come first. */
export interface Contents {
  readonly keys: readonly unknown[];
  readonly values: readonly unknown[];
}

/** Whether objects have the same keys, in one order. */
export const sameNames = ({ keys }: Contents, other: Contents): boolean =>
  keys.length === other.keys.length && keys.every((key, i) => Object.is(key, other.keys[i]));

export function contentsOf(object: object): Contents {
  if (object instanceof Map) return { keys: [...object.keys()], values: [...object.values()] };
  if (object instanceof Set) return { keys: [...object], values: [] };
  const keys: unknown[] = Object.keys(object);
  // Items may be missing at the end of a list.
  return { keys: Array.isArray(object) ? [object.length, ...keys] : keys, values: Object.values(object) };
}

export function fill(object: object, { keys, values }: Contents): void {
  if (object instanceof Map || object instanceof Set) {
    object.clear();
    keys.forEach((key, i) => {
      if (object instanceof Map) object.set(key, values[i]);
      else object.add(key);
    });
    return;
  }
  const fields = object as Record<string, unknown>;
  let names = keys as readonly string[];
  if (Array.isArray(object)) {
    object.length = 0;
    object.length = keys[0] as number;
    names = names.slice(1);
  } else for (const name of Object.keys(fields)) delete fields[name];
  names.forEach((name, i) => {
    fields[name] = values[i];
  });
}
