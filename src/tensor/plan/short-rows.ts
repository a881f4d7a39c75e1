/**
 * Short rows in registers. Where each lane has a row of a few numbers (the logits of a small choice, say), loops along
 * the row are too short for vectors, and every operation along the row would be a pass through memory. So what happens
 * to such rows is written element by element, as operations on numbers of lanes: vectors then hold elements of
 * neighbouring lanes, and a whole softmax with its gradient becomes one kernel.
 */
import * as t from '../elementwise/table.ts';
import type { GatherAttributes } from '../kernels/indexing.ts';
import type { AxisAttributes, ReduceAttributes } from '../kernels/reduce.ts';
import {
  type ConcatAttributes,
  type TransposeAttributes,
  transposeOffsets,
  type WindowAttributes,
  windowOffsets,
} from '../kernels/structure.ts';
import { broadcastOffsets, offsetsAlong } from '../kernels/walk.ts';
import { type Attributes, CONSTANT, type Data, type DType, type Op, RESHAPE } from '../node.ts';
import { GATHER, SCATTER } from '../ops/indexing.ts';
import { CUMSUM, MAX_OF, MIN_OF, PROD, reduceAttributes, SUM } from '../ops/reductions.ts';
import { CONCAT, PAD, SLICE, TRANSPOSE } from '../ops/structure.ts';
import { SCALAR, type Shape, sizeOf, stridesOf } from '../shape.ts';
import { hasVectorCode } from '../wasm/emit.ts';
import { type Check, type Program, type Source, Value } from './program.ts';
import { isShortRow, PART, partAttributes, ROW } from './row-parts.ts';

/** The program with short rows taken apart wherever something is done along them. */
export function withShortRows(program: Program): Program {
  const along = alongRows(program);
  return along.size === 0 ? program : new Rewriter(program, along).run();
}

const folds: ReadonlyMap<Op, Op> = new Map([
  [SUM, t.ADD],
  [PROD, t.MUL],
  [MAX_OF, t.MAX],
  [MIN_OF, t.MIN],
]);

/** Operations that put rows together or take them apart. */
const isWindow = (op: Op): boolean => op === PAD || op === SLICE || op === CONCAT;

const isMove = (op: Op): boolean => isWindow(op) || op === TRANSPOSE;

/** A short row, or a single number of each lane. */
const isShort = (value: Value): boolean => isShortRow(value) || (value.space >= 0 && value.shape.length === 0);

/** Whether an operation can be done element by element. */
function canBeParted(value: Value): boolean {
  const { op, inputs, space, dtype } = value;
  if (value.source !== null || space < 0 || dtype === 'i32') return false;
  // Networks compute with rows of single precision: these are moved element by element, but computed as they are.
  if (dtype === 'f32' && !isMove(op) && op !== RESHAPE && !isPutTogether(value)) return false;
  const fits = (input: Value): boolean =>
    input.isScalar ||
    (input.space === space && (input.shape.length === 0 || isShortRow(input))) ||
    (input.space < 0 && input.source?.kind === 'baked');
  if (op.kind === 'elementwise') return isShortRow(value) && hasVectorCode(op) && inputs.every(fits);
  if (!inputs.every((input) => input.space === space && input.dtype === dtype)) {
    if (op !== GATHER && op !== SCATTER) return false;
  }
  if (folds.has(op) || op === CUMSUM) {
    return isShortRow(inputs[0]) && (value.attributes as ReduceAttributes).lanes !== true;
  }
  if (op === RESHAPE) return isShort(value) && isShort(inputs[0]);
  if (op === GATHER) return dtype === 'f64' && isShortRow(inputs[0]) && value.shape.length === 0 && isOwnIndex(value);
  if (op === SCATTER) return dtype === 'f64' && isShortRow(value) && inputs[0].shape.length === 0 && isOwnIndex(value);
  return isMove(op) && isShortRow(value) && inputs.every(isShortRow);
}

/** Whether it is a sum of rows that stand side by side in zeros: the gradient of a row of which elements were used. */
const isPutTogether = ({ op, inputs, shape }: Value): boolean =>
  op === t.ADD &&
  inputs.some((input) => input.op === PAD && input.source === null) &&
  inputs.every((input) => sizeOf(input.shape) === sizeOf(shape));

/** One number of a lane names an element of the lane's own row. */
function isOwnIndex({ inputs, space, attributes }: Value): boolean {
  const { leading } = attributes as GatherAttributes;
  return leading.length === 1 && inputs.length === 2 && inputs.every((input) => input.space === space);
}

/** Operations along a row, as opposed to those on each of its elements alone. */
const isAlong = ({ op, shape, inputs }: Value): boolean =>
  (folds.has(op) && inputs[0].shape.length !== shape.length) || op === CUMSUM || op === GATHER || op === SCATTER;

/** The operations to be taken apart: those that are connected with one along rows. */
function alongRows({ values }: Program): ReadonlySet<Value> {
  const parted = values.filter(canBeParted);
  const group = new Map<Value, Value>();
  const find = (value: Value): Value => {
    let at = value;
    while (group.get(at) !== undefined && group.get(at) !== at) at = group.get(at) as Value;
    group.set(value, at);
    return at;
  };
  for (const value of parted) {
    for (const input of value.inputs) if (isShortRow(input)) group.set(find(input), find(value));
  }
  const isWorth = (value: Value): boolean => (isAlong(value) || isWindow(value.op)) && longest(value) > 1;
  const worth = new Set(parted.filter(isWorth).map(find));
  return new Set(parted.filter((value) => worth.has(find(value))));
}

const longest = ({ shape, inputs }: Value): number => Math.max(sizeOf(shape), sizeOf(inputs[0].shape));

/** What is left of a sum where the other is 0. */
const summand = ([a, b]: readonly Value[]): Value | undefined => (isZero(a) ? b : isZero(b) ? a : undefined);

const isZero = ({ source }: Value): boolean => source?.kind === 'baked' && source.data === 0;

class Rewriter {
  private readonly values: Value[] = [];
  /** What replaces a value of the old program: a value as a whole, or its parts. */
  private readonly whole = new Map<Value, Value>();
  private readonly parts = new Map<Value, readonly Value[]>();
  private readonly equalities = new Map<string, Value>();
  /** By index and length of the row. */
  private readonly checks = new Map<string, Check>();

  constructor(
    private readonly program: Program,
    private readonly parted: ReadonlySet<Value>,
  ) {}

  run(): Program {
    for (const value of this.program.values) {
      if (this.parted.has(value)) this.parts.set(value, this.apart(value));
      else this.keep(value);
    }
    const outputs = this.program.outputs.map((value) => this.wholeOf(value));
    return { values: this.values, outputs, spaces: this.program.spaces, checks: [...this.checks.values()] };
  }

  private make(
    op: Op,
    inputs: readonly Value[],
    shape: Shape,
    dtype: DType,
    space: number,
    attributes: Attributes | null = null,
    source: Source | null = null,
  ): Value {
    const value = new Value(this.values.length, op, inputs, attributes, shape, dtype, space, source);
    this.values.push(value);
    return value;
  }

  private keep(value: Value): void {
    const { op, shape, dtype, space, attributes, source } = value;
    const inputs = value.inputs.map((input) => this.readBy(value, input));
    this.whole.set(value, this.make(op, inputs, shape, dtype, space, attributes, source));
  }

  /** What an operation reads of an input: kernels read a number of each lane where it stands in its row. */
  private readBy({ op, dtype }: Value, input: Value): Value {
    const isKernel = op.kind === 'elementwise' && hasVectorCode(op) && (dtype === 'f64' || op === t.TO_F32);
    const parts = isKernel && input.shape.length === 0 ? this.parts.get(input) : undefined;
    return parts?.[0] ?? this.wholeOf(input);
  }

  private wholeOf(value: Value): Value {
    let whole = this.whole.get(value);
    if (whole === undefined) {
      const parts = this.parts.get(value) as readonly Value[];
      const { shape, dtype, space } = value;
      if (parts.length > 1) whole = this.make(ROW, parts, shape, dtype, space);
      else {
        const single = this.onItsOwn(parts[0], space);
        whole = shape.length === 0 ? single : this.make(RESHAPE, [single], shape, dtype, space);
      }
      this.whole.set(value, whole);
    }
    return whole;
  }

  /** A part as a value that not only kernels can read: one that stands in a row, or is the same for all lanes, is copied. */
  private onItsOwn(part: Value, space: number): Value {
    return part.op === PART || part.space < 0 ? this.make(t.EXPAND, [part], SCALAR, part.dtype, space) : part;
  }

  /** The elements of a value, each as a number per lane, or as one for all. */
  private partsOf(value: Value): readonly Value[] {
    let parts = this.parts.get(value);
    if (parts === undefined) {
      const whole = this.wholeOf(value);
      const { dtype, space, shape } = value;
      const size = sizeOf(shape);
      if (shape.length === 0) parts = [whole];
      else if (space < 0) parts = this.constants(value);
      else if (size === 1) parts = [this.make(RESHAPE, [whole], SCALAR, dtype, space)];
      else {
        parts = Array.from({ length: size }, (_, at) =>
          this.make(PART, [whole], SCALAR, dtype, space, partAttributes(at, size)),
        );
      }
      this.parts.set(value, parts);
    }
    return parts;
  }

  private constants({ source, dtype }: Value): Value[] {
    const { data } = source as { data: Data };
    return Array.from(data, (number) => this.constant(number, dtype));
  }

  private constant(number: number, dtype: DType = 'f64'): Value {
    return this.make(CONSTANT, [], SCALAR, dtype, -1, null, { kind: 'baked', data: number });
  }

  private apart(value: Value): readonly Value[] {
    const { op, inputs, shape, space, dtype, attributes } = value;
    const number = (of: Op, ...operands: Value[]): Value =>
      this.make(of, operands, SCALAR, of.truth ? 'bool' : dtype, space);
    if (op.kind === 'elementwise') {
      const operands = inputs.map((input) => ({
        parts: this.partsOf(input),
        at: broadcastOffsets(shape, input.shape, false, false),
      }));
      return Array.from({ length: sizeOf(shape) }, (_, i) => {
        const given = operands.map(({ parts, at }) => parts[at[i]]);
        return (op === t.ADD && summand(given)) || this.make(op, given, SCALAR, dtype, space);
      });
    }
    const parts = this.partsOf(inputs[0]);
    const fold = folds.get(op);
    if (fold !== undefined) {
      const { axes } = attributes as ReduceAttributes;
      const rank = inputs[0].shape.length;
      const kept = Array.from({ length: rank }, (_, axis) => axis).filter((axis) => !axes.includes(axis));
      const offsets = [...offsetsAlong(inputs[0].shape, axes)];
      return Array.from(offsetsAlong(inputs[0].shape, kept), (base) =>
        offsets.map((offset) => parts[base + offset]).reduce((total, part) => number(fold, total, part)),
      );
    }
    if (op === CUMSUM) return this.running(parts, shape, attributes as AxisAttributes, number);
    if (op === GATHER) {
      const index = this.wholeOf(inputs[1]);
      this.check(index, parts.length);
      return [
        parts.reduce(
          (found, part, i) => number(t.SELECT, this.equals(index, i), part, found),
          this.constant(Number.NaN),
        ),
      ];
    }
    if (op === SCATTER) {
      const index = this.wholeOf(inputs[1]);
      this.check(index, sizeOf(shape));
      const zero = this.constant(0);
      return Array.from({ length: sizeOf(shape) }, (_, i) => number(t.SELECT, this.equals(index, i), parts[0], zero));
    }
    return this.moved(value, parts);
  }

  /** Has the plan count the lanes whose index names no element. */
  private check(index: Value, length: number): void {
    const key = `${index.id} ${length}`;
    if (this.checks.has(key)) return;
    const { space } = index;
    const named = Array.from({ length }, (_, i) => this.equals(index, i)).reduce((some, one) =>
      this.make(t.OR, [some, one], SCALAR, 'bool', space),
    );
    const count = this.make(t.SELECT, [named, this.constant(0), this.constant(1)], SCALAR, 'f64', space);
    const wrong = this.make(SUM, [count], SCALAR, 'f64', -1, reduceAttributes([], true));
    this.checks.set(key, { wrong, length });
  }

  /** Whether the index names the i-th element: asked by all that reads, writes or checks there, and computed once. */
  private equals(index: Value, i: number): Value {
    const key = `${index.id} ${i}`;
    let equality = this.equalities.get(key);
    if (equality === undefined) {
      equality = this.make(t.EQ, [index, this.constant(i)], SCALAR, 'bool', index.space);
      this.equalities.set(key, equality);
    }
    return equality;
  }

  private running(
    parts: readonly Value[],
    shape: Shape,
    { axis, reverse }: AxisAttributes,
    number: (of: Op, ...operands: Value[]) => Value,
  ): Value[] {
    const step = stridesOf(shape)[axis];
    const sums = [...parts];
    const order = parts.map((_, i) => i);
    if (reverse) order.reverse();
    for (const i of order) {
      const place = Math.floor(i / step) % shape[axis];
      const isFirst = place === (reverse ? shape[axis] - 1 : 0);
      if (!isFirst) sums[i] = number(t.ADD, sums[reverse ? i + step : i - step], parts[i]);
    }
    return sums;
  }

  private moved({ op, inputs, shape, attributes }: Value, parts: readonly Value[]): readonly Value[] {
    if (op === RESHAPE) return parts;
    const from = inputs[0].shape;
    if (op === TRANSPOSE) {
      const { permutation } = attributes as TransposeAttributes;
      return Array.from(transposeOffsets(from, false, permutation), (at) => parts[at]);
    }
    if (op === SLICE) {
      return Array.from(windowOffsets(from, shape, false, (attributes as WindowAttributes).begin), (at) => parts[at]);
    }
    if (op === PAD) {
      const out = new Array<Value>(sizeOf(shape)).fill(this.constant(0, inputs[0].dtype));
      windowOffsets(shape, from, false, (attributes as WindowAttributes).begin).forEach((to, i) => {
        out[to] = parts[i];
      });
      return out;
    }
    const { axis } = attributes as ConcatAttributes;
    const out: Value[] = [];
    let begin = 0;
    for (const input of inputs) {
      const start = shape.map((_, i) => (i === axis ? begin : 0));
      windowOffsets(shape, input.shape, false, start).forEach((to, i) => {
        out[to] = this.partsOf(input)[i];
      });
      begin += input.shape[axis];
    }
    return out;
  }
}
