/** What is certain of the names a program uses. */
import type { AnyNode, Node } from 'acorn';
import { bare, isFunction } from '../parse/syntax.ts';
import type { Emission } from './emission.ts';

/** True of a name that stands for one function literal of the program, or such a literal. */
export function isProgramFunction(e: Emission, given: Node): boolean {
  const node = bare(given) as AnyNode;
  if (isFunction(node)) return !isHostPart(e, node);
  if (node.type !== 'Identifier') return false;
  const binding = e.binding(node);
  if (binding === undefined || binding.startsAs !== undefined || binding.writes.length !== 1) return false;
  const { value } = binding.writes[0];
  return value !== undefined && isFunction(bare(value)) && !isHostPart(e, bare(value));
}

/** True of a node with host code in it, which is not compiled. */
export function isHostPart(e: Emission, { start, end }: Node): boolean {
  return e.analysis.hostPlaces.some((place) => place >= start && place < end);
}

/** The name in the library of what an identifier stands for, if it is that. */
export function libraryName(e: Emission, node: AnyNode): string | undefined {
  if (node.type !== 'Identifier') return undefined;
  const binding = e.binding(node);
  if (binding === undefined) return e.free.has(node.name) ? node.name : undefined;
  const from = binding.import;
  return from !== undefined && from.module === undefined ? from.name : undefined;
}
