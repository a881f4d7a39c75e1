/** Operations with WebAssembly kernels of their own. Those not listed run in the reference kernels in JavaScript. */
import { badIndex, type GatherAttributes } from '../kernels/indexing.ts';
import { type ProductAttributes, productLayout } from '../kernels/product.ts';
import type { AxisAttributes, RunAttributes } from '../kernels/reduce.ts';
import type { ConcatAttributes, WindowAttributes } from '../kernels/structure.ts';
import { LANE_GATHER, LANE_SCATTER } from '../lane-gather.ts';
import { bytesPerElement, Op } from '../node.ts';
import { GATHER, SCATTER } from '../ops/indexing.ts';
import { CONTRACT, MATMUL } from '../ops/products.ts';
import { CUMSUM } from '../ops/reductions.ts';
import { RUNNING_SUMS } from '../ops/segments.ts';
import { CONCAT, PAD, SLICE } from '../ops/structure.ts';
import { sizeOf } from '../shape.ts';
import { type Accelerated, type Accelerator, inOrder, type Place, TABLE_WORDS } from './accelerator.ts';
import type { WasmDevice } from './device.ts';
import type { ExportedFunction } from './host.ts';
import { type IndexingSpec, indexingTableLength } from './indexing.ts';
import { windowBlocks } from './moves.ts';
import { productAt } from './products.ts';

const matmul: Accelerator = (device, out, [a, b], attributes) => {
  const flags = attributes as ProductAttributes;
  const { m, n, k, batch, stepA, stepB } = productLayout(a.dims, b.dims, flags);
  const dtype = out.dtype as 'f64' | 'f32';
  const bytes = dtype === 'f64' ? 8 : 4;
  const calls: Accelerated[] = [];
  for (let i = 0; i < batch; i++) {
    const first = { address: a.address + i * stepA * bytes, transposed: flags.transposeA, mayBeSparse: a.mayBeSparse };
    const second = { address: b.address + i * stepB * bytes, transposed: flags.transposeB, mayBeSparse: b.mayBeSparse };
    calls.push(productAt(device, dtype, [m, n, k], first, second, out.address + i * m * n * bytes));
  }
  if (calls.length === 1) return calls[0];
  return allOf(calls);
};

function allOf(calls: readonly Accelerated[]): Accelerated {
  const all: Accelerated = () => {
    for (const call of calls) call();
  };
  if (calls.every(({ write }) => write !== undefined)) {
    all.write = (steps) => {
      for (const call of calls) call.write!(steps);
    };
  }
  return all;
}

const contract: Accelerator = (device, out, [a, b]) => {
  const k = a.dims[a.dims.length - 1];
  const n = b.dims[b.dims.length - 1];
  const rows = sizeOf(a.dims) / Math.max(1, k);
  const first = { address: a.address, transposed: true, mayBeSparse: a.mayBeSparse };
  const second = { address: b.address, transposed: false, mayBeSparse: b.mayBeSparse };
  return productAt(device, out.dtype as 'f64' | 'f32', [k, n, rows], first, second, out.address);
};

/** The kernel that moves rows between a table and a list; null if there is none. */
export function indexingSpec(
  direction: IndexingSpec['direction'],
  rowsOfTable: Place,
  moved: Place,
  indices: readonly Place[],
): IndexingSpec | null {
  const spec: IndexingSpec = {
    direction,
    element: rowsOfTable.dtype === 'f64' ? 8 : 4,
    indices: indices.map(({ dtype }) => (dtype === 'bool' ? 'f32' : dtype)),
    single: sizeOf(moved.dims) === sizeOf(indices[0].dims),
  };
  if (indexingTableLength(spec) > TABLE_WORDS || (direction === 'scatter' && rowsOfTable.dtype === 'i32')) return null;
  return rowsOfTable.dtype === moved.dtype ? spec : null;
}

/** Moves rows between a table and a list, by indices of which the i-th is below limits[i]. */
function indexed(
  device: WasmDevice,
  direction: 'gather' | 'scatter',
  rowsOfTable: Place,
  moved: Place,
  indices: readonly Place[],
  limits: readonly number[],
  table: number,
): Accelerated | null {
  const spec = indexingSpec(direction, rowsOfTable, moved, indices);
  const count = sizeOf(indices[0].dims);
  if (count === 0 || spec === null) return null;
  const lanes = rowsOfTable.lanes ? rowsOfTable.dims[0] : 1;
  const tableSize = sizeOf(rowsOfTable.dims);
  const words = [
    lanes,
    count / lanes,
    sizeOf(moved.dims) / count,
    rowsOfTable.address,
    (tableSize / lanes) * spec.element,
    moved.address,
  ];
  indices.forEach(({ address }, i) => {
    words.push(address, limits[i]);
  });
  device.memory.i32.set(words, table / 4);
  const kernel = device.indexing(spec);
  const { address } = rowsOfTable;
  const bytes = tableSize * spec.element;
  const clear = direction === 'scatter' ? device.moves.clear : null;
  const move: Accelerated = () => {
    clear?.(address, bytes);
    const bad = kernel(table);
    if (bad >= 0) refuse(device, indices, limits, bad);
  };
  move.write = (steps) => {
    if (clear !== null) steps.call(clear, [address, bytes]);
    // Here it is done once more, to find out what is bad.
    steps.checked(kernel as ExportedFunction, table, move);
  };
  return move;
}

/** Says which index of a row is not within its limit. */
export function refuse(device: WasmDevice, indices: readonly Place[], limits: readonly number[], row: number): never {
  const { i32, f64, f32 } = device.memory;
  indices.forEach(({ address, dtype }, i) => {
    const value =
      dtype === 'f64' ? f64[address / 8 + row] : dtype === 'i32' ? i32[address / 4 + row] : f32[address / 4 + row];
    if (!(value >= 0 && value < limits[i] && value === Math.floor(value))) badIndex(value, limits[i]);
  });
  throw new Error(`Row ${row} of an index table was refused without reason.`);
}

const gather: Accelerator = (device, out, [rows, ...indices], attributes, table) =>
  indexed(device, 'gather', rows, out, indices, (attributes as GatherAttributes).leading, table);

const scatter: Accelerator = (device, out, [values, ...indices], attributes, table) =>
  indexed(device, 'scatter', out, values, indices, (attributes as GatherAttributes).leading, table);

/** Lanes are the rows of one shared table. */
const shared = (place: Place): Place => ({ ...place, lanes: false });

const laneGather: Accelerator = (device, out, [from, map], _attributes, table) =>
  indexed(device, 'gather', shared(from), out, [map], [from.dims[0]], table);

const laneScatter: Accelerator = (device, out, [from, map], _attributes, table) =>
  indexed(device, 'scatter', shared(out), from, [map], [out.dims[0]], table);

/** (elements, places) → a table of zeros with the elements added at the places, which are places of the table. Only plans have it. */
export const ADD_AT = new Op('addAt', 'kernel');

const addAt: Accelerator = (device, out, [from, places]) => {
  const bytes = bytesPerElement[out.dtype];
  const { clear, [`add${bytes}`]: add } = device.moves;
  const whole = sizeOf(out.dims) * bytes;
  const [table, at, count] = [out.address, places.address, sizeOf(places.dims)];
  return inOrder(
    [
      [clear, table, whole],
      [add, 1, at, count, from.address, 0, table, 0],
    ],
    () => {
      clear(table, whole);
      add(1, at, count, from.address, 0, table, 0);
    },
  );
};

const concat: Accelerator = (device, out, inputs, attributes) => {
  const axis = (attributes as ConcatAttributes).axis + (out.lanes ? 1 : 0);
  const bytes = bytesPerElement[out.dtype];
  const width = (dims: readonly number[]): number => sizeOf(dims.slice(axis)) * bytes;
  const step = width(out.dims);
  const blocks = sizeOf(out.dims.slice(0, axis));
  if (inputs.some((input) => input.dtype !== out.dtype)) return null;
  let to = out.address;
  const parts = inputs.map((input) => {
    const part = { from: input.address, width: width(input.dims), to };
    to += part.width;
    return part;
  });
  const copy = device.moves.blocks;
  return inOrder(
    parts.map((part) => [copy, blocks, part.width, part.from, part.width, part.to, step]),
    () => {
      for (const part of parts) copy(blocks, part.width, part.from, part.width, part.to, step);
    },
  );
};

/** Windows that are cut along one axis are blocks; others are left to the table of offsets. */
const windowed =
  (isPad: boolean): Accelerator =>
  (device, out, [input], attributes) => {
    const bytes = bytesPerElement[out.dtype];
    const [whole, window] = isPad ? [out, input] : [input, out];
    const { begin } = attributes as WindowAttributes;
    const isOne = out.lanes === input.lanes && out.dtype === input.dtype && whole.dims.length === window.dims.length;
    const blocks = isOne ? windowBlocks(whole.dims, window.dims, out.lanes ? [0, ...begin] : begin) : null;
    if (blocks === null) return null;
    const [width, step, at] = [blocks.width, blocks.step, blocks.begin].map((n) => n * bytes);
    const { count } = blocks;
    const { blocks: copy, clear } = device.moves;
    const [from, to] = [input.address, out.address];
    if (!isPad) {
      return inOrder([[copy, count, width, from + at, step, to, width]], () =>
        copy(count, width, from + at, step, to, width),
      );
    }
    const size = sizeOf(out.dims) * bytes;
    return inOrder(
      [
        [clear, to, size],
        [copy, count, width, from, width, to + at, step],
      ],
      () => {
        clear(to, size);
        copy(count, width, from, width, to + at, step);
      },
    );
  };

const runningSums: Accelerator = (device, out, [rows, begins], attributes) => {
  const { reverse } = attributes as RunAttributes;
  const places = [out, rows, begins];
  const isPlain = places.every(({ dtype, lanes }) => dtype === out.dtype && !lanes);
  const count = begins.dims[0];
  if (!isPlain || count === 0) return null;
  const bytes = bytesPerElement[out.dtype];
  const width = (sizeOf(out.dims) / count) * bytes;
  const run = device.moves[`running${bytes}${reverse ? 'Back' : ''}`];
  return inOrder([[run, count, width, rows.address, begins.address, out.address]], () =>
    run(count, width, rows.address, begins.address, out.address),
  );
};

/** Sums along an axis. */
const cumsum: Accelerator = (device, out, [input], attributes) => {
  const { axis, reverse } = attributes as AxisAttributes;
  const along = axis + (out.lanes ? 1 : 0);
  const blocks = sizeOf(out.dims.slice(0, along));
  if (input.dtype !== out.dtype || sizeOf(out.dims) === 0) return null;
  const bytes = bytesPerElement[out.dtype];
  const width = sizeOf(out.dims.slice(along + 1)) * bytes;
  const run = device.moves[`sums${bytes}${reverse ? 'Back' : ''}`];
  const given = [blocks, out.dims[along], width, input.address, out.address] as const;
  return inOrder([[run, ...given]], () => run(...given));
};

export const accelerators: ReadonlyMap<Op, Accelerator> = new Map<Op, Accelerator>([
  [MATMUL, matmul],
  [CONTRACT, contract],
  [GATHER, gather],
  [SCATTER, scatter],
  [LANE_GATHER, laneGather],
  [LANE_SCATTER, laneScatter],
  [ADD_AT, addAt],
  [CONCAT, concat],
  [CUMSUM, cumsum],
  [RUNNING_SUMS, runningSums],
  [SLICE, windowed(false)],
  [PAD, windowed(true)],
]);
