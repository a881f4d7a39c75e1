/** Values that may differ between executions side by side, and objects of which each execution has its own. */
import type { AnyNode, Expression, MemberExpression, Node } from 'acorn';
import { isPlainNumber } from '../analyse/certain.ts';
import { ownObjects } from '../analyse/own-objects.ts';
import { roamingObjects } from '../analyse/roaming-objects.ts';
import type { Binding } from '../analyse/scope.ts';
import { differingWrites } from '../analyse/sided-writes.ts';
import { bare } from '../parse/syntax.ts';
import type { Emission } from './emission.ts';

/**
 * The binding of a name; undefined where its value may come to differ, because the variable is changed on a side of a conditional or in
 * some turns of a loop.
 */
export function plainBinding(e: Emission, identifier: Node): Binding | undefined {
  const binding = e.binding(identifier);
  if (binding === undefined || e.mode.owner === undefined) return binding;
  const { sided, looped } = differingWrites(e.analysis);
  return sided.has(binding) || looped.has(binding) ? undefined : binding;
}

/** True of a name for an object that iterations or executions side by side may change: each has one of its own. */
export const isOwnObject = (e: Emission, name: Node): boolean =>
  e.mode.owner !== undefined && ownObjects(e.analysis, e.library).has(name);

/** The same in the text for columns, where such an object knows itself what to do (`lanes/columns/own-object.ts`). */
export const isColumnObject = (e: Emission, name: Node): boolean => e.mode === e.columns && isOwnObject(e, name);

/** Whether a place is written by a call, because its index may differ; in the text for columns such objects know themselves what to do. */
export const isPutBy = (e: Emission, { object, computed, property }: MemberExpression): boolean =>
  computed &&
  e.mode !== e.columns &&
  isOwnObject(e, object) &&
  !isPlainNumber(property as Expression, (name) => plainBinding(e, name));

/** Whether the object of a field that is assigned to, or of a method that changes it, says itself whether it may be. */
export function isRoamingChange(e: Emission, given: Node): boolean {
  const node = bare(given) as AnyNode;
  if (e.mode.owner === undefined || node.type !== 'MemberExpression' || e.isStore(bare(node.object))) return false;
  return roamingObjects(e.analysis, e.library).isChanged(node as MemberExpression);
}

/** Whether an expression makes an object that may be changed under some other name. */
export const isRoamingObject = (e: Emission, node: AnyNode): boolean =>
  e.mode.owner !== undefined && roamingObjects(e.analysis, e.library).isMade(node);

/** How an expression is written that makes an object: one that the program may change under several names is each execution's own. */
export const noted =
  <N extends AnyNode>(emit: (e: Emission, node: N) => void) =>
  (e: Emission, node: N): void => {
    const isNoted = !e.inChain && isRoamingObject(e, node);
    if (isNoted) e.text(`${e.mode.owner}.roaming(`);
    emit(e, node);
    if (isNoted) e.text(')');
  };

/** Writes an object that is changed. */
export function emitChangedObject(e: Emission, { object }: Pick<MemberExpression, 'object'>, isRoaming: boolean): void {
  if (isRoaming) e.marked(object.start, `${e.mode.owner}.changed(`);
  e.operand(object as Expression);
  if (isRoaming) e.text(')');
}
