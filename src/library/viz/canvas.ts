/** A drawing of dots, two by four to a character (braille), within a frame that shows the bounds. */
import { padEnd, padStart } from '../show/grid.ts';
import { shortNumber } from '../show/number.ts';

/** Bits of a braille character by column and row. */
const DOTS = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
];
const BRAILLE = 0x2800;

export interface Bounds {
  readonly lower: number;
  readonly upper: number;
}

/** The smallest and largest finite number, with some room if they are the same. */
export function boundsOf(values: ArrayLike<number>): Bounds {
  let [lower, upper] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i])) continue;
    lower = Math.min(lower, values[i]);
    upper = Math.max(upper, values[i]);
  }
  if (lower > upper) return { lower: 0, upper: 1 };
  return lower === upper ? { lower: lower - 0.5, upper: upper + 0.5 } : { lower, upper };
}

export class Canvas {
  private readonly cells: Uint8Array;

  constructor(
    private readonly x: Bounds,
    private readonly y: Bounds,
    private readonly width = 64,
    private readonly height = 16,
  ) {
    this.cells = new Uint8Array(width * height);
  }

  /** A dot at a place given in the coordinates of the bounds. */
  point(x: number, y: number): void {
    this.dot(this.column(x), this.row(y));
  }

  /** A straight line between two places. */
  line(x0: number, y0: number, x1: number, y1: number): void {
    const [fromColumn, fromRow, toColumn, toRow] = [this.column(x0), this.row(y0), this.column(x1), this.row(y1)];
    const steps = Math.max(1, Math.abs(toColumn - fromColumn), Math.abs(toRow - fromRow));
    if (!Number.isFinite(steps)) return;
    for (let i = 0; i <= steps; i++) {
      const t = i / steps;
      this.dot(Math.round(fromColumn + t * (toColumn - fromColumn)), Math.round(fromRow + t * (toRow - fromRow)));
    }
  }

  private column(x: number): number {
    return Math.round(((x - this.x.lower) / (this.x.upper - this.x.lower)) * (2 * this.width - 1));
  }

  private row(y: number): number {
    return Math.round(((this.y.upper - y) / (this.y.upper - this.y.lower)) * (4 * this.height - 1));
  }

  private dot(column: number, row: number): void {
    if (!(column >= 0 && column < 2 * this.width && row >= 0 && row < 4 * this.height)) return;
    this.cells[(row >> 2) * this.width + (column >> 1)] |= DOTS[column & 1][row & 3];
  }

  /** The lines of the drawing: the frame, with numbers at its corners. */
  lines(): string[] {
    const rows = Array.from({ length: this.height }, (_, i) =>
      Array.from(this.cells.subarray(i * this.width, (i + 1) * this.width), (bits) =>
        bits === 0 ? ' ' : String.fromCharCode(BRAILLE + bits),
      ).join(''),
    );
    return framed(rows, this.width, this.x, this.y);
  }
}

/** Rows of characters with the bounds of both axes. */
export function framed(rows: readonly string[], width: number, x: Bounds, y: Bounds): string[] {
  const [top, bottom] = [shortNumber(y.upper), shortNumber(y.lower)];
  const margin = Math.max(top.length, bottom.length);
  const label = (i: number) => (i === 0 ? top : i === rows.length - 1 ? bottom : '');
  const [left, right] = [shortNumber(x.lower), shortNumber(x.upper)];
  return [
    ...rows.map((row, i) => `${padStart(label(i), margin)} │${row}`.trimEnd()),
    `${' '.repeat(margin)} └${'─'.repeat(width)}`,
    `${' '.repeat(margin + 2)}${padEnd(left, width - right.length)}${right}`,
  ];
}
