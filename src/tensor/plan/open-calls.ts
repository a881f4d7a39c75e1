/**
 * Single operations on lanes that each run of a plan finds anew (`partition.ts`): addresses are fixed, and room is for as many lanes as
 * there may be, but how many there are is only known when the operation is about to run.
 */
import { type ProductAttributes, productLayout } from '../kernels/product.ts';
import { LANE_GATHER, LANE_SCATTER } from '../lane-gather.ts';
import { bytesPerElement } from '../node.ts';
import { GATHER, LANE_MERGE, SCATTER } from '../ops/indexing.ts';
import { CONTRACT, MATMUL } from '../ops/products.ts';
import { LANE_NOISE, type NoiseAttributes } from '../partition.ts';
import { sizeOf } from '../shape.ts';
import type { Accelerated } from '../wasm/accelerator.ts';
import type { WasmDevice } from '../wasm/device.ts';
import { productCall } from '../wasm/products.ts';
import { openIndexing } from './open-indexing.ts';
import type { Value } from './program.ts';
import type { Amount, Walk } from './walk.ts';

/** The numbers of lanes while a plan runs. */
export interface OpenLanes {
  /** How many lanes each space has in the run at hand. */
  counts: Int32Array;
  /** How many lanes each space may have. */
  most: readonly number[];
  /** Whether the lanes of each space are found in each run. */
  readonly isOpen: readonly boolean[];
}

/** An operation as a plan has it: how to make a call of it for given numbers of lanes. */
export interface OpenCall {
  readonly device: WasmDevice;
  readonly value: Value;
  readonly lanes: OpenLanes;
  readonly addressOf: (value: Value) => number;
  /** Device memory for the routine's own use. */
  readonly table: number;
  prepared(sizes: ArrayLike<number>): Accelerated;
}

/** The call, for any number of lanes, and the same as part of a walk. */
export interface OpenRun {
  readonly call: Accelerated;
  readonly write: (walk: Walk) => void;
}

export function openCall(call: OpenCall): OpenRun {
  const { value } = call;
  if (value.op === LANE_GATHER && isMoved(value, value.inputs[0])) return laneGather(call);
  if (value.op === LANE_SCATTER && isMoved(value, value.inputs[0])) return laneScatter(call);
  if (value.op === LANE_MERGE && value.dtype !== 'i32') return laneMerge(call);
  if (value.op === LANE_NOISE) return noise(call);
  const indexing = openIndexing(call, openSpaces(value, call.lanes));
  if (indexing !== undefined) return indexing;
  const general = bySizes(call);
  return { call: general, write: (walk) => writeProduct(call, walk, general) };
}

const isMoved = (to: Value, from: Value): boolean => to.dtype === from.dtype;

/** Each number of lanes needs a call of its own, made when it is first met. */
function bySizes({ value, lanes, addressOf, device, prepared }: OpenCall): Accelerated {
  const { counts } = lanes;
  const spaces = openSpaces(value, lanes);
  const [first, second] = spaces;
  const own = value.space;
  // Operations that write a table before they run have one call for all sizes.
  const keeps = spaces.length <= 2 && value.op !== GATHER && value.op !== SCATTER;
  const known = new Map<number, Accelerated>();
  const byCount: (Accelerated | undefined)[] = [];
  const bytes = bytesOf(value);
  const address = addressOf(value);
  const { clear } = device.moves;
  return () => {
    if (own >= 0 && counts[own] === 0) return;
    if (own < 0 && counts[first] === 0) {
      clear(address, bytes);
      return;
    }
    if (second === undefined && keeps) {
      const count = counts[first];
      byCount[count] ??= prepared(counts);
      byCount[count]();
      return;
    }
    const key = second === undefined ? counts[first] : counts[first] * MOST_LANES + counts[second];
    let call = keeps ? known.get(key) : undefined;
    if (call === undefined) {
      call = prepared(counts);
      known.set(key, call);
    }
    call();
  };
}

const MOST_LANES = 2 ** 24;

/** The spaces of an operation whose lanes each run finds anew. */
function openSpaces(value: Value, { isOpen }: OpenLanes): number[] {
  const spaces = new Set([value, ...value.inputs].map(({ space }) => space));
  return [...spaces].filter((space) => space >= 0 && isOpen[space]);
}

const bytesOf = ({ isScalar, shape, dtype }: Value): number => (isScalar ? 8 : sizeOf(shape) * bytesPerElement[dtype]);

/** A product with as many rows as there are lanes, or over as many: its arguments go with their number. */
function writeProduct(open: OpenCall, walk: Walk, general: Accelerated): void {
  const { value, lanes, addressOf } = open;
  const [space, ...others] = openSpaces(value, lanes);
  const first = others.length === 0 ? productOf(open, 2) : null;
  const upTo = first === null ? 0 : lastAlike(open, lanes.most[space], first.run);
  // (Arguments of two and of three lanes are needed to know how they go with the number.)
  if (first === null || upTo < 3) {
    walk.host(general);
    return;
  }
  const product = (): void => {
    const [two, three] = [first.given, productOf(open, 3)!.given];
    const given = two.map((base, i) => {
      const each = three[i] - base;
      return each === 0 ? base : { base: base - 2 * each, each, space };
    });
    walk.call(first.run, given);
  };
  const most = (): void =>
    upTo === lanes.most[space] ? product() : walk.when(space, product, () => walk.host(general), upTo);
  walk.when(space, most, value.space < 0 ? () => walk.clear(addressOf(value), bytesOf(value)) : undefined);
}

/** Up to how many lanes the same routine makes the product: there is at most one change, where it has become large. */
function lastAlike(open: OpenCall, most: number, run: unknown): number {
  let alike = 2;
  let other = most + 1;
  while (other - alike > 1) {
    const count = (alike + other) >> 1;
    if (productOf(open, count)?.run === run) alike = count;
    else other = count;
  }
  return alike;
}

/** The product for so many lanes; null if it is none, or several. */
function productOf({ value, device, addressOf, lanes }: OpenCall, count: number): ReturnType<typeof productCall> {
  const { op, inputs, dtype, attributes } = value;
  if ((op !== MATMUL && op !== CONTRACT) || (dtype !== 'f64' && dtype !== 'f32')) return null;
  const [a, b] = inputs;
  const dims = ({ space, shape }: Value): readonly number[] =>
    space < 0 ? shape : [lanes.isOpen[space] ? count : lanes.counts[space], ...shape];
  const addresses = [addressOf(a), addressOf(b), addressOf(value)];
  if (op === CONTRACT) {
    const k = a.shape[a.shape.length - 1];
    const n = b.shape[b.shape.length - 1];
    const rows = sizeOf(dims(a)) / Math.max(1, k);
    return productCall(device, dtype, k, n, rows, addresses[0], true, addresses[1], false, addresses[2]);
  }
  const { transposeA, transposeB } = attributes as ProductAttributes;
  const { m, n, k, batch } = productLayout(dims(a), dims(b), attributes as ProductAttributes);
  if (batch !== 1) return null;
  return productCall(device, dtype, m, n, k, addresses[0], transposeA, addresses[1], transposeB, addresses[2]);
}

/** Rows moved by a map of lanes, in WebAssembly: the words that say how many are set before each call. */
interface Mover {
  readonly move: (count: number, limit: number) => void;
  /** The same for all lanes of one space, of as many as another has. */
  readonly write: (walk: Walk, inside: number, around: number) => void;
}

function mover(
  { device, addressOf }: OpenCall,
  direction: 'gather' | 'scatter',
  table: Value,
  moved: Value,
  map: Value,
  at: number,
): Mover {
  const width = sizeOf(moved.shape);
  const run = device.indexing({
    direction,
    element: bytesPerElement[table.dtype] as 4 | 8,
    indices: ['i32'],
    single: width === 1,
  });
  const { memory } = device;
  const words = at / 4;
  memory.i32.set([1, 0, width, addressOf(table), 0, addressOf(moved), addressOf(map), 0], words);
  return {
    move(count, limit) {
      const { i32 } = memory;
      i32[words + 1] = count;
      i32[words + 7] = limit;
      run(at);
    },
    write(walk, inside, around) {
      walk.when(inside, () => {
        walk.store(at + 4, lanesOf(inside));
        walk.store(at + 28, lanesOf(around));
        walk.call(run, [at], true);
      });
    },
  };
}

const lanesOf = (space: number, each = 1): Amount => ({ base: 0, each, space });

function laneGather(call: OpenCall): OpenRun {
  const { value, lanes, table } = call;
  const { counts } = lanes;
  const [from, map] = value.inputs;
  const { space } = value;
  const around = from.space;
  const { move, write } = mover(call, 'gather', from, value, map, table);
  return {
    call() {
      if (counts[space] > 0) move(counts[space], counts[around]);
    },
    write: (walk) => write(walk, space, around),
  };
}

function laneScatter(call: OpenCall): OpenRun {
  const { value, table } = call;
  const [from, map] = value.inputs;
  return collected(call, [{ inside: from.space, ...mover(call, 'scatter', value, from, map, table) }]);
}

/** Each lane is on one side at most, so that adding to zeros writes the values. */
function laneMerge(call: OpenCall): OpenRun {
  const { value, table } = call;
  const { inputs } = value;
  const parts: (Mover & { readonly inside: number })[] = [];
  for (let i = 0; i < inputs.length; i += 2) {
    const own = table + 4 * MERGE_WORDS * (i / 2);
    parts.push({ inside: inputs[i].space, ...mover(call, 'scatter', value, inputs[i], inputs[i + 1], own) });
  }
  return collected(call, parts);
}

export const MERGE_WORDS = 8;

/** The sum of what lanes of other spaces have, by maps from these. */
function collected(
  { value, lanes, device, addressOf }: OpenCall,
  parts: readonly (Mover & { readonly inside: number })[],
): OpenRun {
  const { counts } = lanes;
  const { space } = value;
  const address = addressOf(value);
  const bytes = sizeOf(value.shape) * bytesPerElement[value.dtype];
  const { clear } = device.moves;
  return {
    call() {
      const all = counts[space];
      if (all === 0) return;
      clear(address, bytes * all);
      for (const { inside, move } of parts) if (counts[inside] > 0) move(counts[inside], all);
    },
    write(walk) {
      walk.when(space, () => {
        walk.clear(address, lanesOf(space, bytes));
        for (const part of parts) part.write(walk, part.inside, space);
      });
    },
  };
}

function noise({ value, lanes, device, addressOf }: OpenCall): OpenRun {
  const { counts } = lanes;
  const { kind, each } = value.attributes as NoiseAttributes;
  const { space } = value;
  const draw = device.mappedRandom[kind];
  const table = kind === 'uniform' ? 0 : device.normals;
  const given = [each, ...value.inputs.map(addressOf), addressOf(value), table, device.workspace];
  return {
    call() {
      draw(counts[space], ...given);
    },
    write: (walk) => walk.when(space, () => walk.call(draw, [lanesOf(space), ...given])),
  };
}
