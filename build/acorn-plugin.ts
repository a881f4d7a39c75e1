import type { Plugin } from 'vite';

/** The names of Unicode's properties, which acorn makes patterns of when it is loaded; programs with patterns of this kind are rare. */
const MADE_AT_ONCE =
  /for \(var i = 0, list = \[[\d, ]+\]; i < list\.length; i \+= 1\) \{\s*var ecmaVersion = list\[i\];\s*buildUnicodeData\(ecmaVersion\);\s*\}/;
const USED = /this\.unicodeProperties = data\[([^\]]+)\];/;

/** Letters beyond ASCII, which are two patterns of thousands of characters. */
const LETTERS = /var (nonASCIIidentifier(?:Start)?) = (new RegExp\(.+\));/g;

/** Has acorn make what takes two milliseconds when a program asks for it, and not at every start. */
export function acornPlugin(): Plugin {
  return {
    name: 'waymark-acorn',
    apply: 'build',

    transform(code, id) {
      if (!id.endsWith('/acorn/dist/acorn.mjs')) return null;
      if (!MADE_AT_ONCE.test(code) || !USED.test(code) || code.match(LETTERS)?.length !== 2) {
        throw new Error('build/acorn-plugin.ts: this version of acorn makes its patterns in another way.');
      }
      const later = 'if (!data[$1]) buildUnicodeData($1);\n  this.unicodeProperties = data[$1];';
      const onCall =
        'var $1 = { made: null, test: function (text) { return (this.made || (this.made = $2)).test(text) } };';
      return { code: code.replace(MADE_AT_ONCE, '').replace(USED, later).replace(LETTERS, onCall), map: null };
    },
  };
}
