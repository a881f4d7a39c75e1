/**
 * Writes to what others may see, in texts in which several iterations or executions run as one: these say first in which
 * execution the variable came to be, so that a variable which is nobody else's can be told.
 */
import type { AnyNode, AssignmentExpression, Expression, UpdateExpression } from 'acorn';
import { bare } from '../parse/syntax.ts';
import { emitAssignment, emitUpdate } from './arithmetic.ts';
import type { Emission } from './emission.ts';

/** True of a variable of an outer function, or a field of an object that others may hold. */
function isShared(e: Emission, target: AnyNode): boolean {
  if (target.type === 'Identifier') return e.isOuterWrite(target);
  if (target.type === 'MemberExpression') return !e.isStore(bare(target.object));
  return true;
}

/** Says first that something is changed which others may see: `writing` knows whether that matters. */
export function guarded(e: Emission, owner: '$L' | '$C', at: number, write: () => void, told = ''): void {
  e.marked(at, `(${owner}.writing(${told}), `);
  write();
  e.text(')');
}

function emitWrite(e: Emission, owner: '$L' | '$C', at: number, given: Expression | AnyNode, write: () => void): void {
  const target = bare(given) as AnyNode;
  if (!isShared(e, target)) {
    write();
    return;
  }
  const execution = target.type === 'Identifier' ? e.executionOf(target) : undefined;
  guarded(e, owner, at, write, execution === undefined ? '' : `undefined, ${execution}`);
}

/** How assignments are written. */
export function guardedWrites(owner: '$L' | '$C') {
  return {
    AssignmentExpression(e: Emission, node: AssignmentExpression): void {
      emitWrite(e, owner, node.start, node.left as AnyNode, () => emitAssignment(e, node));
    },
    UpdateExpression(e: Emission, node: UpdateExpression): void {
      emitWrite(e, owner, node.start, node.argument, () => emitUpdate(e, node));
    },
  };
}
