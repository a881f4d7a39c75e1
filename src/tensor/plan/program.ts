/**
 * A graph in the form plans are made from: composites replaced, equal subexpressions merged, constants folded. Lane
 * spaces are only numbered, so that one program serves lanes of any size.
 */
import { MUL, TO_F64, WEIGH } from '../elementwise/table.ts';
import { lower } from '../graph.ts';
import { AS_LANES, FROM_LANES, LANE_GATHER } from '../lane-gather.ts';
import type { LaneSpace } from '../lane-space.ts';
import { scalar } from '../leaves.ts';
import { type Attributes, type Data, type DType, isScalar, type Node, type Op, RESHAPE } from '../node.ts';
import { GATHER } from '../ops/indexing.ts';
import { PARTITION } from '../partition.ts';
import { evaluateReference } from '../reference.ts';
import { type Shape, sameShape, sizeOf } from '../shape.ts';
import { hasVectorCode } from '../wasm/emit.ts';

/** Where a leaf gets its data: the n-th input of a run, or the plan itself. */
export type Source =
  | { readonly kind: 'input'; readonly index: number }
  | { readonly kind: 'baked'; readonly data: number | Data };

export class Value {
  constructor(
    readonly id: number,
    readonly op: Op,
    readonly inputs: readonly Value[],
    readonly attributes: Attributes | null,
    readonly shape: Shape,
    readonly dtype: DType,
    /** Number of the lane space, −1 for none. */
    readonly space: number,
    readonly source: Source | null,
  ) {}

  get isScalar(): boolean {
    return this.shape.length === 0 && this.space < 0;
  }
}

/** Elements of a value, for the given numbers of lanes per space. */
export function elementsOf(value: Value, sizes: readonly number[]): number {
  return sizeOf(value.shape) * (value.space < 0 ? 1 : sizes[value.space]);
}

export interface Program {
  /** Inputs before users. */
  readonly values: readonly Value[];
  readonly outputs: readonly Value[];
  readonly spaces: readonly LaneSpace[];
  /** Further outputs, for the plan itself: how many lanes use an index that names nothing. */
  readonly checks?: readonly Check[];
}

export interface Check {
  readonly wrong: Value;
  /** How many elements the index can name. */
  readonly length: number;
}

/** `inputs` are the leaves whose data is given at each run; all other data is baked in. */
export function programOf(outputs: readonly Node[], inputs: readonly Node[]): Program {
  const importer = new Importer(inputs);
  const values = outputs.map((node) => importer.import(node));
  return { values: needed(importer.values, values), outputs: values, spaces: importer.spaces };
}

/** The node that finds the lanes of another, if each run of a plan finds them anew. */
function partitionOf({ space, op }: Node): Node | null {
  return space?.isOpen === true && op !== PARTITION ? space.partition : null;
}

/** Thrown where a constant belongs to lanes that each run of a plan finds anew: in another run these are other lanes. */
export const openLanes = new Error('numbers are known of lanes that a step finds anew');

/** The program without values that others have replaced. */
export function needed(values: readonly Value[], outputs: readonly Value[]): readonly Value[] {
  const used = new Set(outputs);
  const partitions = new Map<number, Value>();
  for (const value of values) if (value.op === PARTITION) partitions.set(value.space, value);
  for (let i = values.length - 1; i >= 0; i--) {
    if (!used.has(values[i])) continue;
    for (const input of values[i].inputs) used.add(input);
    const lanes = partitions.get(values[i].space);
    if (lanes !== undefined) used.add(lanes);
  }
  return values.filter((value) => value.source?.kind === 'input' || used.has(value));
}

/** Constants of so many numbers are compared by these; larger ones are data, of which few are the same. */
const FEW_NUMBERS = 32;

class Importer {
  readonly values: Value[] = [];
  readonly spaces: LaneSpace[] = [];
  private readonly known = new Map<Node, Value>();
  private readonly merged = new Map<string | number, Value>();
  private readonly bakedArrays = new Map<Data, Value>();

  constructor(inputs: readonly Node[]) {
    inputs.forEach((node, index) => {
      if (!this.known.has(node)) this.known.set(node, this.add(node, [], { kind: 'input', index }));
    });
  }

  /** Iterative, because scalar graphs are deep. */
  import(root: Node): Value {
    const stack: Node[] = [root];
    while (stack.length > 0) {
      const node = stack[stack.length - 1];
      if (this.known.has(node)) {
        stack.pop();
        continue;
      }
      const needs = this.hasData(node) ? [] : node.op.kind === 'composite' ? [lower(node)] : node.inputs;
      let ready = true;
      // The nodes that find the lanes come before those that compute for them.
      const lanes = partitionOf(node);
      if (lanes !== null && !this.known.has(lanes)) {
        stack.push(lanes);
        ready = false;
      }
      for (let i = needs.length - 1; i >= 0; i--) {
        if (!this.known.has(needs[i])) {
          stack.push(needs[i]);
          ready = false;
        }
      }
      if (!ready) continue;
      stack.pop();
      this.known.set(node, this.convert(node, needs));
    }
    return this.known.get(root) as Value;
  }

  /** Numbers of lanes that each run finds anew are computed by it; one that is known beforehand is an error. */
  private hasData(node: Node): boolean {
    if (node.data === null) return false;
    if (node.space?.isOpen !== true) return true;
    if (node.op.kind === 'leaf') throw openLanes;
    return false;
  }

  private convert(node: Node, needs: readonly Node[]): Value {
    const isOpen = node.space?.isOpen === true;
    if (node.data !== null && !isOpen) return this.baked(node, node.data);
    if ((node.op === FROM_LANES && node.inputs[0].space!.isOpen) || (node.op === AS_LANES && isOpen)) throw openLanes;
    if (node.op.kind === 'leaf') {
      throw new Error(`The plan depends on an ${node.op.name} that is not among its inputs.`);
    }
    const given = needs.map((need) => this.known.get(need) as Value);
    const inputs = node.op.truth ? this.compared(given) : given;
    if (node.op.kind === 'composite') return inputs[0];
    if (!isOpen && inputs.length > 0 && inputs.every((input) => input.source?.kind === 'baked')) {
      evaluateReference([node]);
      return this.baked(node, node.data as unknown as number | Data);
    }
    if (node.op.kind === 'elementwise' && hasVectorCode(node.op) && !isScalar(node)) this.takeNumbers(inputs);
    const only = soleFactor(node, inputs);
    if (only !== null && only.space === this.numberOf(node.space)) return only;
    const op = simplest(node.op, inputs);
    const key = scalarKey(node, op, inputs) ?? this.textKey(node, op, inputs);
    let value = this.merged.get(key);
    if (value === undefined) {
      value = this.add(node, inputs, null, op);
      this.merged.set(key, value);
    }
    return value;
  }

  private textKey(node: Node, op: Op, inputs: readonly Value[]): string {
    let key = `${op.id}`;
    for (const input of inputs) key += ` ${input.id}`;
    return `${key}/${node.attributes?.key ?? ''}/${node.shape.join(',')}/${node.dtype}/${this.numberOf(node.space)}`;
  }

  private baked(node: Node, data: number | Data): Value {
    const source: Source = { kind: 'baked', data };
    if (typeof data === 'number') return this.number(data, node);
    const before = this.bakedArrays.get(data);
    if (
      before !== undefined &&
      before.shape.join() === node.shape.join() &&
      before.space === this.numberOf(node.space)
    ) {
      return before;
    }
    const key = this.contentKey(node, data);
    const value = (key !== null && this.merged.get(key)) || this.add(node, [], source);
    if (key !== null) this.merged.set(key, value);
    this.bakedArrays.set(data, value);
    return value;
  }

  /** The same for constants of the same few numbers: what is computed of them is computed once, as are networks of them. */
  private contentKey({ shape, dtype, space }: Node, data: Data): string | null {
    if (data.length > FEW_NUMBERS) return null;
    const numbers = Array.from(data, (number) => (Object.is(number, -0) ? '-0' : number));
    return `${dtype} ${shape.join()} ${this.numberOf(space)}: ${numbers.join()}`;
  }

  private number(data: number, node = scalar(data)): Value {
    const key = `${node.dtype} ${Object.is(data, -0) ? '-0' : data}`;
    let value = this.merged.get(key);
    if (value === undefined) {
      value = this.add(node, [], { kind: 'baked', data });
      this.merged.set(key, value);
    }
    return value;
  }

  /** Where a number is repeated to some shape, elementwise operations take the number itself. */
  private takeNumbers(inputs: Value[]): void {
    inputs.forEach((input, i) => {
      if (input.source?.kind !== 'baked' || typeof input.source.data === 'number' || input.dtype === 'bool') return;
      const { data } = input.source;
      if (data.length > 0 && data.every((number) => Object.is(number, data[0]))) inputs[i] = this.number(data[0]);
    });
  }

  /** Comparisons of single precision with numbers that it has are made in it: they come out the same. */
  private compared(inputs: Value[]): Value[] {
    const singles = inputs.map((input) => this.single(input));
    return singles.every((value) => value !== null) ? (singles as Value[]) : inputs;
  }

  /** A value as it was before it was brought from single to double precision; null if it was not. */
  private single(value: Value): Value | null {
    const { op, source, inputs, attributes, shape } = value;
    if (source?.kind === 'baked' && typeof source.data === 'number') {
      return Math.fround(source.data) === source.data ? value : null;
    }
    if (source !== null) return null;
    if (op === TO_F64) return inputs[0].dtype === 'f32' ? inputs[0] : null;
    const before = op === RESHAPE ? this.single(inputs[0]) : null;
    if (before === null || before.isScalar) return null;
    const key = `single ${value.id}`;
    let made = this.merged.get(key);
    if (made === undefined) {
      made = new Value(this.values.length, op, [before], attributes, shape, 'f32', before.space, null);
      this.values.push(made);
      this.merged.set(key, made);
    }
    return made;
  }

  private add(node: Node, inputs: readonly Value[], source: Source | null, op = node.op): Value {
    const space = this.numberOf(node.space);
    const { attributes, shape } = node;
    // Views and gathers have elements of their input as they are there: what a composite was replaced by may be of double precision.
    const isAsGiven = op.kind === 'view' || op === GATHER || op === LANE_GATHER;
    const dtype = isAsGiven && inputs.length > 0 ? inputs[0].dtype : node.dtype;
    const value = new Value(this.values.length, op, inputs, attributes, shape, dtype, space, source);
    this.values.push(value);
    return value;
  }

  private numberOf(space: LaneSpace | null): number {
    if (space === null) return -1;
    const at = this.spaces.indexOf(space);
    if (at >= 0) return at;
    this.spaces.push(space);
    return this.spaces.length - 1;
  }
}

/** The factor that is left where the other is 1, if the product has its shape; null for everything else. */
function soleFactor({ op, shape, dtype }: Node, inputs: readonly Value[]): Value | null {
  if (op !== MUL && op !== WEIGH) return null;
  const isOne = ({ source }: Value): boolean => source?.kind === 'baked' && source.data === 1;
  const other = isOne(inputs[0]) ? inputs[1] : isOne(inputs[1]) ? inputs[0] : null;
  return other !== null && other.dtype === dtype && sameShape(other.shape, shape) ? other : null;
}

/** The operation, or a cheaper one that gives the same for such operands. */
function simplest(op: Op, inputs: readonly Value[]): Op {
  if (op !== WEIGH) return op;
  const { source } = inputs[0];
  return source?.kind === 'baked' && typeof source.data === 'number' && source.data !== 0 ? MUL : op;
}

/** Numbers of values stay below this in keys that are numbers. */
export const MOST_VALUES = 2 ** 21;

/** Operation and operands of a scalar with one or two inputs as one number; null for everything else. */
function scalarKey(node: Node, op: Op, inputs: readonly Value[]): number | null {
  if (inputs.length > 2 || op.kind !== 'elementwise' || !isScalar(node)) return null;
  const a = inputs[0].id;
  const b = inputs.length === 2 ? inputs[1].id + 1 : 0;
  if (a >= MOST_VALUES || b >= MOST_VALUES) return null;
  return (op.id * MOST_VALUES + a) * MOST_VALUES + b;
}
