/** The TypeScript type of values like one, as text. */
export function typeOf(value: unknown): string {
  if (value === undefined) return 'unknown';
  if (value === null) return 'null';
  if (Array.isArray(value)) return `${itemType(value)}[]`;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string') return typeof value;
  const prototype = typeof value === 'object' ? Object.getPrototypeOf(value) : undefined;
  if (prototype !== Object.prototype && prototype !== null) return 'unknown';
  const fields = Object.entries(value as object).map(([name, part]) => `${JSON.stringify(name)}: ${typeOf(part)}`);
  return fields.length === 0 ? 'Record<string, never>' : `{ ${fields.join('; ')} }`;
}

/** Of items of several types, any of these. */
function itemType(items: readonly unknown[]): string {
  const types = [...new Set(items.map(typeOf))];
  return types.length === 0 ? 'unknown' : types.length === 1 ? bracketed(types[0]) : `(${types.join(' | ')})`;
}

const bracketed = (type: string): string => (/^[\w\]"[]+$/.test(type) || type.startsWith('{') ? type : `(${type})`);
