/**
 * `loadData`: reads data files. The ending of the name says the format, and each of the other files of this folder reads one
 * format.
 */
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { currentTeam } from '../runtime/team.ts';
import { parseCsv } from './csv.ts';
import { parseFloats } from './floats.ts';
import { isIdx, parseIdx } from './idx.ts';
import { parseJsonLines } from './json-lines.ts';
import { parseJson } from './json-text.ts';
import { hex, readDataFile, textOf } from './read-file.ts';
import { shardOf } from './sharded-data.ts';

/**
 * The contents of a data file, relative to the folder of the program; gzipped or not. A TypeScript program says what it
 * expects to find: `loadData<number[]>('data.json')`.
 *
 * - JSON: its value.
 * - CSV (`.csv`, `.tsv`): an object per line by the names in the first; a lone column gives its values.
 * - IDX (MNIST): a vector per image, scaled to 0 … 1; a number per label.
 * - Numbers (`.f32`): an array of all of them, of 32 bits each, little-endian.
 * - JSON lines (`.jsonl`, `.ndjson`): an array of the values of its lines.
 *
 * With `{shard: true}`, each of several ranks reads its own part of the rows of a CSV, JSON lines or IDX file, for data that are
 * larger than its memory: see `docs/clusters.md`. In one process it reads all of them.
 */
export function loadData<T = unknown>(path: string, options: LoadDataOptions = {}): T {
  checkOptions(options);
  const team = currentTeam();
  return (options.shard === true && team !== undefined ? shardOf(path, team) : contentsOf(path)) as T;
}

/** Options of `loadData`. */
interface LoadDataOptions {
  /** Whether each rank reads its own part only. */
  shard?: boolean;
}

function checkOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null) {
    throw new WaymarkError(`loadData takes its options in an object, as in {shard: true}; got ${describe(options)}.`);
  }
  for (const [name, value] of Object.entries(options)) {
    if (name !== 'shard') throw new WaymarkError(`loadData has no option '${name}'; it takes shard.`);
    if (value !== undefined && typeof value !== 'boolean') {
      throw new WaymarkError(`loadData: shard must be true or false, got ${describe(value)}.`);
    }
  }
}

function contentsOf(path: string): unknown {
  const file = readDataFile('loadData', path);
  const { name, bytes } = file;
  if (/\.f32$/i.test(name)) return parseFloats('loadData', name, bytes);
  if (isIdx(bytes)) return parseIdx('loadData', name, bytes);
  if (/[.-]idx\d*|-u?byte$/i.test(name)) {
    throw new WaymarkError(
      `loadData: '${name}' does not begin as IDX files do, with two zero bytes, the type of its numbers (8, 9, 11 … 14) and ` +
        `the number of its dimensions, but with ${hex(bytes, 4)}.`,
    );
  }
  const text = textOf('loadData', file);
  if (/\.(jsonl|ndjson)$/i.test(name)) return parseJsonLines('loadData', name, text);
  if (/\.(csv|tsv)$/i.test(name)) return parseCsv('loadData', name, text);
  if (/\.json$/i.test(name) || /^\s*[[{]/.test(text)) return parseJson('loadData', name, text);
  return parseCsv('loadData', name, text);
}
