import { parseCsv } from './csv.ts';
import { isIdx, parseIdx } from './idx.ts';
import { parseJson } from './json-text.ts';
import { readDataFile, textOf } from './read-file.ts';

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
  const text = textOf('loadData', file);
  if (/\.(csv|tsv)$/i.test(name)) return parseCsv('loadData', name, text);
  if (/\.json$/i.test(name) || /^\s*[[{]/.test(text)) return parseJson('loadData', name, text);
  return parseCsv('loadData', name, text);
}
