/** The portable evaluator: one operation after the other, in plain JavaScript. What other devices are tested against. */
import { elementwiseLoop } from './elementwise/loops.ts';
import { lower, topological } from './graph.ts';
import { lastUses } from './last-uses.ts';
import { allocate, type Compute, type Data, isScalar, type Node, type Operand, RESIDENT } from './node.ts';
import { shortArray } from './short-arrays.ts';

/** The value of a node: a number for scalars, otherwise the elements. */
type Computed = number | Data;

/** Fills the data of `roots`; `order` is that of their graph, if it is known. */
export function evaluateReference(roots: readonly Node[], order: readonly Node[] = topological(roots)): void {
  const { first, next } = lastUses(roots, order);
  for (let i = 0; i < order.length; i++) {
    const node = order[i];
    if (node.data === null) node.data = compute(node);
    // Values are dropped after their last use.
    for (let at = first[i]; at >= 0; at = next[at]) order[at].data = null;
  }
}

/**
 * Fills the data of all nodes of an order. A program that looks at values as it goes on needs the earlier ones again
 * and again, each time with a few more after them.
 */
export function evaluateKeeping(order: readonly Node[]): void {
  const resident: Node[] = [];
  for (let i = 0; i < order.length; i++) {
    const node = order[i];
    if (node.data !== null) continue;
    node.data = compute(node);
    if (node.op === RESIDENT) resident.push(node);
  }
  // Resident buffers may have other contents at the next evaluation.
  for (const node of resident) node.data = null;
}

/** The values of `roots`, where those of some nodes are given; nothing is left at the nodes. */
export function computeAll(roots: readonly Node[], given: ReadonlyMap<Node, Computed>): Computed[] {
  const before = new Map<Node, Node['data']>();
  for (const [node, value] of given) {
    before.set(node, node.data);
    node.data = value;
  }
  const order = topological(roots);
  for (const node of order) if (node.data === null) before.set(node, null);
  try {
    evaluateReference(roots, order);
    return roots.map(({ data }) => data as Computed);
  } finally {
    for (const [node, data] of before) node.data = data;
  }
}

function compute(node: Node): Computed {
  const { op, inputs } = node;
  switch (op.kind) {
    case 'elementwise':
      return isScalar(node) ? onNumbers(op.compute as Compute, inputs) : run(node);
    case 'view':
      return sameElements(inputs[0].data as Computed, node);
    case 'composite': {
      const simple = lower(node);
      if (simple.data !== null) return simple.data;
      evaluateReference([simple]);
      const value = simple.data as unknown as Computed;
      // Inputs may have other values the next time.
      simple.data = null;
      return value;
    }
    case 'kernel':
      return run(node);
    default:
      // A copy, because the buffer may be updated in place while the value is in use.
      if (op === RESIDENT) return (node.attributes as unknown as { view(): Data }).view().slice();
      throw new Error(`An ${op.name} has no value of its own: evaluate it through a plan.`);
  }
}

/** A function of one to three numbers, which the inputs have. */
export function onNumbers(compute: Compute, inputs: readonly Node[]): number {
  const a = inputs[0].data as number;
  if (inputs.length === 1) return compute(a, 0, 0);
  const b = inputs[1].data as number;
  return inputs.length === 2 ? compute(a, b, 0) : compute(a, b, inputs[2].data as number);
}

/** Scalars are plain numbers, everything else is an array: views may lead from one to the other. */
function sameElements(value: Computed, node: Node): Computed {
  if (isScalar(node)) return typeof value === 'number' ? value : value[0];
  if (typeof value !== 'number') return value;
  const data = allocate(node.dtype, 1);
  data[0] = value;
  return data;
}

/** An input or the output of a routine, used for one after the other: routines keep nothing of what they are given. */
class Part implements Operand {
  data: Data = NO_DATA;
  node: Node | null = null;

  get dims(): Operand['dims'] {
    return (this.node as Node).dims;
  }

  get lanes(): boolean {
    return (this.node as Node).space !== null;
  }
}

const NO_DATA = new Float64Array(0);
const result = new Part();
const parts: Part[] = [];
const numbers: Float64Array[] = [];
/** By the number of inputs. */
const operands: Part[][] = [[]];

function run(node: Node): Computed {
  const { op, inputs } = node;
  while (operands.length <= inputs.length) addPart();
  const data = shortArray(node.dtype, node.length);
  result.data = data;
  result.node = node;
  for (let i = 0; i < inputs.length; i++) {
    const value = inputs[i].data as Computed;
    parts[i].node = inputs[i];
    if (typeof value === 'number') {
      numbers[i][0] = value;
      parts[i].data = numbers[i];
    } else parts[i].data = value;
  }
  if (op.kind === 'elementwise') elementwiseLoop(op, result, operands[inputs.length]);
  else (op.kernel as NonNullable<typeof op.kernel>)(result, operands[inputs.length], node.attributes);
  return isScalar(node) ? data[0] : data;
}

function addPart(): void {
  parts.push(new Part());
  numbers.push(new Float64Array(1));
  operands.push(parts.slice());
}
