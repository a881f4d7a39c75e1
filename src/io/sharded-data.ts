/**
 * `loadData(path, {shard: true})` on several ranks: each reads its stretch of the rows, and no more than that is ever in its memory. The
 * stretch is the one that falls to it where the data of a `mapData` are divided.
 */
import { readRange, sizeOfFile } from '../host/file-ranges.ts';
import { resolve } from '../host/path.ts';
import { exchanged } from '../ranks/divided.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { machine } from '../runtime/machine.ts';
import { type Share, shareOf, type Team } from '../runtime/team.ts';
import { parseCsv } from './csv.ts';
import { noteFileRead } from './files-read.ts';
import { isIdx, parseIdx } from './idx.ts';
import { parseJsonLines } from './json-lines.ts';
import { hex, textOf, whyNot } from './read-file.ts';

const PIECE = 2 ** 20;
const [NEWLINE, QUOTE] = [10, 34];

const shards = new WeakSet<object>();

/** Whether other ranks have some of these rows. */
export const isSharded = (data: unknown): boolean => typeof data === 'object' && data !== null && shards.has(data);

/** Rows of this rank, in an array that is as long as all of them. */
export function shardOf(path: string, team: Team): unknown[] {
  const place = resolve(machine.run.folder, path);
  let rows: { own: unknown[]; share: Share; total: number };
  try {
    rows = rowsOf(path, place, team);
  } catch (error) {
    if (error instanceof WaymarkError) throw error;
    throw new WaymarkError(`loadData cannot read '${path}': ${whyNot('read', error, place)}.`);
  }
  if (rows.own.length !== rows.share.count) {
    throw new WaymarkError(
      `loadData: '${path}' has empty lines, so that rows cannot be counted. Remove them to use shard.`,
    );
  }
  noteFileRead(path, place);
  return elsewhereToo(path, rows.own, rows.share, rows.total);
}

function rowsOf(path: string, place: string, team: Team): { own: unknown[]; share: Share; total: number } {
  const start = readRange(place, 0, 4 + 4 * 255);
  if (start[0] === 0x1f && start[1] === 0x8b) {
    throw new WaymarkError(
      `loadData: '${path}' is gzipped, and can only be read from its beginning. Unpack it to use shard.`,
    );
  }
  if (isIdx(start)) return idxRows(path, place, start, team);
  const lines = new Lines(place, /\.(csv|tsv)$/i.test(path));
  const isJson = /\.(jsonl|ndjson)$/i.test(path);
  if (!isJson && !/\.(csv|tsv)$/i.test(path)) {
    throw new WaymarkError(
      `loadData: shard is for files of rows (.csv, .tsv, .jsonl, .ndjson, IDX), and '${path}' is none. It begins with ${hex(start, 4)}.`,
    );
  }
  const head = isJson ? 0 : headLines(path, lines);
  const total = lines.count - head;
  const share = shareOf(total, team);
  const body = lines.bytes(head + share.first, share.count);
  const text = (bytes: Uint8Array): string => textOf('loadData', { name: path, bytes });
  if (isJson) return { own: parseJsonLines('loadData', path, text(body), share.first + 1), share, total };
  const own = share.count === 0 ? [] : parseCsv('loadData', path, text(lines.bytes(0, head)) + text(body));
  checkColumns(path, own, team);
  return { own, share, total };
}

/** Lines before the rows: one with names, or none. */
function headLines(path: string, lines: Lines): number {
  const first = textOf('loadData', { name: path, bytes: lines.bytes(0, 1) });
  return parseCsv('loadData', path, first).length === 0 ? 1 : 0;
}

function idxRows(
  path: string,
  place: string,
  start: Uint8Array,
  team: Team,
): { own: unknown[]; share: Share; total: number } {
  const header = 4 + 4 * start[3];
  const view = new DataView(start.buffer, start.byteOffset);
  const total = view.getUint32(4);
  const each = total === 0 ? 0 : (sizeOfFile(place) - header) / total;
  const share = shareOf(total, team);
  if (!Number.isInteger(each))
    throw new WaymarkError(`loadData: '${path}' is cut short: its header promises ${total} items.`);
  const bytes = new Uint8Array(header + each * share.count);
  bytes.set(start.subarray(0, header));
  new DataView(bytes.buffer).setUint32(4, share.count);
  bytes.set(readRange(place, header + each * share.first, each * share.count), header);
  return { own: parseIdx('loadData', path, bytes), share, total };
}

/** Where lines begin, with one place kept for every so many of them. Line ends within quotes are part of a value. */
class Lines {
  private static readonly EVERY = 256;
  private readonly marks: number[] = [];
  readonly count: number;
  private readonly size: number;

  constructor(
    private readonly place: string,
    private readonly quotes: boolean,
  ) {
    this.size = sizeOfFile(place);
    let count = 0;
    let begin = 0;
    const note = (end: number): void => {
      if (count % Lines.EVERY === 0) this.marks.push(begin);
      count++;
      begin = end;
    };
    this.scan(0, (end) => {
      note(end);
      return true;
    });
    if (begin < this.size) note(this.size);
    this.count = count;
  }

  /** The text of so many lines. */
  bytes(first: number, count: number): Uint8Array {
    if (count === 0) return new Uint8Array(0);
    const [start, end] = [this.startOf(first), this.startOf(first + count)];
    return readRange(this.place, start, end - start);
  }

  private startOf(line: number): number {
    if (line >= this.count) return this.size;
    let left = line % Lines.EVERY;
    let at = this.marks[Math.floor(line / Lines.EVERY)];
    if (left === 0) return at;
    this.scan(at, (end) => {
      at = end;
      return --left > 0;
    });
    return at;
  }

  /** Tells where each line ends, from the beginning of one on, as long as the caller goes on. */
  private scan(from: number, ends: (at: number) => boolean): void {
    let quoted = false;
    for (let start = from; start < this.size; start += PIECE) {
      const piece = readRange(this.place, start, PIECE);
      for (let i = 0; i < piece.length; i++) {
        if (this.quotes && piece[i] === QUOTE) quoted = !quoted;
        else if (piece[i] === NEWLINE && !quoted && !ends(start + i + 1)) return;
      }
    }
  }
}

/** What a column holds is told from all of it, of which each rank has seen a part. */
function checkColumns(path: string, own: readonly unknown[], team: Team): void {
  const kinds: Record<string, string> = {};
  for (const row of own) {
    const fields = typeof row === 'object' && row !== null ? Object.entries(row) : [['its column', row] as const];
    for (const [name, value] of fields) if (value !== undefined) kinds[name] ??= typeof value;
  }
  const all = exchanged('load data', team, kinds) as Record<string, string>[];
  for (const other of all) {
    for (const [name, kind] of Object.entries(other)) {
      const [first] = all.map((one) => one[name]).filter((one) => one !== undefined);
      if (first === kind) continue;
      throw new WaymarkError(
        `loadData: some rows of '${path}' have a ${first} in ${name}, and others a ${kind}. Each rank sees a part of them: make them all of a kind, or leave out shard.`,
      );
    }
  }
}

/** An array of all rows, of which those of other ranks are not there: reading one is an error. */
function elsewhereToo(path: string, own: readonly unknown[], { first, count }: Share, total: number): unknown[] {
  const rows = new Array<unknown>(total);
  own.forEach((row, i) => {
    rows[first + i] = row;
  });
  const sharded = new Proxy(rows, {
    get(target, name, receiver) {
      const index = typeof name === 'string' && /^\d+$/.test(name) ? Number(name) : -1;
      if (index >= 0 && index < total && (index < first || index >= first + count)) {
        throw new WaymarkError(
          `Row ${index} of '${path}' was loaded with shard: true, and is on another rank. Such data are for a mapData of an Optimize that ` +
            'ranks divide: without batchSize, and without use of what it returns.',
        );
      }
      return Reflect.get(target, name, receiver);
    },
  });
  shards.add(sharded);
  return sharded;
}
