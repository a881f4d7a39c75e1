/** Leaves of the graph whose gradients are taken. */
import type { Node } from '../tensor/node.ts';

const wanted = new WeakSet<Node>();

export function want(leaf: Node): Node {
  wanted.add(leaf);
  return leaf;
}

/** Operations whose values are constant between jumps, and the one that stops gradients. */
const FLAT: ReadonlySet<string> = new Set(['floor', 'ceil', 'round', 'trunc', 'sign', 'stop', 'argmax']);

/** Nodes known not to depend on these leaves. */
const independent = new WeakSet<Node>();

/** Whether a small change of one of these leaves would change the value. */
export function carriesGradient(node: Node): boolean {
  const seen = new Set<Node>();
  const waiting = [node];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (
      seen.has(at) ||
      independent.has(at) ||
      at.dtype === 'bool' ||
      at.dtype === 'i32' ||
      at.op.truth ||
      FLAT.has(at.op.name)
    )
      continue;
    if (wanted.has(at)) return true;
    seen.add(at);
    waiting.push(...at.inputs);
  }
  for (const one of seen) independent.add(one);
  return false;
}
