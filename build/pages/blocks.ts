/** The programs in a page of Markdown. */

export interface Block {
  /** `wppl`, `ts`, `js`, `sh`, `text` … */
  readonly language: string;
  /** Further words after the language. */
  readonly words: readonly string[];
  readonly code: string;
  /** Where the code is in the page. */
  readonly start: number;
  readonly end: number;
}

/** A program, and the block in which the page shows what it prints. */
export interface ShownProgram {
  readonly program: Block;
  readonly output?: Block;
}

const FENCED = /^```([a-z]*)((?: [a-z]+)*)\n([\s\S]*?)^```$/gm;

export function blocksOf(page: string): Block[] {
  return [...page.matchAll(FENCED)].map((match) => {
    const [whole, language, words, code] = match;
    const end = match.index + whole.length - '```'.length;
    return { language, words: words.split(' ').filter((word) => word !== ''), code, start: end - code.length, end };
  });
}

const PROGRAMS = ['wppl', 'ts', 'js'];

/**
 * Every block in a language of programs is one, but for signatures, for `internal` ones, which show code of Waymark
 * itself, and for `app`, modules that only an app can run. A `text` block right after it, with nothing but prose between them, shows what it prints.
 */
export function programsOf(page: string): ShownProgram[] {
  const blocks = blocksOf(page);
  return blocks.flatMap((program, i) => {
    if (!PROGRAMS.includes(program.language) || program.words.some((word) => NOT_RUN.includes(word))) return [];
    const next = blocks[i + 1];
    return [next?.language === 'text' ? { program, output: next } : { program }];
  });
}

const NOT_RUN = ['signature', 'internal', 'app'];
