/** Gathers and scatters on lanes that each run of a plan finds anew: one word of their table says how many there are. */
import type { GatherAttributes } from '../kernels/indexing.ts';
import { bytesPerElement } from '../node.ts';
import { GATHER, SCATTER } from '../ops/indexing.ts';
import { sizeOf } from '../shape.ts';
import type { Place } from '../wasm/accelerator.ts';
import { indexingSpec, refuse } from '../wasm/singles.ts';
import type { OpenCall, OpenRun } from './open-calls.ts';
import type { Value } from './program.ts';
import type { Amount } from './walk.ts';

/** The call, if all that is moved is of one space whose lanes are found anew; undefined if it is something else. */
export function openIndexing(
  { device, value, lanes, addressOf, table }: OpenCall,
  spaces: readonly number[],
): OpenRun | undefined {
  const { op, attributes } = value;
  const [first, ...indices] = value.inputs;
  if ((op !== GATHER && op !== SCATTER) || spaces.length !== 1) return undefined;
  const direction = op === GATHER ? 'gather' : 'scatter';
  const [rows, moved] = op === GATHER ? [first, value] : [value, first];
  const [space] = spaces;
  const isOwn = rows.space === space;
  if (!isOwn && rows.space >= 0) return undefined;
  if ([moved, ...indices].some((one) => one.space !== space)) return undefined;
  const placeOf = (one: Value): Place => ({
    address: addressOf(one),
    dtype: one.isScalar ? 'f64' : one.dtype,
    dims: one.shape,
    lanes: false,
    mayBeSparse: false,
  });
  const each = sizeOf(indices[0].shape);
  const width = sizeOf(moved.shape) / each;
  const [from, to, places] = [placeOf(rows), placeOf(moved), indices.map(placeOf)];
  const spec = indexingSpec(direction, from, to, places);
  if (spec === null) return undefined;
  const { leading } = attributes as GatherAttributes;
  const bytes = sizeOf(rows.shape) * bytesPerElement[from.dtype];
  const words = [1, each, width, from.address, bytes, to.address];
  places.forEach(({ address }, i) => {
    words.push(address, leading[i]);
  });
  const { memory } = device;
  memory.i32.set(words, table / 4);
  // Lanes with rows of their own are told one by one, others are all rows of one table.
  const [word, amount]: [number, Amount] = isOwn ? [0, { base: 0, each: 1, space }] : [1, { base: 0, each, space }];
  const run = device.indexing(spec);
  const { clear } = device.moves;
  const move = (): void => {
    const bad = run(table);
    if (bad >= 0) refuse(device, places, leading, bad);
  };
  return {
    call() {
      const count = lanes.counts[space];
      if (op === SCATTER && (count > 0 || !isOwn)) clear(from.address, isOwn ? bytes * count : bytes);
      if (count === 0) return;
      memory.i32[table / 4 + word] = amount.each * count;
      move();
    },
    write(walk) {
      if (op === SCATTER && !isOwn) walk.clear(from.address, bytes);
      walk.when(space, () => {
        if (op === SCATTER && isOwn) walk.clear(from.address, { base: 0, each: bytes, space });
        walk.store(table + 4 * word, amount);
        walk.checked(run, table, move);
      });
    },
  };
}
