/** Where in a file something is, counted from 1 as editors do. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Turns offsets into lines and columns. */
export class LineTable {
  private readonly starts: number[] = [0];

  constructor(source: string) {
    for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) this.starts.push(at + 1);
  }

  position(offset: number): Position {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - this.starts[low] + 1 };
  }
}

/** A program that cannot be compiled: what is wrong, where, and what to write instead. */
export class CompileError extends Error implements Position {
  override name = 'CompileError';

  constructor(
    message: string,
    readonly file: string,
    readonly source: string,
    readonly offset: number,
    readonly line: number,
    readonly column: number,
    /** What to write instead, if the message does not say it already. */
    readonly hint: string | undefined,
  ) {
    super(message);
  }
}

/** The text being compiled, and the way to complain about a place in it. */
export class SourceText {
  readonly lines: LineTable;

  constructor(
    readonly text: string,
    readonly file: string,
  ) {
    this.lines = new LineTable(text);
  }

  error(message: string, offset: number, hint?: string): CompileError {
    const { line, column } = this.lines.position(offset);
    return new CompileError(message, this.file, this.text, offset, line, column, hint);
  }
}
