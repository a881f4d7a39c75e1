/**
 * Whether a program chooses methods of inference while it runs: it then gets all texts, since whichever method is asked for
 * is to find its own. Judged from the text, and rather too often than too rarely: a text without need costs some
 * hundredths of a second.
 */

const COMMENTS = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;

/** `method: m`, `kernel: f(x)`, `{method, …}` and `options.method = m`: anything but a literal. */
const COMPUTED_OPTION =
  /(?<![.\w$'"`])['"]?\b(?:method|kernel)\b['"]?\s*(?::\s*(?![\s'"`{])|[,}])|\.(?:method|kernel)\s*=\s*(?![\s='"`{])/;

/** A literal that is only a part of a name: `'MC' + 'MC'`, or a template with a hole. */
const COMPOSED_OPTION = /\b(?:method|kernel)\s*:\s*(?:'[^'\n]*'|"[^"\n]*")\s*\+|\b(?:method|kernel)\s*:\s*`[^`]*\$\{/;

/** Options that come from a call, or are put together from others. */
const MADE_OPTIONS = /\bInfer\s*\(\s*(?:\{[^{}]*\.\.\.|[\w$.]+\s*\()/;

/** Options in a variable. */
const NAMED_ARGUMENT = /\bInfer\s*\(\s*([A-Za-z_$][\w$]*)\s*[,)]/g;

export function choosesMethods(source: string): boolean {
  if (!/\b(?:Infer|method|kernel)\b/.test(source)) return false;
  const text = source.replace(COMMENTS, ' ');
  if (COMPUTED_OPTION.test(text) || COMPOSED_OPTION.test(text) || MADE_OPTIONS.test(text)) return true;
  for (const [, name] of text.matchAll(NAMED_ARGUMENT)) if (isComputed(text, name)) return true;
  return false;
}

/** Whether a variable is given what is neither a function nor an object as it is written. */
function isComputed(text: string, name: string): boolean {
  const value = new RegExp(
    `(?<![\\w$.])${name.replace(/\$/g, '\\$')}\\s*=\\s*(?![\\s=])(?!function\\b|\\{|\\(|[\\w$]+\\s*=>)`,
  );
  return value.test(text);
}
