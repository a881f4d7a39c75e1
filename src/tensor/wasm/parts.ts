/** Matrix products cut into rectangles, for several threads. */

import { TILE_ROWS } from './matmul.ts';

/** A rectangle of the result. */
export interface Part {
  readonly row: number;
  readonly rows: number;
  readonly column: number;
  readonly columns: number;
}

/** Parts are whole register tiles, in both precisions. */
const CUT_ROWS = TILE_ROWS;
const CUT_COLUMNS = 8;

/**
 * Cuts the longer side of an m × n result, since each part needs all of the other side's operand. Parts are multiples of
 * `unit`, but for the last.
 */
export function partsOf(m: number, n: number, byColumns: boolean, wanted: number, unit?: number): Part[] {
  const across = byColumns && n > m;
  const length = across ? n : m;
  const whole = unit ?? (across ? CUT_COLUMNS : CUT_ROWS);
  const step = Math.max(whole, Math.ceil(length / wanted / whole) * whole);
  const parts: Part[] = [];
  for (let at = 0; at < length; at += step) {
    const size = Math.min(step, length - at);
    parts.push(
      across ? { row: 0, rows: m, column: at, columns: size } : { row: at, rows: size, column: 0, columns: n },
    );
  }
  return parts;
}
