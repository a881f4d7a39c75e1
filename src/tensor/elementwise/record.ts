/** Recording elementwise operations: shapes, precision and lane space of the result. */
import { isGatheredRow, isGatheredScalar, regather } from '../hoist.ts';
import { gatherTo } from '../lane-gather.ts';
import { type LaneSpace, meetingSpace } from '../lane-space.ts';
import { type DType, Node, type Op, RESHAPE } from '../node.ts';
import { broadcastShapes, SCALAR, type Shape, sameShape } from '../shape.ts';
import { EXPAND, TO_F32, TO_F64 } from './table.ts';

/** Values without axes are float64, and never raise the precision of tensors they meet. */
export function commonType(inputs: readonly Node[]): 'f64' | 'f32' {
  let single = false;
  for (const input of inputs) {
    if (input.shape.length === 0 || input.dtype === 'bool') continue;
    if (input.dtype !== 'f32') return 'f64';
    single = true;
  }
  return single ? 'f32' : 'f64';
}

export function recordUnary(op: Op, a: Node): Node {
  if (a.op.gathersRows && (isGatheredRow(a) || isGatheredScalar(a))) return regather(a, recordUnary(op, a.inputs[0]));
  return new Node(op, [a], null, a.shape, op.truth ? 'bool' : resultType(a), a.space);
}

function resultType(a: Node): DType {
  return a.dtype === 'f32' ? 'f32' : 'f64';
}

export function recordBinary(op: Op, a: Node, b: Node): Node {
  if (a.shape.length === 0 && b.shape.length === 0 && a.space === b.space) {
    return new Node(op, [a, b], null, SCALAR, op.truth ? 'bool' : 'f64', a.space);
  }
  if (a.op.gathersRows || b.op.gathersRows) {
    const hoisted = onTables(op, a, b);
    if (hoisted !== null) return hoisted;
  }
  return recordGeneral(op, [a, b], commonType([a, b]));
}

/** An operation on rows of two tables with the same index, or on a row and a shared value, done on the tables. */
function onTables(op: Op, a: Node, b: Node): Node | null {
  const rowA = isGatheredRow(a) || isGatheredScalar(a);
  const rowB = isGatheredRow(b) || isGatheredScalar(b);
  if (rowA && rowB && a.inputs[1] === b.inputs[1] && a.inputs[0].shape[0] === b.inputs[0].shape[0]) {
    const rank = Math.max(a.shape.length, b.shape.length);
    if (rank === 0) return null;
    return regather(a, recordBinary(op, tableOfRank(a, rank), tableOfRank(b, rank)));
  }
  if (isGatheredRow(a) && fitsRows(b, a)) return regather(a, recordBinary(op, a.inputs[0], b));
  if (isGatheredRow(b) && fitsRows(a, b)) return regather(b, recordBinary(op, a, b.inputs[0]));
  return null;
}

/** Whether a value is the same for all rows, and no larger than they are. */
function fitsRows(shared: Node, row: Node): boolean {
  const lead = row.shape.length - shared.shape.length;
  return shared.space === null && lead >= 0 && shared.shape.every((n, i) => n === 1 || n === row.shape[lead + i]);
}

/** The table of a gathered row, with axes of length 1 so that its rows have the given rank. */
function tableOfRank(row: Node, rank: number): Node {
  const table = row.inputs[0];
  const missing = rank - row.shape.length;
  if (missing === 0) return table;
  const shape = [table.shape[0], ...new Array<number>(missing).fill(1), ...table.shape.slice(1)];
  return new Node(RESHAPE, [table], null, shape, table.dtype, table.space);
}

/** `select`: the condition does not take part in the precision of the result. */
export function recordSelect(op: Op, condition: Node, a: Node, b: Node): Node {
  const dtype = a.dtype === 'bool' && b.dtype === 'bool' ? 'bool' : commonType([a, b]);
  return recordGeneral(op, [condition, a, b], dtype);
}

export function recordTernary(op: Op, a: Node, b: Node, c: Node): Node {
  return recordGeneral(op, [a, b, c], commonType([a, b, c]));
}

function recordGeneral(op: Op, inputs: readonly Node[], dtype: DType): Node {
  let shape: Shape = SCALAR;
  let space: LaneSpace | null = null;
  for (const input of inputs) {
    shape = broadcastShapes(op.name, shape, input.shape);
    space = meetingSpace(op.name, space, input.space);
  }
  const operands = inputs.map((input) => {
    const here = input.space === null || space === null ? input : gatherTo(input, space);
    // A single-precision kernel reads no float64 but shared scalars.
    const narrow = dtype === 'f32' && here.space !== null && (here.dtype === 'f64' || here.dtype === 'i32');
    return narrow ? castTo(here, 'f32') : here;
  });
  return new Node(op, operands, null, shape, op.truth ? 'bool' : dtype, space);
}

export function castTo(node: Node, dtype: 'f64' | 'f32'): Node {
  if (node.dtype === dtype) return node;
  if (node.op === TO_F64 && node.inputs[0].dtype === dtype) return node.inputs[0];
  if (node.op.gathersRows && isGatheredRow(node)) return regather(node, castTo(node.inputs[0], dtype));
  return new Node(dtype === 'f32' ? TO_F32 : TO_F64, [node], null, node.shape, dtype, node.space);
}

/** The value repeated along new or stretched axes and over the lanes of a space, in another precision if said. */
export function expandTo(node: Node, shape: Shape, space: LaneSpace | null, precision?: 'f64' | 'f32'): Node {
  const here = node.space !== null && space !== null ? gatherTo(node, space) : node;
  const dtype = precision ?? (here.dtype === 'i32' ? 'f64' : here.dtype);
  if (here.space === space && sameShape(here.shape, shape))
    return precision === undefined ? here : castTo(here, precision);
  return new Node(EXPAND, [here], null, shape, dtype, space);
}
