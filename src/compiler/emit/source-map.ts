/** From places in emitted text back to places in the source. */
import type { LineTable, Position } from '../diagnostics.ts';

/** A place in the emitted text, counted from 0, and the offset in the source it stands for. */
export interface Mark {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

/** Source map, version 3, as debuggers read it. */
export interface StandardMap {
  readonly version: 3;
  readonly sources: readonly string[];
  readonly sourcesContent: readonly string[];
  readonly names: readonly string[];
  readonly mappings: string;
}

export class SourceMap {
  constructor(
    private readonly marks: readonly Mark[],
    private readonly lines: LineTable,
    private readonly file: string,
    private readonly source: string,
  ) {}

  /** The offset in the source that emitted line and column (both from 1) stand for; undefined in the prelude. */
  offsetOf(line: number, column: number): number | undefined {
    let low = -1;
    let high = this.marks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      const mark = this.marks[middle];
      if (mark.line < line - 1 || (mark.line === line - 1 && mark.column <= column - 1)) low = middle;
      else high = middle - 1;
    }
    return low === -1 ? undefined : this.marks[low].offset;
  }

  /** The same as line and column, from 1. */
  position(line: number, column: number): Position | undefined {
    const offset = this.offsetOf(line, column);
    return offset === undefined ? undefined : this.lines.position(offset);
  }

  standard(): StandardMap {
    let mappings = '';
    let line = 0;
    let column = 0;
    let sourceLine = 0;
    let sourceColumn = 0;
    let first = true;
    for (const mark of this.marks) {
      for (; line < mark.line; line++) {
        mappings += ';';
        column = 0;
        first = true;
      }
      const source = this.lines.position(mark.offset);
      mappings +=
        (first ? '' : ',') +
        variableLength(mark.column - column) +
        variableLength(0) +
        variableLength(source.line - 1 - sourceLine) +
        variableLength(source.column - 1 - sourceColumn);
      column = mark.column;
      sourceLine = source.line - 1;
      sourceColumn = source.column - 1;
      first = false;
    }
    return { version: 3, sources: [this.file], sourcesContent: [this.source], names: [], mappings };
  }
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Base-64 digits of five bits each, lowest first, the sign in the lowest bit of all. */
function variableLength(value: number): string {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1;
  let out = '';
  do {
    const digit = rest & 31;
    rest >>>= 5;
    out += DIGITS[rest > 0 ? digit | 32 : digit];
  } while (rest > 0);
  return out;
}
