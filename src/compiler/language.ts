import type { Language } from './parse/syntax.ts';

const LANGUAGES: { readonly [ending: string]: Language } = { '.wppl': 'wppl', '.ts': 'ts', '.js': 'js' };

/** How names of programs end. */
export const ENDINGS: readonly string[] = Object.keys(LANGUAGES);

/** The language a file is written in, by its name; undefined if it is no program. */
export function languageOf(file: string): Language | undefined {
  return LANGUAGES[/[^/\\](\.\w+)$/.exec(file)?.[1] ?? ''];
}
