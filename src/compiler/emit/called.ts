/**
 * Functions that JavaScript itself calls, known by the names of their fields: iterators, `valueOf`, `toString`, `toJSON`. JavaScript
 * takes their results as they are, so that these must be plain values.
 */
import type { AnyNode, Node } from 'acorn';
import { mayBeFunction } from '../analyse/certain.ts';
import { bare, isFunction } from '../parse/syntax.ts';
import type { Emission } from './emission.ts';

const NAMES: ReadonlySet<string> = new Set(['valueOf', 'toString', 'toJSON']);

/** Whether the value of a key may be such a function: the key is a symbol, or the value is a function and the key is computed. */
export function isCalledByLanguage(e: Emission, key: Node, computed: boolean, value: Node): boolean {
  if (!e.hasOtherTexts || !mayBeFunction(value)) return false;
  const name = bare(key) as AnyNode;
  if (!computed) return NAMES.has((name as { name?: string }).name ?? '');
  if (name.type === 'MemberExpression' && e.isFree(bare(name.object), 'Symbol')) return true;
  return name.type === 'Identifier' && isFunction(bare(value));
}
