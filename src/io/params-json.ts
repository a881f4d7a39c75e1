/**
 * WebPPL's text form of parameters: {"name": {"dims": […], "data": […]}}. JSON has no word for numbers that are not
 * finite and WebPPL writes null for them, which cannot be read back; here they are the strings "NaN", "Infinity" and
 * "-Infinity".
 */
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { sizeOf } from '../tensor/shape.ts';
import { Tensor } from '../tensor/tensor.ts';
import { parseJson } from './json-text.ts';

export function paramsToJson(params: Readonly<Record<string, Tensor>>): string {
  const entries = Object.entries(params).map(
    ([name, { dims, data }]) => `${JSON.stringify(name)}:{"dims":[${dims.join(',')}],"data":[${numbers(data)}]}`,
  );
  return `{${entries.join(',')}}`;
}

function numbers(data: Float64Array): string {
  return Array.from(data, (x) => {
    if (!Number.isFinite(x)) return `"${x}"`;
    return Object.is(x, -0) ? '-0' : String(x);
  }).join(',');
}

const SPECIAL = new Map<unknown, number>([
  ['NaN', Number.NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
]);

/** `name` is that of the file, or of what else holds the text. */
export function paramsFromJson(caller: string, name: string, text: string): Record<string, Tensor> {
  const value = parseJson(caller, name, text);
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Tensor) {
    throw notParameters(caller, name, `it holds ${describe(value)}`);
  }
  return Object.fromEntries(
    Object.entries(value).map(([parameter, entry]) => [parameter, tensor(caller, name, parameter, entry)]),
  );
}

function tensor(caller: string, name: string, parameter: string, entry: unknown): Tensor {
  // The parser makes tensors of such objects, if all their numbers are finite.
  if (entry instanceof Tensor && isDims(entry.dims)) return entry;
  const { dims, data } = (entry ?? {}) as { dims?: unknown; data?: unknown };
  if (!isDims(dims) || !Array.isArray(data)) {
    throw notParameters(caller, name, `'${parameter}' is ${describe(entry)}`);
  }
  const size = sizeOf(dims);
  if (size !== data.length) {
    throw notParameters(caller, name, `'${parameter}' has dims [${dims.join(', ')}] and ${data.length} numbers`);
  }
  const values = Float64Array.from(data, (x, i) => {
    const number = typeof x === 'number' ? x : SPECIAL.get(x);
    if (number !== undefined) return number;
    const lost = x === null ? ' (WebPPL writes that for NaN and for infinite numbers, which are lost)' : '';
    throw notParameters(caller, name, `number ${i} of '${parameter}' is ${describe(x)}${lost}`);
  });
  return new Tensor(dims, values);
}

function isDims(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((n) => Number.isInteger(n) && n > 0);
}

function notParameters(caller: string, name: string, what: string): WaymarkError {
  return new WaymarkError(
    `${caller}: '${name}' does not hold parameters in the form {"name": {"dims": […], "data": […]}}: ${what}.`,
  );
}
