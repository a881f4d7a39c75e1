/**
 * Graphs of numbers alone as programs: what `programOf` makes of any graph, in one pass that need not ask about axes, lanes and
 * attributes. Many densities are such graphs, and a short run takes longer to plan them than to evaluate them.
 */
import * as t from '../elementwise/table.ts';
import { type DType, isScalar, type Node, type Op, RESIDENT } from '../node.ts';
import { SCALAR } from '../shape.ts';
import { MOST_VALUES, type Program, type Source, Value } from './program.ts';

const NONE: readonly Value[] = [];

/** The program of a graph in this order, as `topological` has just given it; null if there is anything but numbers in it. */
export function scalarProgramOf(
  order: readonly Node[],
  outputs: readonly Node[],
  inputs: readonly Node[],
): Program | null {
  for (let i = 0; i < inputs.length; i++) if (inputs[i].op.kind !== 'leaf') return null;
  for (let i = 0; i < order.length; i++) if (!isNumber(order[i])) return null;
  if (order.length >= MOST_VALUES) return null;
  const importer = new Importer(inputs);
  // By position in the order, which is the slot of a node.
  const found = new Array<Value>(order.length);
  for (let i = 0; i < order.length; i++) {
    const value = importer.convert(order[i], found);
    if (value === null) return null;
    found[i] = value;
  }
  return { values: importer.values, outputs: outputs.map((node) => found[node.slot]), spaces: [] };
}

function isNumber(node: Node): boolean {
  const { op } = node;
  return isScalar(node) && (op.kind === 'elementwise' || (op.kind === 'leaf' && op !== RESIDENT));
}

const isBaked = (value: Value): boolean => value.source !== null && value.source.kind === 'baked';
const bakedNumber = (value: Value): number => (value.source as { data: number }).data;

const isOne = (value: Value): boolean => isBaked(value) && bakedNumber(value) === 1;

class Importer {
  readonly values: Value[] = [];
  private readonly given = new Map<Node, Value>();
  /** Constants by their value, unless they are truth values or −0, which a table takes for 0. */
  private readonly numbers = new Map<number, Value>();
  private readonly merged = new Map<string | number, Value>();

  constructor(inputs: readonly Node[]) {
    for (let i = 0; i < inputs.length; i++) {
      const node = inputs[i];
      if (!this.given.has(node)) this.given.set(node, this.add(node.op, NONE, node.dtype, { kind: 'input', index: i }));
    }
  }

  /** Null for a leaf that is neither an input nor known. */
  convert(node: Node, found: readonly Value[]): Value | null {
    const { op, dtype, data } = node;
    if (op.kind === 'leaf') {
      const given = this.given.get(node);
      if (given !== undefined) return given;
    }
    if (data !== null) return this.baked(op, dtype, data as number);
    const { inputs } = node;
    if (inputs.length === 0) return null;
    const a = found[inputs[0].slot];
    const b = inputs.length > 1 ? found[inputs[1].slot] : null;
    const c = inputs.length > 2 ? found[inputs[2].slot] : null;
    if (isBaked(a) && (b === null || isBaked(b)) && (c === null || isBaked(c))) {
      const compute = op.compute as NonNullable<typeof op.compute>;
      const result = compute(bakedNumber(a), b === null ? 0 : bakedNumber(b), c === null ? 0 : bakedNumber(c));
      return this.baked(op, dtype, result);
    }
    if (b === null) return this.made((op.id * MOST_VALUES + a.id) * MOST_VALUES, op, [a], dtype);
    if (c !== null) return this.made(`${op.id} ${a.id} ${b.id} ${c.id} ${dtype}`, op, [a, b, c], dtype);
    if (op === t.MUL || op === t.WEIGH) {
      if (isOne(b) && a.dtype === dtype) return a;
      if (isOne(a) && b.dtype === dtype) return b;
    }
    // Where a derivative is a finite number, nothing has to be kept from becoming NaN.
    const simple = op === t.WEIGH && isBaked(b) && Number.isFinite(bakedNumber(b)) ? t.MUL : op;
    return this.made((simple.id * MOST_VALUES + a.id) * MOST_VALUES + b.id + 1, simple, [a, b], dtype);
  }

  private made(key: string | number, op: Op, inputs: readonly Value[], dtype: DType): Value {
    let value = this.merged.get(key);
    if (value === undefined) {
      value = this.add(op, inputs, dtype, null);
      this.merged.set(key, value);
    }
    return value;
  }

  private baked(op: Op, dtype: DType, data: number): Value {
    const source: Source = { kind: 'baked', data };
    if (dtype !== 'f64' || Object.is(data, -0)) {
      const key = `${dtype} ${Object.is(data, -0) ? '-0' : data}`;
      const value = this.merged.get(key) ?? this.add(op, NONE, dtype, source);
      this.merged.set(key, value);
      return value;
    }
    const value = this.numbers.get(data) ?? this.add(op, NONE, dtype, source);
    this.numbers.set(data, value);
    return value;
  }

  private add(op: Op, inputs: readonly Value[], dtype: DType, source: Source | null): Value {
    const value = new Value(this.values.length, op, inputs, null, SCALAR, dtype, -1, source);
    this.values.push(value);
    return value;
  }
}
