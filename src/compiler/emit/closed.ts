/** Whether pieces of a program can be functions of their own: what they declare and change stays inside. */
import type { AnyNode, Expression, Node } from 'acorn';
import { extents } from '../analyse/extents.ts';
import type { Binding } from '../analyse/scope.ts';
import { bare, targetsIn } from '../parse/syntax.ts';
import { has } from './column-text.ts';
import { isOwnObject, isRoamingChange } from './differing.ts';
import type { Emission } from './emission.ts';

/** Whether a conditional's sides may be functions: nothing in them changes a variable of the function around them. */
export function areClosed(e: Emission, ...sides: readonly Expression[]): boolean {
  return sides.every((side) => staysInside(e, [side]));
}

/**
 * Whether statements declare nothing that other statements see, and change no variable that is declared elsewhere. With `changed`, they
 * may change variables of their own function, which are collected there, and the store, of which there is then one for each side. With `outer`,
 * they may change variables of functions around it, too, which are collected in that.
 */
export function staysInside(
  e: Emission,
  given: readonly (Node | null | undefined)[],
  changed?: Set<Binding>,
  outer?: Set<Binding>,
): boolean {
  const nodes = given.filter((node) => !!node) as Node[];
  if (nodes.length === 0) return true;
  const start = nodes[0].start;
  const end = nodes[nodes.length - 1].end;
  const inside = (offset: number): boolean => offset >= start && offset < end;
  for (const { declaredAt, first, last } of extents(e.analysis).values()) {
    if (inside(declaredAt) && (first < start || last >= end)) return false;
  }
  return !nodes.some((node) => has(node, (part) => changesOutside(e, part, inside, changed, outer)));
}

function changesOutside(
  e: Emission,
  node: AnyNode,
  inside: (offset: number) => boolean,
  changed: Set<Binding> | undefined,
  outer: Set<Binding> | undefined,
): boolean {
  const targets = targetsOf(node);
  return targets.some((target) => isOutside(e, bare(target) as AnyNode, inside, changed, outer));
}

/** Whether what is assigned to is neither declared inside nor collected. */
function isOutside(
  e: Emission,
  name: AnyNode,
  inside: (offset: number) => boolean,
  changed: Set<Binding> | undefined,
  outer: Set<Binding> | undefined,
): boolean {
  if (name.type === 'MemberExpression' && isOwnObject(e, name.object)) return false;
  if (isRoamingChange(e, name)) return false;
  if (name.type === 'MemberExpression' && e.mode === e.columns) return true;
  if (changed !== undefined && name.type === 'MemberExpression') return !e.isStore(bare(name.object));
  const binding = name.type === 'Identifier' ? e.binding(name) : undefined;
  if (binding === undefined) return true;
  if (inside(binding.declaredAt)) return false;
  if (binding.startsAs !== undefined || binding.import !== undefined) return true;
  const isOwn = binding.scope.home === e.fn.home;
  if (!isOwn && (outer === undefined || e.executionOf(name) === undefined)) return true;
  const found = isOwn ? changed : outer;
  found?.add(binding);
  return found === undefined;
}

/** The targets of a node that assigns; none of any other node. */
function targetsOf(node: AnyNode): readonly Node[] {
  switch (node.type) {
    case 'AssignmentExpression':
      return targetsIn(node.left);
    case 'UpdateExpression':
      return [node.argument];
    case 'ForInStatement':
    case 'ForOfStatement':
      return node.left.type === 'VariableDeclaration' ? [] : targetsIn(node.left);
    default:
      return [];
  }
}
