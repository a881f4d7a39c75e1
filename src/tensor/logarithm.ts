/**
 * Logarithms that are known from how a value was made, as that of a softmax: nothing has to be computed to invert it. And the
 * probabilities that logarithms were taken of.
 */
import { ADD, EXP, MUL, NEG, SOFTPLUS, STOP, SUB, TO_F64 } from './elementwise/table.ts';
import { CONSTANT, type Data, Node } from './node.ts';

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

const probabilities = new WeakMap<Node, Node>();

/**
 * The probability of which a value is the logarithm; null if it may be something else. Of a sum of such logarithms it is the product, and of
 * one to which a constant is added a multiple: so a table of probabilities is computed once, however many sums name its elements. Factors
 * of at most 1 underflow only where their product does.
 */
export function probabilityOf(node: Node): Node | null {
  if (node.data !== null) return null;
  let probability = probabilities.get(node) ?? null;
  if (probability !== null) return probability;
  const { op, inputs, attributes, shape, dtype, space } = node;
  if (op.probability !== null) {
    probability = new Node(op.probability, inputs, attributes, shape, dtype, space);
  } else if (op.kind === 'view' || op.selects || op === TO_F64 || op === STOP) {
    const whole = probabilityOf(inputs[0]);
    probability = whole && new Node(op, [whole, ...inputs.slice(1)], attributes, shape, dtype, space);
  } else if (op === ADD || op === SUB) {
    const factors = inputs.map((term, i) =>
      term.op === CONSTANT
        ? factorOf(term, op === SUB && i === 1 ? -1 : 1)
        : op === ADD || i === 0
          ? probabilityOf(term)
          : null,
    );
    if (factors.includes(null) || inputs.every((term) => term.op === CONSTANT)) return null;
    probability = new Node(MUL, factors as Node[], attributes, shape, dtype, space);
  }
  if (probability !== null) probabilities.set(node, probability);
  return probability;
}

/** Constants of more than this would move what underflows, or overflow. */
const MOST_SHIFT = 50;

/** The exponential of a constant with a sign; null if it is too large or small. (A gradient may be taken in it: parameters are constants, too.) */
function factorOf(node: Node, sign: number): Node | null {
  const { data, dtype, shape, space } = node;
  if (dtype !== 'f64') return null;
  const isSmall = (number: number): boolean => Math.abs(number) <= MOST_SHIFT;
  if (!(typeof data === 'number' ? isSmall(data) : (data as Data).every(isSmall))) return null;
  const power = sign === 1 ? node : new Node(NEG, [node], null, shape, dtype, space);
  return new Node(EXP, [power], null, shape, dtype, space);
}
