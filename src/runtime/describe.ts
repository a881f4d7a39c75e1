/** A value in a few words, for error messages: never a dump. */
export function describe(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value.length <= 40 ? `the string ${JSON.stringify(value)}` : `a string of ${value.length} characters`;
    case 'number':
    case 'boolean':
    case 'undefined':
    case 'bigint':
      return String(value);
    case 'function':
      return value.name ? `the function ${value.name}` : 'a function';
    case 'symbol':
      return 'a symbol';
    default:
      return value === null ? 'null' : describeObject(value as object);
  }
}

function describeObject(value: object): string {
  if (Array.isArray(value)) return `an array of length ${value.length}`;
  const named = value as { name?: unknown; draw?: unknown };
  if (typeof named.draw === 'function' && typeof named.name === 'string') return `a ${named.name} distribution`;
  const dims = (value as { dims?: unknown }).dims;
  if (Array.isArray(dims)) return `a tensor of dims [${dims.join(', ')}]`;
  const keys = Object.keys(value);
  if (keys.length === 0) return 'an empty object';
  return `an object with ${keys.slice(0, 4).join(', ')}${keys.length > 4 ? ', …' : ''}`;
}
