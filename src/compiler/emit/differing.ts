/** What may differ between executions that run side by side, and what each of them has for itself. */
import type { Node } from 'acorn';
import { ownObjects } from '../analyse/own-objects.ts';
import type { Binding } from '../analyse/scope.ts';
import { differingWrites } from '../analyse/sided-writes.ts';
import type { Emission } from './emission.ts';

/** What a name stands for, if it cannot come to differ by being changed on a side of a conditional, or in some turns of a loop. */
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
