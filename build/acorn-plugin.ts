import type { Plugin } from 'vite';

/** The names of Unicode's properties, which acorn makes patterns of when it is loaded; programs with patterns of this kind are rare. */
const MADE_AT_ONCE =
  /for \(var i = 0, list = \[[\d, ]+\]; i < list\.length; i \+= 1\) \{\s*var ecmaVersion = list\[i\];\s*buildUnicodeData\(ecmaVersion\);\s*\}/;
const USED = /this\.unicodeProperties = data\[([^\]]+)\];/;

/** Has acorn make what takes a millisecond when a pattern asks for it, and not at every start. */
export function acornPlugin(): Plugin {
  return {
    name: 'waymark-acorn',
    apply: 'build',

    transform(code, id) {
      if (!id.endsWith('/acorn/dist/acorn.mjs')) return null;
      if (!MADE_AT_ONCE.test(code) || !USED.test(code)) {
        throw new Error('build/acorn-plugin.ts: this version of acorn makes its patterns in another way.');
      }
      const later = 'if (!data[$1]) buildUnicodeData($1);\n  this.unicodeProperties = data[$1];';
      return { code: code.replace(MADE_AT_ONCE, '').replace(USED, later), map: null };
    },
  };
}
