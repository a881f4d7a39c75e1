/**
 * Gathers and scatters whose indices a plan knows. If they name all elements in order, nothing is moved at all; other
 * gathers of single elements become part of the kernels that use them, and scatters do without looking at the indices.
 */
import type { GatherAttributes } from '../kernels/indexing.ts';
import { LANE_GATHER, LANE_SCATTER } from '../lane-gather.ts';
import { type Data, type Op, RESHAPE } from '../node.ts';
import { GATHER, SCATTER } from '../ops/indexing.ts';
import { sizeOf } from '../shape.ts';
import { PICK } from '../wasm/emit.ts';
import { ADD_AT } from '../wasm/singles.ts';
import { type Program, Value } from './program.ts';

/** The program with known indices made use of. */
export function withKnownIndices(program: Program): Program {
  const { values, outputs, spaces } = program;
  const isOpen = (value: Value): boolean => isOpenGather(value) && spaces[value.space].isOpen;
  if (!values.some((value) => isIndexed(value) || isOpen(value))) return program;
  const hasOpenLanes = ({ inputs: [moved], space }: Value): boolean =>
    [space, moved.space].some((one) => one >= 0 && spaces[one].isOpen);
  const lanes = spaces.map(({ size }) => size);
  const made: Value[] = [];
  const stands = new Map<Value, Value>();
  const lists = new Map<string, Value>();
  const make = (value: Value, op: Op, inputs: readonly Value[]): Value => {
    const { attributes, shape, dtype, space, source } = value;
    const same = op === value.op;
    made.push(new Value(made.length, op, inputs, same ? attributes : null, shape, dtype, space, source));
    return made[made.length - 1];
  };
  const listed = (value: Value, places: Int32Array): Value => {
    const { inputs, attributes } = value;
    const { shape, space } = movedOf(value);
    // A gather and the scatter of its gradient name the same places.
    const key = `${inputs.slice(1).map(({ id }) => id)} ${attributes?.key} ${tableOf(value).space}`;
    let list = lists.get(key);
    if (list === undefined) {
      list = new Value(made.length, inputs[1].op, [], null, shape, 'i32', space, { kind: 'baked', data: places });
      made.push(list);
      lists.set(key, list);
    }
    return list;
  };
  for (const value of values) {
    const inputs = value.inputs.map((input) => stands.get(input) as Value);
    const places = isIndexed(value) ? placesOf(value, lanes) : null;
    const elements = (of: Value): number => sizeOf(of.shape) * (of.space < 0 ? 1 : lanes[of.space]);
    if (isOpen(value)) stands.set(value, make(value, PICK, inputs));
    else if (places === null) stands.set(value, make(value, value.op, inputs));
    else if (elements(value) === elements(value.inputs[0]) && places.every((place, i) => place === i)) {
      stands.set(value, make(value, RESHAPE, inputs.slice(0, 1)));
    } else if (gathers(value)) stands.set(value, make(value, PICK, [inputs[0], listed(value, places)]));
    else if (hasOpenLanes(value)) stands.set(value, make(value, value.op, inputs));
    else stands.set(value, make(value, ADD_AT, [inputs[0], listed(value, places)]));
  }
  return { values: made, outputs: outputs.map((value) => stands.get(value) as Value), spaces };
}

const gathers = ({ op }: Value): boolean => op === GATHER || op === LANE_GATHER;

/** The table that indices are into, and the elements that are moved from or to it. */
const tableOf = (value: Value): Value => (gathers(value) ? value.inputs[0] : value);
const movedOf = (value: Value): Value => (gathers(value) ? value : value.inputs[0]);

/** Whether single elements are moved by indices that are constants. */
function isIndexed({ op, inputs, source, dtype, isScalar }: Value): boolean {
  if (source !== null || isScalar || dtype === 'i32') return false;
  if (op !== GATHER && op !== LANE_GATHER && op !== SCATTER && op !== LANE_SCATTER) return false;
  const [moved, ...indices] = inputs;
  return moved.dtype === dtype && !moved.isScalar && indices.every((index) => index.source?.kind === 'baked');
}

/** Whether single elements of lanes are moved to some of them that a run finds out: their places are known before the kernel that needs them. */
function isOpenGather({ op, inputs: [from, map], dtype, shape, source }: Value): boolean {
  if (op !== LANE_GATHER || source !== null || dtype === 'i32' || sizeOf(shape) !== 1) return false;
  return from.dtype === dtype && map.dtype === 'i32' && map.source === null;
}

/** Where in the table each of the moved elements is; null if whole rows are moved, or an index is none. */
function placesOf(value: Value, lanes: readonly number[]): Int32Array | null {
  const { op, inputs, attributes } = value;
  const [table, moved] = [tableOf(value), movedOf(value)];
  const indices = inputs.slice(1);
  const data = indices.map(({ source }) => (source as { data: number | Data }).data);
  const [one] = data;
  if (typeof one === 'number' || one.length !== sizeOf(moved.shape) * (moved.space < 0 ? 1 : lanes[moved.space])) {
    return null;
  }
  const byLanes = op === LANE_GATHER || op === LANE_SCATTER;
  const leading = byLanes ? [lanes[table.space]] : (attributes as GatherAttributes).leading;
  const apart = byLanes || table.space < 0 ? 0 : sizeOf(table.shape);
  const perLane = one.length / (apart === 0 ? 1 : lanes[table.space]);
  const places = new Int32Array(one.length);
  for (let i = 0; i < places.length; i++) {
    let place = 0;
    for (let axis = 0; axis < leading.length; axis++) {
      const index = (data[axis] as Data)[i];
      if (!(index >= 0 && index < leading[axis] && index === Math.floor(index))) return null;
      place = place * leading[axis] + index;
    }
    places[i] = place + (apart === 0 ? 0 : apart * Math.floor(i / perLane));
  }
  return places;
}
