/**
 * Functions of the program that JavaScript itself calls: it asks iterators whether they are done, and objects for a number or
 * a text. JavaScript would take an answer that stands for others for an object. So the answer is looked at before JavaScript
 * has it.
 */

/** Names of fields under which JavaScript finds such functions. */
const NAMES: ReadonlySet<unknown> = new Set(['valueOf', 'toString', 'toJSON']);

type Any = (...args: unknown[]) => unknown;

function looked(value: unknown, hint = 'default'): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const primitive = (value as { [Symbol.toPrimitive]?: Any })[Symbol.toPrimitive];
  return typeof primitive === 'function' ? primitive.call(value, hint) : value;
}

/** What an object has under a key, with its answers looked at if it is a function that JavaScript itself calls. */
export function called(key: unknown, value: unknown): unknown {
  if (typeof value !== 'function') return value;
  if (key === Symbol.iterator) return iterating(value as Any);
  if (key !== Symbol.toPrimitive && !NAMES.has(key)) return value;
  return function (this: unknown, ...args: unknown[]): unknown {
    // JSON takes objects, too.
    return looked((value as Any).apply(this, args), key === 'toJSON' ? 'itself' : 'default');
  };
}

function iterating(fn: Any): Any {
  return function (this: unknown, ...args) {
    const iterator = fn.apply(this, args) as { next: Any };
    const next = (...given: unknown[]): unknown => {
      const result = iterator.next(...given) as { done?: unknown; value: unknown };
      return { done: Boolean(looked(result.done)), value: result.value };
    };
    return Object.create(iterator, { next: { value: next } });
  };
}
