import { WaymarkError } from '../runtime/errors.ts';
import { parseCsv } from './csv.ts';
import { isIdx, parseIdx } from './idx.ts';
import { parseJson } from './json-text.ts';
import { hex, readDataFile, textOf } from './read-file.ts';

/**
 * The contents of a data file, relative to the folder of the program; gzipped or not. A TypeScript program says what it
 * expects to find: `loadData<number[]>('data.json')`.
 *
 * - JSON: its value.
 * - CSV (`.csv`, `.tsv`): an object per line by the names in the first; a lone column gives its values.
 * - IDX (MNIST): a vector per image, scaled to 0 … 1; a number per label.
 */
export function loadData<T = unknown>(path: string): T {
  return contentsOf(path) as T;
}

function contentsOf(path: string): unknown {
  const file = readDataFile('loadData', path);
  const { name, bytes } = file;
  if (isIdx(bytes)) return parseIdx('loadData', name, bytes);
  if (/[.-]idx\d*|-u?byte$/i.test(name)) {
    throw new WaymarkError(
      `loadData: '${name}' does not begin as IDX files do, with two zero bytes, the type of its numbers (8, 9, 11 … 14) and ` +
        `the number of its dimensions, but with ${hex(bytes, 4)}.`,
    );
  }
  const text = textOf('loadData', file);
  if (/\.(csv|tsv)$/i.test(name)) return parseCsv('loadData', name, text);
  if (/\.json$/i.test(name) || /^\s*[[{]/.test(text)) return parseJson('loadData', name, text);
  return parseCsv('loadData', name, text);
}
