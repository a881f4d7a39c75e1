import type { AnyNode } from 'acorn';

/** Shows every node of a syntax tree, those outside first. */
export function visit(node: AnyNode, see: (node: AnyNode) => void): void {
  see(node);
  for (const child of Object.values(node)) {
    for (const one of Array.isArray(child) ? child : [child]) {
      if (typeof one?.type === 'string') visit(one, see);
    }
  }
}
