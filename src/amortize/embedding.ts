/** Where a choice or a datum is, as numbers of the network in use. */
import type { Parameters } from './parameters.ts';
import { EMBEDDING } from './sizes.ts';

/** The row of a table, and rows of positions, added up. */
export function embeddingOf(
  parameters: Parameters,
  table: string,
  row: number,
  position: string,
  positions: readonly number[],
): Float64Array {
  const sum = parameters.get(table).slice(row * EMBEDDING, (row + 1) * EMBEDDING);
  positions.forEach((place, k) => {
    const rows = parameters.get(`${position} ${k}`);
    for (let i = 0; i < EMBEDDING; i++) sum[i] += rows[place * EMBEDDING + i];
  });
  return sum;
}
