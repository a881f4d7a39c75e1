/** Data as they come in JSON, by an example of their form. */
import type { JsonValue } from '../../io/json-value.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import { hasFields } from '../../runtime/values.ts';
import { Tensor } from '../../tensor/tensor.ts';

/** A datum that is not of the form of the example. */
export class WrongForm extends WaymarkError {}

type Fields = Readonly<Record<string, unknown>>;

/** The JSON Schema of data like an example; lists may have any length, and any part may be null, which means missing. */
export function schemaOf(example: unknown): JsonValue {
  if (example === undefined || example === null) return {};
  if (example instanceof Tensor)
    return { ...nested(example.dims), description: `tensor of dims [${example.dims.join(', ')}]` };
  switch (typeof example) {
    case 'number':
      return { type: ['number', 'null'] };
    case 'boolean':
      return { type: ['boolean', 'null'] };
    case 'string':
      return { type: ['string', 'null'] };
    default:
  }
  if (isList(example)) {
    const items = itemOf(example);
    return { type: ['array', 'null'], items: items === ANYTHING ? {} : schemaOf(items) };
  }
  if (!hasFields(example)) return {};
  const properties = Object.fromEntries(Object.entries(example).map(([name, part]) => [name, schemaOf(part)]));
  return { type: ['object', 'null'], properties, additionalProperties: false };
}

function nested([length, ...rest]: readonly number[]): { [name: string]: JsonValue } {
  const items = rest.length === 0 || (rest.length === 1 && rest[0] === 1) ? { type: 'number' } : nested(rest);
  return { type: 'array', minItems: length, maxItems: length, items };
}

const ANYTHING: unique symbol = Symbol('anything');

const isList = (value: unknown): value is ArrayLike<unknown> =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));

/** An example for all items of a list, if they are of one kind. */
function itemOf(list: ArrayLike<unknown>): unknown {
  const items = Array.from(list).filter((item) => item !== undefined && item !== null);
  const kinds = new Set(items.map(kindOf));
  return kinds.size === 1 ? items[0] : ANYTHING;
}

function kindOf(value: unknown): string {
  if (value instanceof Tensor) return 'tensor';
  if (isList(value)) return 'list';
  return typeof value;
}

/** A datum for the program: nulls are missing, lists of numbers are tensors where the example has such. */
export function datumLike(example: unknown, given: JsonValue, place = 'data'): unknown {
  if (given === null) return undefined;
  if (example === undefined || example === null) return withoutNulls(given);
  if (example instanceof Tensor) return tensorLike(example, given, place);
  if (isList(example)) {
    if (!Array.isArray(given)) throw wrong(place, 'a list', given);
    const item = itemOf(example);
    return given.map((one, i) => (item === ANYTHING ? withoutNulls(one) : datumLike(item, one, `${place}[${i}]`)));
  }
  if (hasFields(example)) return fieldsLike(example, given, place);
  const wanted = typeof example;
  if (wanted !== 'number' && wanted !== 'boolean' && wanted !== 'string') return withoutNulls(given);
  if (typeof given !== wanted)
    throw wrong(place, { number: 'a number', boolean: 'true or false', string: 'a string' }[wanted], given);
  return given;
}

function fieldsLike(example: Fields, given: JsonValue, place: string): Fields {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw wrong(place, `an object with ${Object.keys(example).join(', ')}`, given);
  }
  const odd = Object.keys(given).find((name) => !Object.hasOwn(example, name));
  if (odd !== undefined) {
    throw new WrongForm(
      `${place} has a field '${odd}', which the model does not know: it has ${Object.keys(example).join(', ')}.`,
    );
  }
  const absent = Object.keys(example).find((name) => !Object.hasOwn(given, name));
  if (absent !== undefined) throw new WrongForm(`${place} has no field '${absent}'. Give null if it is missing.`);
  return Object.fromEntries(
    Object.entries(example).map(([name, part]) => [name, datumLike(part, given[name], `${place}.${name}`)]),
  );
}

function tensorLike({ dims, data }: Tensor, given: JsonValue, place: string): Tensor {
  const numbers = (Array.isArray(given) ? given : [given]).flat(Infinity as 1) as JsonValue[];
  const bad = numbers.find((one) => typeof one !== 'number');
  if (bad !== undefined) throw wrong(place, 'a list of numbers', bad);
  if (numbers.length !== data.length) {
    throw new WrongForm(
      `${place} must have ${data.length} numbers (dims [${dims.join(', ')}]), got ${numbers.length}.`,
    );
  }
  return new Tensor([...dims], Float64Array.from(numbers as number[]));
}

function withoutNulls(given: JsonValue): unknown {
  if (given === null) return undefined;
  if (Array.isArray(given)) return given.map(withoutNulls);
  if (typeof given !== 'object') return given;
  return Object.fromEntries(Object.entries(given).map(([name, part]) => [name, withoutNulls(part)]));
}

function wrong(place: string, wanted: string, given: JsonValue): WrongForm {
  const text = JSON.stringify(given);
  return new WrongForm(`${place} must be ${wanted}, got ${text.length > 60 ? `${text.slice(0, 60)}…` : text}.`);
}
