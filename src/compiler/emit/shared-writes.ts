/**
 * Writes to what others may see, in texts in which several iterations or executions run as one: these say first in which
 * execution the variable came to be, so that a variable of one execution alone can be told.
 */
import type { AnyNode, AssignmentExpression, Expression, Node, UpdateExpression } from 'acorn';
import { bare, targetsIn } from '../parse/syntax.ts';
import { emitAssignment, emitUpdate } from './arithmetic.ts';
import { isOwnObject, isRoamingChange } from './differing.ts';
import type { Emission, Owner } from './emission.ts';

/** True of a variable of an outer function, or a field of an object that others may hold, and of patterns with one of these. */
function isShared(e: Emission, target: AnyNode): boolean {
  if (target.type === 'Identifier') return e.isOuterWrite(target);
  if (target.type === 'MemberExpression') return !e.isStore(bare(target.object));
  const parts = targetsIn(target);
  return parts.includes(target) || parts.some((part) => isShared(e, part as AnyNode));
}

/** Says first that something is changed which others may see: `told` is a call that knows whether that matters. */
export function toldFirst(e: Emission, owner: Owner, at: number, write: () => void, told: string): void {
  e.marked(at, `(${owner}.${told}, `);
  write();
  e.text(')');
}

function emitWrite(e: Emission, owner: Owner, at: number, given: Expression | AnyNode, write: () => void): void {
  const told = toldOf(e, bare(given) as AnyNode);
  if (told === undefined) write();
  else toldFirst(e, owner, at, write, told);
}

/** The objects of which a target is a field, or a pattern of fields: `xs[i]`, `[xs[0], xs[i]]`. Undefined if one of them is not its own. */
function ownObjectsOf(e: Emission, target: AnyNode): readonly AnyNode[] | undefined {
  if (target.type === 'MemberExpression') return isOwnObject(e, target.object) ? [target.object as AnyNode] : undefined;
  if (!isShared(e, target)) return [];
  if (target.type !== 'ArrayPattern') return undefined;
  const parts = target.elements.map((part) => part && ownObjectsOf(e, bare(part) as AnyNode));
  return parts.every((part) => !!part) ? parts.flat() : undefined;
}

/** Whether all that is assigned to are fields of objects that say themselves whether they may be changed. */
function areRoaming(e: Emission, target: AnyNode): boolean {
  if (target.type !== 'ArrayPattern') return isRoamingChange(e, target);
  return target.elements.every(
    (part) => !!part && (ownObjectsOf(e, bare(part) as AnyNode) !== undefined || areRoaming(e, bare(part) as AnyNode)),
  );
}

/** What is called before such objects are changed; undefined where they know themselves what to do. */
export function toldOfOwn(e: Emission, objects: readonly Node[]): string | undefined {
  if (e.mode === e.columns) return undefined;
  const names = objects.map((object) => e.binding(bare(object))!.emitted);
  return `changing(${[...new Set(names)].join(', ')})`;
}

/** What is called before a variable or a field is changed; undefined if no other execution sees it. */
function toldOf(e: Emission, target: AnyNode): string | undefined {
  if (!isShared(e, target)) return undefined;
  const objects = ownObjectsOf(e, target);
  if (objects !== undefined) return toldOfOwn(e, objects);
  if (areRoaming(e, target)) return undefined;
  const execution = target.type === 'Identifier' ? e.executionOf(target) : undefined;
  const { sided } = e;
  if (sided?.fn === e.fn && target.type === 'Identifier' && sided.bindings.has(e.binding(target)!)) {
    return `owned(${sided.constant}, ${execution})`;
  }
  return execution === undefined ? 'writing()' : `writing(undefined, ${execution})`;
}

/** Writes what comes after `for (target of`, and says first that something is changed which others may see, if that is so. */
export function emitGoneThrough(e: Emission, target: Node | undefined, write: () => void): void {
  const { owner } = e.mode;
  const told = owner === undefined || target === undefined ? undefined : toldOf(e, bare(target) as AnyNode);
  if (told === undefined) write();
  else toldFirst(e, owner!, target!.start, write, told);
}

/** How assignments are written. */
export function toldWrites(owner: Owner) {
  return {
    AssignmentExpression(e: Emission, node: AssignmentExpression): void {
      emitWrite(e, owner, node.start, node.left as AnyNode, () => emitAssignment(e, node));
    },
    UpdateExpression(e: Emission, node: UpdateExpression): void {
      emitWrite(e, owner, node.start, node.argument, () => emitUpdate(e, node));
    },
  };
}
