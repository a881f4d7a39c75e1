/** Names, as the emitted text refers to them. */
import type { Identifier } from 'acorn';
import type { Emission } from './emission.ts';

const PLAIN_WORD = /^[A-Za-z$_][\w$]*$/;

/** Looks for letters of all languages too, which takes half a millisecond to prepare: the pattern is made when it is needed. */
const isWord = (name: string): boolean => PLAIN_WORD.test(name) || /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name);

/** `.name`, or `["a name"]` where the name is no word. */
export function field(name: string): string {
  return isWord(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

export function emitIdentifier(e: Emission, node: Identifier): void {
  e.marked(node.start, reference(e, node));
}

/** The text that stands for a use of a name. */
export function reference(e: Emission, node: Identifier): string {
  if (e.isStore(node)) return '$m.store';
  const binding = e.binding(node);
  if (binding === undefined) {
    if (node.name === 'arguments') return '$arguments';
    return e.free.has(node.name) ? e.mode.libraryName(e, node.name) : node.name;
  }
  const from = binding.import;
  // Names of other modules are looked up when used: in a cycle of imports they may not exist yet.
  if (from?.module !== undefined && !e.isModule) return `$i${from.module}${from.name === '*' ? '' : field(from.name)}`;
  return from === undefined || from.module !== undefined ? binding.emitted : e.mode.libraryName(e, binding.emitted);
}
