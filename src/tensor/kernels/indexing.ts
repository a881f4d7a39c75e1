/** Reference gathers and scatters. */
import type { Attributes, Data, Kernel, Operand } from '../node.ts';

export interface GatherAttributes extends Attributes {
  /** Lengths of the leading axes of the table that the indices run over. */
  readonly leading: readonly number[];
}

/** Which row of the table (its leading axes flattened) each index combination names; throws outside the table. */
function rowsOf(indices: readonly Operand[], leading: readonly number[], out: Int32Array): Int32Array {
  out.fill(0);
  for (let axis = 0; axis < leading.length; axis++) {
    const { data } = indices[axis];
    const n = leading[axis];
    for (let i = 0; i < out.length; i++) {
      const at = data[i];
      if (!(at >= 0 && at < n && at === Math.floor(at))) badIndex(at, n);
      out[i] = out[i] * n + at;
    }
  }
  return out;
}

/** Found while a graph is evaluated, when the index's place in the program is not known any more. */
export class BadIndex extends RangeError {}

export function badIndex(index: number, length: number): never {
  throw new BadIndex(`Index ${index} is not a whole number from 0 to ${length - 1}.`);
}

/** The same where only their number is known. */
export function badIndices(count: number, length: number): never {
  const which = count === 1 ? 'An index of a lane is' : `${count} indices of lanes are`;
  throw new BadIndex(`${which} no whole number from 0 to ${length - 1}.`);
}

/** Rows per lane and how far apart the lanes of the table are; a shared table has distance 0. */
function laneSteps(table: Operand, rows: Int32Array): { perLane: number; step: number } {
  if (!table.lanes) return { perLane: rows.length, step: 0 };
  return { perLane: rows.length / table.dims[0], step: table.data.length / table.dims[0] };
}

/** (table, index…) → the rows named; indices all have the same dims, and lanes if the table has. */
export const gatherKernel: Kernel = (out, [table, ...indices], attributes) => {
  const { leading } = attributes as GatherAttributes;
  const rows = rowsOf(indices, leading, new Int32Array(indices[0].data.length));
  const width = rows.length === 0 ? 0 : out.data.length / rows.length;
  const { perLane, step } = laneSteps(table, rows);
  for (let i = 0; i < rows.length; i++) {
    const from = rows[i] * width + (step === 0 ? 0 : Math.floor(i / perLane) * step);
    copyRow(out.data, i * width, table.data, from, width);
  }
};

function copyRow(target: Data, at: number, source: Data, from: number, width: number): void {
  for (let j = 0; j < width; j++) target[at + j] = source[from + j];
}

/** (rows, index…) → a table of zeros with the rows added where the indices say: the adjoint of `gather`. */
export const scatterKernel: Kernel = (out, [values, ...indices], attributes) => {
  const { leading } = attributes as GatherAttributes;
  const rows = rowsOf(indices, leading, new Int32Array(indices[0].data.length));
  const width = rows.length === 0 ? 0 : values.data.length / rows.length;
  const { perLane, step } = laneSteps(out, rows);
  out.data.fill(0);
  for (let i = 0; i < rows.length; i++) {
    const at = rows[i] * width + (step === 0 ? 0 : Math.floor(i / perLane) * step);
    for (let j = 0; j < width; j++) out.data[at + j] += values.data[i * width + j];
  }
};

/** (rows, index) → for each position, the largest of the rows whose index names it, entry by entry; −∞ if there is none. */
export const segmentMaxKernel: Kernel = (out, [values, index], attributes) => {
  const { leading } = attributes as GatherAttributes;
  const rows = rowsOf([index], leading, new Int32Array(index.data.length));
  const width = rows.length === 0 ? 0 : values.data.length / rows.length;
  out.data.fill(-Infinity);
  for (let i = 0; i < rows.length; i++) {
    const at = rows[i] * width;
    for (let j = 0; j < width; j++) out.data[at + j] = Math.max(out.data[at + j], values.data[i * width + j]);
  }
};

/** (value, map, value, map …) of disjoint subspaces → the parent space. Lanes no part covers are 0. */
export const laneMergeKernel: Kernel = (out, inputs) => {
  const width = out.data.length / Math.max(1, out.dims[0]);
  out.data.fill(0);
  for (let part = 0; part < inputs.length; part += 2) {
    const { data } = inputs[part];
    const map = inputs[part + 1].data;
    for (let i = 0; i < map.length; i++) copyRow(out.data, map[i] * width, data, i * width, width);
  }
};
