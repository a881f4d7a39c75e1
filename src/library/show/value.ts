import { describe } from '../../runtime/describe.ts';
import { isDistribution } from '../../runtime/primitives.ts';
import { readable, SHOWN } from '../../runtime/readable.ts';
import { Tensor } from '../../tensor/tensor.ts';
import { showDistribution } from './distribution.ts';
import { WIDTH, widthOf } from './grid.ts';
import { DEPTH, fieldName, ITEMS, inlineText, tooDeep } from './inline.ts';
import { rowLines } from './rows.ts';
import { showTensor } from './tensor.ts';

/** A value as a person reads it: what `display` prints, and the command line for the value of a program. */
export function show(value: unknown): string {
  if (typeof value === 'string') return value;
  if (isDistribution(value)) return showDistribution(value);
  if (value instanceof Tensor) return showTensor(value);
  const own = (value as { [SHOWN]?(): string } | null | undefined)?.[SHOWN];
  if (typeof own === 'function') return own();
  const room = { left: WIDTH };
  inlineText(value, [], room);
  const table = room.left < 0 ? rowLines(value) : undefined;
  return table === undefined ? blockText(value, '', []) : table.join('\n');
}

readable.show = (value, inline) => (inline ? inlineText(value) : show(value));

/** In one line if it fits, else a line per field and filled lines of items. */
function blockText(value: unknown, indent: string, path: readonly unknown[]): string {
  const room = { left: WIDTH };
  const inline = inlineText(value, path, room);
  const isWhole = room.left >= 0;
  if ((isWhole && widthOf(indent) + widthOf(inline) <= WIDTH) || path.includes(value)) return inline;
  if (path.length >= DEPTH && typeof value === 'object' && value !== null) return tooDeep(value);
  const inner = `${indent}  `;
  // A posterior that has no short form is shown as one by itself would be.
  if (isDistribution(value)) return showDistribution(value).replaceAll('\n', `\n${indent}`);
  if (Array.isArray(value)) {
    const parts = value.slice(0, ITEMS).map((item) => blockText(item, inner, [...path, value]));
    if (value.length > ITEMS) parts.push(`… ${value.length - ITEMS} more`);
    return `[\n${filled(parts, inner)}\n${indent}]`;
  }
  if (isPlainObject(value)) {
    const parts = Object.entries(value).map(([name, field]) => {
      return `${inner}${fieldName(name)}: ${blockText(field, inner, [...path, value])}`;
    });
    return `{\n${parts.join(',\n')}\n${indent}}`;
  }
  return isWhole ? inline : inlineText(value, path);
}

/** As many parts to a line as fit; a part of several lines stands alone. */
function filled(parts: readonly string[], indent: string): string {
  const lines: string[] = [];
  let line = indent;
  parts.forEach((part, i) => {
    const text = i < parts.length - 1 ? `${part},` : part;
    const fits = !part.includes('\n') && widthOf(line) + 1 + widthOf(text) <= WIDTH;
    if (line !== indent && !fits) {
      lines.push(line);
      line = indent;
    }
    line += line === indent ? text : ` ${text}`;
    if (part.includes('\n')) {
      lines.push(line);
      line = indent;
    }
  });
  if (line !== indent) lines.push(line);
  return lines.join('\n');
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && describe(value) !== 'an empty object';
}
