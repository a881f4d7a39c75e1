/**
 * Iterators of the program's own. JavaScript asks them itself whether they are done, and takes whatever stands for a truth value
 * (of many executions, or of a graph) for true. So the answer is looked at, as it is wherever JavaScript makes a number of it.
 */

type Any = (...args: unknown[]) => unknown;

function looked(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return Boolean(value);
  const primitive = (value as { [Symbol.toPrimitive]?: Any })[Symbol.toPrimitive];
  return typeof primitive === 'function' ? Boolean(primitive.call(value, 'default')) : true;
}

/** The function that gives an object's iterators, whose answers are then looked at. */
export function iterating(fn: unknown): unknown {
  if (typeof fn !== 'function') return fn;
  return function (this: unknown, ...args: unknown[]): unknown {
    const iterator = (fn as Any).apply(this, args) as { next: Any };
    const next = (...given: unknown[]): unknown => {
      const result = iterator.next(...given) as { done?: unknown; value: unknown };
      return { done: looked(result.done), value: result.value };
    };
    return Object.create(iterator, { next: { value: next } });
  };
}
