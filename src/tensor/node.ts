import type { LaneSpace } from './lane-space.ts';
import { SCALAR, type Shape, sizeOf } from './shape.ts';
import { Tensor } from './tensor.ts';

/** Truth values are stored as 0 and 1 in single precision. */
export type DType = 'f64' | 'f32' | 'i32' | 'bool';
export type Data = Float64Array | Float32Array | Int32Array;

export function allocate(dtype: DType, length: number): Data {
  if (dtype === 'f64') return new Float64Array(length);
  return dtype === 'i32' ? new Int32Array(length) : new Float32Array(length);
}

export const bytesPerElement: Readonly<Record<DType, number>> = { f64: 8, f32: 4, i32: 4, bool: 4 };

/** The difference between two uses of one operation besides their inputs; equal keys mean equal attributes. */
export interface Attributes {
  readonly key: string;
}

/**
 * How a node's value comes about. `elementwise` operations work on matching elements and are fused; `kernel`
 * operations have a routine of their own; `composite` ones are replaced by others before evaluation; a `view` has the
 * elements of its input in the same order.
 */
type OpKind = 'leaf' | 'elementwise' | 'kernel' | 'composite' | 'view';

/** An input or the output of a kernel: elements in row-major order, `dims` including the lane axis if `lanes`. */
export interface Operand {
  readonly data: Data;
  readonly dims: Shape;
  readonly lanes: boolean;
}

/** Fills `out`, whose contents are arbitrary before. */
export type Kernel = (out: Operand, inputs: readonly Operand[], attributes: Attributes | null) => void;

export type Compute = (a: number, b: number, c: number) => number;

/** Every operation there is, in order of definition. */
export const allOps: Op[] = [];

export class Op {
  readonly id = allOps.length;
  kernel: Kernel | null = null;
  /** For composites: the same value in simpler operations. */
  lower: ((node: Node) => Node) | null = null;
  /** For elementwise operations: on numbers, and as JavaScript source in the variables a, b and c. */
  compute: Compute | null = null;
  source: string | null = null;
  /** A comparison or logical operation: its value is 0 or 1. */
  truth = false;
  /** Its value consists of rows of its first input (`hoist.ts`). */
  gathersRows = false;
  /** Whether the result is made of elements of the first input, so that functions of elements may as well come before. */
  selects = false;
  /** Whether the result is made of elements of all inputs, each of them once. */
  joins = false;
  /** The operation that gives the logarithm of its value: of the same inputs, and exact where the value has rounded. */
  logarithm: Op | null = null;
  /** The other way round: the probabilities whose logarithms it gives. */
  probability: Op | null = null;

  constructor(
    readonly name: string,
    readonly kind: OpKind,
  ) {
    allOps.push(this);
  }
}

export function kernelOp(name: string, kernel: Kernel): Op {
  const op = new Op(name, 'kernel');
  op.kernel = kernel;
  return op;
}

export function compositeOp(name: string, lower: (node: Node) => Node): Op {
  const op = new Op(name, 'composite');
  op.lower = lower;
  return op;
}

/** The same elements in another shape. */
export const RESHAPE = new Op('reshape', 'view');

/** Known data, and data supplied when a plan is run. */
export const CONSTANT = new Op('constant', 'leaf');
export const INPUT = new Op('input', 'leaf');
/** Data that stays on a device between runs; its attributes are the buffer. */
export const RESIDENT = new Op('resident', 'leaf');

/** How values are computed; installed by `evaluate.ts`, which knows all devices, while nodes know none. */
export const evaluation: { force: (nodes: readonly Node[]) => void } = {
  force() {
    throw new Error('No evaluator is loaded: import src/tensor/evaluate.ts.');
  },
};

/** One operation of the lazy graph. Immutable but for `data`, which is filled when the value is first needed. */
export class Node {
  data: number | Data | null = null;
  /** Stamp and number given by the walk that visited this node last. */
  visit = 0;
  slot = 0;
  /** This value gathered into descendant spaces, so that each gather happens once. */
  gathered: Node[] | null = null;

  constructor(
    readonly op: Op,
    readonly inputs: readonly Node[],
    readonly attributes: Attributes | null,
    readonly shape: Shape,
    readonly dtype: DType,
    readonly space: LaneSpace | null,
  ) {}

  /** Lengths of the axes in memory: the lane axis first, if there is one. */
  get dims(): Shape {
    return this.space === null ? this.shape : [this.space.size, ...this.shape];
  }

  get length(): number {
    return this.space === null ? sizeOf(this.shape) : this.space.size * sizeOf(this.shape);
  }

  /** A number, a truth value, or a tensor (whose first axis is the lane axis if the node has lanes). */
  value(): number | boolean | Tensor {
    if (this.data === null) evaluation.force([this]);
    const data = this.data as number | Data;
    if (typeof data === 'number') return this.dtype === 'bool' ? data !== 0 : data;
    // A short array shares its memory with others, which would be kept along with it.
    const isOwn = data instanceof Float64Array && data.byteLength === data.buffer.byteLength;
    return new Tensor(this.dims, isOwn ? data : Float64Array.from(data));
  }

  /** The elements, in the precision they have; not to be written to. */
  elements(): Data {
    if (this.data === null) evaluation.force([this]);
    const data = this.data as number | Data;
    return typeof data === 'number' ? Float64Array.of(data) : data;
  }

  toString(): string {
    return `Node ${this.op.name} [${this.shape.join(', ')}]${this.space === null ? '' : ` × ${this.space.size} lanes`}`;
  }
}

/** True for values without axes and lanes: their data is a plain number. */
export function isScalar(node: Node): boolean {
  return node.shape.length === 0 && node.space === null;
}

/** What operations accept. Without a node among the operands, they answer at once with a number or tensor. */
export type Value = number | boolean | Tensor | Node;

export function isNumeric(value: unknown): value is Value {
  return typeof value === 'number' || typeof value === 'boolean' || value instanceof Node || value instanceof Tensor;
}

/** True of truth values, and of nodes that are some. */
export const isTruth = (value: unknown): boolean =>
  typeof value === 'boolean' || (value instanceof Node && value.dtype === 'bool');

/** Without the lanes of a node. */
export function shapeOf(value: Value): Shape {
  return value instanceof Node ? value.shape : value instanceof Tensor ? value.dims : SCALAR;
}

export const NO_INPUTS: readonly Node[] = [];

let stamp = 0;
/** A number no earlier walk over the graph has used. */
export function nextVisit(): number {
  return ++stamp;
}
