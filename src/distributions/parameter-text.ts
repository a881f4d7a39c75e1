import { isVector, Tensor } from '../tensor/tensor.ts';

/** Longer arrays and tensors are cut to this many elements. */
const SHOWN = 8;

/** A parameter as `toString` shows it: readable, and short whatever its size. */
function parameterText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'function') return value.name || 'function';
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${listed(value)}]`;
  if (value instanceof Tensor) {
    const dims = value.dims.join(', ');
    const data = listed(Array.from(value.data.subarray(0, SHOWN + 1)));
    return isVector(value) ? `Vector([${data}])` : `Tensor([${dims}], [${data}])`;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return String(value);
  return namedText(value as Record<string, unknown>);
}

/** `{mu: 0, sigma: 1}` */
export function namedText(fields: Record<string, unknown>): string {
  const parts = Object.keys(fields).filter((name) => fields[name] !== undefined);
  return `{${parts.map((name) => `${name}: ${parameterText(fields[name])}`).join(', ')}}`;
}

function listed(values: readonly unknown[]): string {
  const shown = values.slice(0, SHOWN).map(parameterText);
  if (values.length > SHOWN) shown.push('…');
  return shown.join(', ');
}
