import { lower } from '../graph.ts';
import { type Node, nextVisit } from '../node.ts';

/**
 * Forgets the values of everything that depends on `inputs`. A recording that looked at values on its way has them
 * stored in its nodes, and a plan would take them for constants.
 */
export function forget(outputs: readonly Node[], inputs: readonly Node[]): void {
  const visit = nextVisit();
  const isInput = new Set(inputs);
  // While a node waits for its own inputs its slot is 0; then 1 if it depends on an input of the plan, else 0.
  const stack: Node[] = [...outputs];
  while (stack.length > 0) {
    const node = stack[stack.length - 1];
    const needs = node.op.kind === 'composite' ? [lower(node)] : node.inputs;
    if (node.visit !== visit) {
      node.visit = visit;
      node.slot = isInput.has(node) ? 1 : 0;
      if (node.slot === 0) for (const need of needs) if (need.visit !== visit) stack.push(need);
      continue;
    }
    stack.pop();
    if (isInput.has(node)) continue;
    for (const need of needs) {
      if (need.slot === 0) continue;
      node.slot = 1;
      node.data = null;
      break;
    }
  }
}
