import type { Tensor } from '../../tensor/tensor.ts';
import { grid } from './grid.ts';
import { shortNumber } from './number.ts';

/** Rows and columns beyond these are left out, with a word on how many. */
const ROWS = 20;
const COLUMNS = 10;

/** A tensor as its dimensions and its numbers: a vector in one line, a matrix as a grid. */
export function showTensor(tensor: Tensor): string {
  const { dims, data } = tensor;
  const title = `Tensor [${dims.join(', ')}]`;
  const [rows, width] = dims.length === 2 && dims[1] !== 1 ? dims : [1, data.length];
  if (dims.length > 2 || rows === 1) return `${title} ${rowText(data, 0, width)}`;
  const shown = Array.from({ length: Math.min(rows, ROWS) }, (_, i) => cells(data, i * width, width));
  const lines = grid(shown, shown[0]?.map(() => 'right') ?? []);
  if (rows > ROWS) lines.push(`… ${rows - ROWS} more rows`);
  return [title, ...lines.map((line) => `  ${line}`)].join('\n');
}

function cells(data: Float64Array, from: number, width: number): string[] {
  const shown = Array.from(data.subarray(from, from + Math.min(width, COLUMNS)), shortNumber);
  if (width > COLUMNS) shown.push(`… ${width - COLUMNS} more`);
  return shown;
}

function rowText(data: Float64Array, from: number, width: number): string {
  return `[${cells(data, from, width).join(', ')}]`;
}
