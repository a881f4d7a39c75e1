/** A `finally` block that jumps away discards what was thrown, which may be the runtime's own signal. */
import type { AnyNode, Node } from 'acorn';
import { children, isFunction, isLoop } from '../parse/syntax.ts';

export interface FinallyJump {
  readonly node: Node;
  readonly word: 'return' | 'break' | 'continue';
}

/** The first jump that leaves the block, if any. */
export function jumpOutOfFinally(
  given: Node,
  labels: readonly string[] = [],
  breakable = false,
  continuable = false,
): FinallyJump | undefined {
  const node = given as AnyNode;
  if (isFunction(node)) return undefined;
  switch (node.type) {
    case 'ReturnStatement':
      return { node, word: 'return' };
    case 'BreakStatement':
      return (node.label ? labels.includes(node.label.name) : breakable) ? undefined : { node, word: 'break' };
    case 'ContinueStatement':
      return (node.label ? labels.includes(node.label.name) : continuable) ? undefined : { node, word: 'continue' };
  }
  const inside = node.type === 'LabeledStatement' ? [...labels, node.label.name] : labels;
  const loops = isLoop(node);
  for (const child of children(node)) {
    const jump = jumpOutOfFinally(
      child,
      inside,
      breakable || loops || node.type === 'SwitchStatement',
      continuable || loops,
    );
    if (jump !== undefined) return jump;
  }
  return undefined;
}
