/** The portable evaluator: one operation after the other, in plain JavaScript. What other devices are tested against. */
import { elementwiseLoop } from './elementwise/loops.ts';
import { lower, topological } from './graph.ts';
import { allocate, type Compute, type Data, isScalar, type Node, type Operand, RESIDENT } from './node.ts';

/** What a node is computed to: a number for scalars, else the elements. */
export type Computed = number | Data;

/** Fills the data of `roots`; `order` is that of their graph, if it is known. */
export function evaluateReference(roots: readonly Node[], order?: readonly Node[]): void {
  computeAll(roots, undefined, order).forEach((value, i) => {
    roots[i].data = value;
  });
}

/**
 * Fills the data of all nodes of an order. A program that looks at values as it goes on needs them again and again, each
 * time with a little more after them.
 */
export function evaluateKeeping(order: readonly Node[]): void {
  for (const node of order) {
    if (node.data === null) node.data = compute(node, node.inputs.map(dataOf));
  }
}

const dataOf = (node: Node): Computed => node.data as Computed;

/**
 * The values of `roots`, where those of some nodes are given. Intermediate values are dropped as soon as their last
 * user has run.
 */
export function computeAll(
  roots: readonly Node[],
  given?: ReadonlyMap<Node, Computed>,
  order: readonly Node[] = topological(roots, given),
): Computed[] {
  const count = order.length;
  // Positions are kept here, because evaluating a composite walks over the graph again.
  const firstInput = new Int32Array(count + 1);
  for (let i = 0; i < count; i++) firstInput[i + 1] = firstInput[i] + order[i].inputs.length;
  const inputAt = new Int32Array(firstInput[count]);
  const uses = new Int32Array(count);
  const values = new Array<Computed | null>(count).fill(null);
  for (let i = 0; i < count; i++) {
    const node = order[i];
    values[i] = given?.get(node) ?? node.data;
    if (values[i] !== null) continue;
    for (let k = 0; k < node.inputs.length; k++) {
      const at = node.inputs[k].slot;
      inputAt[firstInput[i] + k] = at;
      uses[at]++;
    }
  }
  const rootAt = roots.map((root) => root.slot);
  for (const at of rootAt) uses[at]++;
  for (let i = 0; i < count; i++) {
    if (values[i] !== null) continue;
    const node = order[i];
    const first = firstInput[i];
    const operands = node.inputs.map((_, k) => values[inputAt[first + k]] as Computed);
    values[i] = compute(node, operands);
    for (let k = firstInput[i]; k < firstInput[i + 1]; k++) if (--uses[inputAt[k]] === 0) values[inputAt[k]] = null;
  }
  return rootAt.map((at) => values[at] as Computed);
}

function compute(node: Node, operands: readonly Computed[]): Computed {
  switch (node.op.kind) {
    case 'elementwise':
      return isScalar(node)
        ? onNumbers(node.op.compute as Compute, operands as readonly number[])
        : run(node, operands);
    case 'view':
      return sameElements(operands[0], node);
    case 'composite': {
      const inner = new Map<Node, Computed>();
      node.inputs.forEach((input, i) => {
        inner.set(input, operands[i]);
      });
      return computeAll([lower(node)], inner)[0];
    }
    case 'kernel':
      return run(node, operands);
    default:
      // A copy, because the buffer may be updated in place while the value is in use.
      if (node.op === RESIDENT) return (node.attributes as unknown as { view(): Data }).view().slice();
      throw new Error(`An ${node.op.name} has no value of its own: evaluate it through a plan.`);
  }
}

function onNumbers(compute: Compute, operands: readonly number[]): number {
  if (operands.length === 1) return compute(operands[0], 0, 0);
  return operands.length === 2 ? compute(operands[0], operands[1], 0) : compute(operands[0], operands[1], operands[2]);
}

/** Scalars are plain numbers, everything else is an array: views may lead from one to the other. */
function sameElements(value: Computed, node: Node): Computed {
  if (isScalar(node)) return typeof value === 'number' ? value : value[0];
  if (typeof value !== 'number') return value;
  const data = allocate(node.dtype, 1);
  data[0] = value;
  return data;
}

function run(node: Node, operands: readonly Computed[]): Computed {
  const { op } = node;
  const inputs = node.inputs.map((input, i) => operandOf(input, operands[i]));
  const out = operandOf(node, allocate(node.dtype, node.length));
  if (op.kind === 'elementwise') elementwiseLoop(op, out, inputs);
  else (op.kernel as NonNullable<typeof op.kernel>)(out, inputs, node.attributes);
  return isScalar(node) ? out.data[0] : out.data;
}

function operandOf(node: Node, value: Computed): Operand {
  const data = typeof value === 'number' ? Float64Array.of(value) : value;
  return { data, dims: node.dims, lanes: node.space !== null };
}
