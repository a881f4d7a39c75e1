/** Logarithms that are known from how a value was made, as that of a softmax: nothing has to be computed to invert it. */
import { ADD, EXP, SOFTPLUS, TO_F64 } from './elementwise/table.ts';
import { CONSTANT, Node } from './node.ts';

const known = new WeakMap<Node, Node>();

/** The logarithm of a value that consists of elements of one whose logarithm is an operation; null for all others. */
export function logarithmOf(node: Node): Node | null {
  if (node.data !== null) return null;
  let logarithm = known.get(node) ?? null;
  if (logarithm !== null) return logarithm;
  const { op, inputs, attributes, shape, dtype, space } = node;
  if (op.logarithm !== null) {
    logarithm = new Node(op.logarithm, inputs, attributes, shape, dtype, space);
  } else if (op.kind === 'view' || op.selects || op === TO_F64) {
    const logs = logarithmOf(inputs[0]);
    logarithm = logs && new Node(op, [logs, ...inputs.slice(1)], attributes, shape, dtype, space);
  } else if (op.joins) {
    const logs = inputs.map(logarithmOf);
    if (logs.includes(null)) return null;
    logarithm = new Node(op, logs as Node[], attributes, shape, dtype, space);
  } else if (op === ADD) {
    // log(1 + eˣ), as programs write what is positive: exact where eˣ is too large, or nothing beside 1.
    const [one, power] = inputs[0].op === CONSTANT ? inputs : [inputs[1], inputs[0]];
    if (one.op !== CONSTANT || one.data !== 1 || power.op !== EXP) return null;
    logarithm = new Node(SOFTPLUS, power.inputs, null, shape, dtype, space);
  }
  // One node for each value, so that its gradient is computed once.
  if (logarithm !== null) known.set(node, logarithm);
  return logarithm;
}
