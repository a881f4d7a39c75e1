/** The portable evaluator: one operation after the other, in plain JavaScript. What other devices are tested against. */
import { elementwiseLoop } from './elementwise/loops.ts';
import { lower, topological } from './graph.ts';
import { allocate, type Data, INPUT, isScalar, type Node, type Operand } from './node.ts';

/** Fills the data of `roots`. Data of nodes in between is dropped as soon as its last user has run. */
export function evaluateReference(roots: readonly Node[]): void {
  const values = new Map<Node, number | Data>();
  computeInto(values, roots);
  for (const root of roots) root.data = values.get(root) as number | Data;
}

/** Computes what `roots` need, given the values of some nodes. */
export function computeInto(values: Map<Node, number | Data>, roots: readonly Node[]): void {
  const order = topological(roots);
  const keep = new Set(roots);
  const uses = new Map<Node, number>();
  for (const node of order) for (const input of node.inputs) uses.set(input, (uses.get(input) ?? 0) + 1);
  for (const node of order) {
    if (values.has(node)) continue;
    values.set(node, node.data ?? compute(node, values));
    if (node.data !== null) continue;
    for (const input of node.inputs) {
      const left = (uses.get(input) as number) - 1;
      uses.set(input, left);
      if (left === 0 && !keep.has(input) && input.op !== INPUT) values.delete(input);
    }
  }
}

function compute(node: Node, values: Map<Node, number | Data>): number | Data {
  switch (node.op.kind) {
    case 'leaf':
      throw new Error(`An ${node.op.name} has no value of its own: evaluate it through a plan.`);
    case 'view':
      return sameElements(values.get(node.inputs[0]) as number | Data, node);
    case 'composite': {
      const simple = lower(node);
      const inner = new Map<Node, number | Data>();
      for (const input of node.inputs) inner.set(input, values.get(input) as number | Data);
      computeInto(inner, [simple]);
      return inner.get(simple) as number | Data;
    }
    default:
      return run(node, values);
  }
}

/** Scalars are plain numbers, everything else is an array: views may lead from one to the other. */
function sameElements(value: number | Data, node: Node): number | Data {
  if (isScalar(node)) return typeof value === 'number' ? value : value[0];
  if (typeof value !== 'number') return value;
  const data = allocate(node.dtype, 1);
  data[0] = value;
  return data;
}

function run(node: Node, values: Map<Node, number | Data>): number | Data {
  const { op } = node;
  if (op.kind === 'elementwise' && isScalar(node)) {
    const [a, b, c] = node.inputs;
    const compute = op.compute as (a: number, b: number, c: number) => number;
    return compute(
      values.get(a) as number,
      b === undefined ? 0 : (values.get(b) as number),
      c === undefined ? 0 : (values.get(c) as number),
    );
  }
  const inputs = node.inputs.map((input) => operandOf(input, values.get(input) as number | Data));
  const out = operandOf(node, allocate(node.dtype, node.length));
  if (op.kind === 'elementwise') elementwiseLoop(op, out, inputs);
  else (op.kernel as NonNullable<typeof op.kernel>)(out, inputs, node.attributes);
  return isScalar(node) ? out.data[0] : out.data;
}

function operandOf(node: Node, value: number | Data): Operand {
  const data = typeof value === 'number' ? Float64Array.of(value) : value;
  return { data, dims: node.dims, lanes: node.space !== null };
}
