/**
 * Functions that JavaScript itself calls, by the names of fields: iterators, and what makes a number or a text of an object, or JSON. It takes
 * what they answer as it is, so that it must be plain.
 */
import type { AnyNode, Node } from 'acorn';
import { mayBeFunction } from '../analyse/certain.ts';
import { bare, isFunction } from '../parse/syntax.ts';
import type { Emission } from './emission.ts';

const NAMES: ReadonlySet<string> = new Set(['valueOf', 'toString', 'toJSON']);

/** Whether what is put under a key may be such a function: that of a symbol, or a function under any key that is computed. */
export function isCalledByLanguage(e: Emission, key: Node, computed: boolean, value: Node): boolean {
  if (!e.hasOtherTexts || !mayBeFunction(value)) return false;
  const name = bare(key) as AnyNode;
  if (!computed) return NAMES.has((name as { name?: string }).name ?? '');
  if (name.type === 'MemberExpression' && e.isFree(bare(name.object), 'Symbol')) return true;
  return name.type === 'Identifier' && isFunction(bare(value));
}
