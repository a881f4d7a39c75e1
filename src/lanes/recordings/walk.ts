import { evaluate } from '../../tensor/evaluate.ts';
import { topological } from '../../tensor/graph.ts';
import { type Data, isScalar, type Node } from '../../tensor/node.ts';
import { forget } from '../../tensor/plan/forget.ts';

/** Evaluates a graph node by node at given inputs: slower than a plan, but there is nothing to compile. */
export class Walk {
  /** What is to be computed, in order, if all of it is numbers. */
  private readonly order: readonly Node[] | null;
  /** What was computed for many inputs: of each node a list. */
  private columns = new Map<Node, Float64Array>();
  private room = 0;

  constructor(
    private readonly outputs: readonly Node[],
    private readonly inputs: readonly Node[],
  ) {
    forget(outputs, inputs);
    const order = topological(outputs);
    this.order = order.every(isNumber) ? order.filter((node) => node.data === null) : null;
  }

  /** Numbers to compute; infinitely many if not all of them are. */
  get length(): number {
    return this.order?.length ?? Infinity;
  }

  run(given: readonly (number | Data)[]): (number | Data)[] {
    const { inputs, outputs, order } = this;
    if (order === null) forget(outputs, inputs);
    for (let i = 0; i < inputs.length; i++) {
      const value = given[i];
      inputs[i].data = typeof value === 'number' ? value : value.slice();
    }
    if (order === null) evaluate(outputs);
    else for (let i = 0; i < order.length; i++) compute(order[i]);
    const results = new Array<number | Data>(outputs.length);
    for (let i = 0; i < outputs.length; i++) results[i] = outputs[i].data as number | Data;
    return results;
  }

  /**
   * The outputs at many inputs, which lie one after the other, and `stride` apart from one evaluation to the next: a list of each, which is
   * another at the next call. Null if not all of it is numbers.
   */
  many(numbers: Float64Array, from: number, stride: number, count: number): readonly Float64Array[] | null {
    const { inputs, outputs, order } = this;
    if (order === null) return null;
    if (count > this.room) {
      this.room = count;
      this.columns = new Map();
    }
    let at = from;
    for (const input of inputs) {
      if (isScalar(input)) takeEach(numbers, at, stride, count, this.columnOf(input));
      at += input.length;
    }
    for (const node of order) {
      const [a, b, c] = node.inputs;
      const second = b === undefined ? null : this.columnOf(b);
      const third = c === undefined ? null : this.columnOf(c);
      computeEach(computing(node), this.columnOf(a), second, third, count, this.columnOf(node));
    }
    return outputs.map((node) => this.columnOf(node));
  }

  private columnOf(node: Node): Float64Array {
    let column = this.columns.get(node);
    if (column === undefined) {
      column = new Float64Array(this.room);
      // What is not computed is a constant.
      if (typeof node.data === 'number') column.fill(node.data);
      this.columns.set(node, column);
    }
    return column;
  }
}

type Compute = (a: number, b: number, c: number) => number;

const computing = ({ op }: Node): Compute => op.compute as Compute;

function takeEach(numbers: Float64Array, from: number, stride: number, count: number, out: Float64Array): void {
  for (let i = 0; i < count; i++) out[i] = numbers[from + i * stride];
}

function computeEach(
  f: Compute,
  a: Float64Array,
  b: Float64Array | null,
  c: Float64Array | null,
  count: number,
  out: Float64Array,
): void {
  for (let i = 0; i < count; i++) out[i] = f(a[i], b === null ? 0 : b[i], c === null ? 0 : c[i]);
}

/** Known, or computed from numbers by an elementwise operation. */
function isNumber(node: Node): boolean {
  return isScalar(node) && (node.data !== null || node.op.kind === 'elementwise');
}

function compute(node: Node): void {
  const { inputs } = node;
  const f = computing(node);
  const a = inputs[0].data as number;
  const b = inputs.length > 1 ? (inputs[1].data as number) : 0;
  const c = inputs.length > 2 ? (inputs[2].data as number) : 0;
  node.data = f(a, b, c);
}
