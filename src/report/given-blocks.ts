/** Pieces of a report that were read from elsewhere: whatever is not of their form is left out. */
import type { Block, Figure, Table } from './blocks.ts';

const TEXTS: readonly unknown[] = ['heading', 'text', 'note', 'advice', 'error'];

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const areTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);

const isFigure = (value: unknown): value is Figure =>
  isObject(value) &&
  isText(value.name) &&
  isText(value.caption) &&
  isObject(value.spec) &&
  (value.text === undefined || isText(value.text));

const isTable = (value: unknown): value is Table =>
  isObject(value) &&
  isText(value.caption) &&
  areTexts(value.head) &&
  Array.isArray(value.rows) &&
  value.rows.every((row) => areTexts(row) && row.length === (value.head as readonly string[]).length);

function isBlock(value: unknown): value is Block {
  if (!isObject(value)) return false;
  if (TEXTS.includes(value.kind)) return isText(value.text);
  if (value.kind === 'table') return isTable(value.table);
  if (value.kind === 'figure') return isFigure(value.figure);
  return value.kind === 'group' && isText(value.title) && Array.isArray(value.figures) && value.figures.every(isFigure);
}

/** The pieces in a JSON text. */
export function blocksIn(json: string): Block[] {
  try {
    const given: unknown = JSON.parse(json);
    return Array.isArray(given) ? given.filter(isBlock) : [];
  } catch {
    return [];
  }
}
