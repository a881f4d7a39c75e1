/**
 * Writes to what others may see, in texts in which several iterations or executions run as one: these say first in which
 * execution the variable came to be, so that a variable of one execution alone can be told.
 */
import type { AnyNode, AssignmentExpression, Expression, Node, UpdateExpression } from 'acorn';
import { bare } from '../parse/syntax.ts';
import { emitAssignment, emitUpdate } from './arithmetic.ts';
import { isOwnObject } from './differing.ts';
import type { Emission, Owner } from './emission.ts';

/** True of a variable of an outer function, or a field of an object that others may hold. */
function isShared(e: Emission, target: AnyNode): boolean {
  if (target.type === 'Identifier') return e.isOuterWrite(target);
  if (target.type === 'MemberExpression') return !e.isStore(bare(target.object));
  return true;
}

/** Says first that something is changed which others may see: `writing` knows whether that matters. */
export function guarded(e: Emission, owner: Owner, at: number, write: () => void, told = ''): void {
  e.marked(at, `(${owner}.writing(${told}), `);
  write();
  e.text(')');
}

function emitWrite(e: Emission, owner: Owner, at: number, given: Expression | AnyNode, write: () => void): void {
  const told = toldOf(e, bare(given) as AnyNode);
  if (told === undefined) write();
  else guarded(e, owner, at, write, told);
}

const isOwnField = (e: Emission, target: AnyNode): boolean =>
  target.type === 'MemberExpression' && isOwnObject(e, target.object);

/** `[xs[0], xs[i]] = …`. */
const isOwnPattern = (e: Emission, target: AnyNode): boolean =>
  target.type === 'ArrayPattern' &&
  target.elements.every((part) => part !== null && isOwnField(e, bare(part) as AnyNode));

/** What is told before a variable or a field is changed; undefined if no other execution sees it. */
function toldOf(e: Emission, target: AnyNode): string | undefined {
  if (!isShared(e, target)) return undefined;
  // What is its own knows itself what to do (`lanes/columns/own-object.ts`).
  if (isOwnField(e, target) || isOwnPattern(e, target)) return undefined;
  const execution = target.type === 'Identifier' ? e.executionOf(target) : undefined;
  return execution === undefined ? '' : `undefined, ${execution}`;
}

/** Writes what comes after `for (target of`, and says first that something is changed which others may see, if that is so. */
export function emitGoneThrough(e: Emission, target: Node | undefined, write: () => void): void {
  const { owner } = e.mode;
  const told = owner === undefined || target === undefined ? undefined : toldOf(e, bare(target) as AnyNode);
  if (told === undefined) write();
  else guarded(e, owner!, target!.start, write, told);
}

/** How assignments are written. */
export function guardedWrites(owner: Owner) {
  return {
    AssignmentExpression(e: Emission, node: AssignmentExpression): void {
      emitWrite(e, owner, node.start, node.left as AnyNode, () => emitAssignment(e, node));
    },
    UpdateExpression(e: Emission, node: UpdateExpression): void {
      emitWrite(e, owner, node.start, node.argument, () => emitUpdate(e, node));
    },
  };
}
