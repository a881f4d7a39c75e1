/** Sides of conditionals and of logical operators: which may be evaluated in any case, and how `&&` and `||` are written. */
import type { AnyNode, Expression } from 'acorn';
import { bare } from '../parse/syntax.ts';
import { areClosed } from './closed.ts';
import type { Emission, Owner } from './emission.ts';

/** True of expressions without calls (but for Math), assignments and accesses that may fail: cheap and total. */
export function mayBeEvaluated(e: Emission, given: Expression): boolean {
  const node = bare(given) as AnyNode;
  const all = (...parts: readonly (Expression | AnyNode)[]) =>
    parts.every((part) => mayBeEvaluated(e, part as Expression));
  switch (node.type) {
    case 'Literal':
    case 'Identifier':
      return true;
    case 'UnaryExpression':
      return node.operator !== 'delete' && !mayRunText(e, node) && all(node.argument);
    case 'BinaryExpression':
      if (node.operator === 'in' || node.operator === 'instanceof' || mayRunText(e, node)) return false;
      return all(node.left as Expression, node.right);
    case 'LogicalExpression':
      return all(node.left, node.right);
    case 'ConditionalExpression':
      return all(node.test, node.consequent, node.alternate);
    case 'MemberExpression':
      // Where reading a field fails, `choose` decides after all.
      return !e.accessors && all(node.object as Expression, ...(node.computed ? [node.property as Expression] : []));
    case 'CallExpression':
      return isMath(e, node.callee as Expression) && all(...(node.arguments as Expression[]));
    default:
      return false;
  }
}

/** Whether an operator may turn an object into a number or text, and so call a function of the program. */
const mayRunText = (e: Emission, { operator }: { operator: string }): boolean =>
  e.accessors && !NEVER_CONVERTING.has(operator);

const NEVER_CONVERTING: ReadonlySet<string> = new Set(['!', 'typeof', 'void', '===', '!==']);

function isMath(e: Emission, callee: Expression): boolean {
  const node = bare(callee) as AnyNode;
  return node.type === 'MemberExpression' && !node.computed && e.isFree(bare(node.object), 'Math');
}

/**
 * `left && right`, or `left || right`, the left side being what `left` writes: the right side is a function, run for those alone
 * that need it, or for all if that does no harm.
 */
export function emitEitherSide(e: Emission, owner: Owner, operator: string, left: () => void, right: Expression): void {
  const both = mayBeEvaluated(e, right);
  if (!both && !areClosed(e, right)) {
    e.text(`${owner}.plain(`);
    left();
    e.text(`) ${operator} `);
    e.operand(right);
    return;
  }
  e.text(`${owner}.${operator === '&&' ? 'and' : 'or'}${both ? '' : 'Then'}(`);
  left();
  e.text(', () => ');
  e.operand(right);
  e.text(')');
}
