/** Walks over the graph. */
import { type Node, nextVisit } from './node.ts';

/**
 * The nodes that `roots` need, inputs before users. Nodes that already have data, or whose value is given, are leaves.
 * Iterative, because graphs of scalar programs are deep. Each node's `slot` is its position.
 */
export function topological(roots: readonly Node[], given?: ReadonlyMap<Node, unknown>): Node[] {
  const visit = nextVisit();
  const order: Node[] = [];
  const stack: Node[] = [];
  const position: number[] = [];
  for (const root of roots) {
    if (root.visit === visit) continue;
    root.visit = visit;
    stack.push(root);
    position.push(0);
    while (stack.length > 0) {
      const top = stack.length - 1;
      const node = stack[top];
      const inputs = node.inputs;
      const at = position[top];
      if (node.data === null && at < inputs.length && given?.has(node) !== true) {
        position[top] = at + 1;
        const next = inputs[at];
        if (next.visit !== visit) {
          next.visit = visit;
          stack.push(next);
          position.push(0);
        }
      } else {
        node.slot = order.length;
        order.push(node);
        stack.pop();
        position.pop();
      }
    }
  }
  return order;
}

const lowered = new WeakMap<Node, Node>();

/** The operations that replace a composite node when it is evaluated. */
export function lower(node: Node): Node {
  let simple = lowered.get(node);
  if (simple === undefined) {
    simple = (node.op.lower as (node: Node) => Node)(node);
    lowered.set(node, simple);
  }
  return simple;
}
