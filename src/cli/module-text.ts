/**
 * Whether a text is a module: it imports or exports something at top level, which WebPPL's language does not have. Told from its words, comments
 * and strings left out, since the compiler takes longer to load.
 */
const TOKEN =
  /\/\/.*|\/\*[\s\S]*?\*\/|'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|[\w$\u0080-\uffff]+|\S/g;

const COMMENT = /^\/[/*]/;

export function isModule(text: string): boolean {
  let depth = 0;
  let last = '';
  for (const [token] of text.matchAll(TOKEN)) {
    if (COMMENT.test(token)) continue;
    // (`import(…)` and `import.meta` are expressions.)
    if (depth === 0 && last === 'import' && token !== '(' && token !== '.') return true;
    if ('([{'.includes(token)) depth++;
    else if (')]}'.includes(token)) depth--;
    else if (depth === 0 && last !== '.' && token === 'export') return true;
    last = last === '.' ? '' : token;
  }
  return false;
}
