import { TabulatedDistribution } from '../../distributions/tabulated.ts';
import { isDistribution } from '../../runtime/primitives.ts';
import { Tensor } from '../../tensor/tensor.ts';
import { weightedValues } from '../weighted.ts';
import { probabilityText, shortNumber } from './number.ts';

/** Items and values beyond this many are counted, not shown. */
export const ITEMS = 200;
const VALUES = 4;
const LENGTH = 60;

/** Objects within objects beyond this many are not shown: a linked list would be one line per cell, each further to the right. */
export const DEPTH = 50;

/** How much of a line is left. Text that does not fit is not made. */
interface Room {
  left: number;
}

const unlimited = (): Room => ({ left: Infinity });

/** A value within one line: as a program would write it, where it could. `path` holds the objects around it. */
export function inlineText(value: unknown, path: readonly unknown[] = [], room: Room = unlimited()): string {
  if (room.left < 0) return '';
  const text = typeof value === 'object' && value !== null ? objectText(value, path, room) : plainText(value);
  // What is in an object was counted with its parts.
  room.left -= typeof value === 'object' && value !== null ? 2 : text.length;
  return text;
}

function plainText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'function':
      return value.name === '' ? '<function>' : `<function ${value.name}>`;
    case 'bigint':
      return `${value}n`;
    default:
      return Object.is(value, -0) ? '0' : String(value);
  }
}

function objectText(value: object, path: readonly unknown[], room: Room): string {
  if (path.includes(value)) return '<itself>';
  if (path.length >= DEPTH) return tooDeep(value);
  const inner = [...path, value];
  if (Array.isArray(value)) return `[${listText(value, inner, room)}]`;
  if (isDistribution(value)) return distributionText(value, inner);
  if (value instanceof Tensor) return `Tensor [${value.dims.join(', ')}] [${numbersText(value.data)}]`;
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
    return `${value.constructor.name} [${numbersText(value as unknown as ArrayLike<number>)}]`;
  }
  if (value instanceof Date || value instanceof RegExp || value instanceof Error) return String(value);
  const prototype = Object.getPrototypeOf(value);
  const title = prototype === Object.prototype || prototype === null ? '' : `${prototype.constructor?.name ?? ''} `;
  if (value instanceof Map) return `Map {${listText([...value], inner, room)}}`;
  if (value instanceof Set) return `Set {${listText([...value], inner, room)}}`;
  const fields: string[] = [];
  for (const [name, field] of Object.entries(value)) {
    if (room.left < 0) break;
    room.left -= name.length + 2;
    fields.push(`${fieldName(name)}: ${inlineText(field, inner, room)}`);
  }
  return fields.length === 0 ? `${title}{}` : `${title}{ ${fields.join(', ')} }`;
}

/** A field's name, quoted where a program would have to. */
export function fieldName(name: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : JSON.stringify(name);
}

/** The text for an object that lies too deep inside others. */
export function tooDeep(value: object): string {
  return Array.isArray(value) ? '[…]' : '{…}';
}

function listText(items: readonly unknown[], path: readonly unknown[], room: Room): string {
  const shown = items.slice(0, ITEMS).map((item) => inlineText(item, path, room));
  if (items.length > ITEMS) shown.push(`… ${items.length - ITEMS} more`);
  return shown.join(', ');
}

function numbersText(data: ArrayLike<number>): string {
  const shown = Array.from({ length: Math.min(data.length, ITEMS) }, (_, i) => shortNumber(data[i]));
  if (data.length > ITEMS) shown.push(`… ${data.length - ITEMS} more`);
  return shown.join(', ');
}

/** Results of inference by their most probable values, families as a program writes them. */
function distributionText(dist: object, path: readonly unknown[]): string {
  if (!(dist instanceof TabulatedDistribution) || dist.name === 'Categorical') return String(dist);
  const { values } = weightedValues(dist)!;
  const distinct = dist.support();
  if (distinct.length > 50 && values.every((value) => typeof value === 'number')) {
    return `<${values.length} samples, mean ${shortNumber(dist.mean())}, sd ${shortNumber(Math.sqrt(dist.variance()))}>`;
  }
  const entries = distinct.map((value) => ({ value, probability: Math.exp(dist.score(value)) }));
  entries.sort((a, b) => b.probability - a.probability);
  const shown: string[] = [];
  let length = 0;
  for (const { value, probability } of entries) {
    const text = `${inlineText(value, path)}: ${probabilityText(probability)}`;
    length += text.length;
    if (shown.length > 0 && (shown.length === VALUES || length > LENGTH)) break;
    shown.push(text);
  }
  if (entries.length > shown.length) shown.push(`… ${entries.length - shown.length} more`);
  return `<${shown.join(', ')}>`;
}
