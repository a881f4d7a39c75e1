import { type Options, Parser, type Program } from 'acorn';
import type { CompileError, SourceText } from '../diagnostics.ts';
import type { Language } from './syntax.ts';

/** The TypeScript parser is large: it is loaded when the first `.ts` program is met. */
let typescriptParser: typeof Parser | undefined;
/** The same with markup (`.tsx`, `.jsx`). */
let markupParser: typeof Parser | undefined;

/** Must have been awaited before programs in this language are parsed. */
export async function prepareParser(language: Language): Promise<void> {
  if (language !== 'ts' || typescriptParser !== undefined) return;
  const { tsPlugin } = await import('@sveltejs/acorn-typescript');
  useTypescript(tsPlugin);
}

/** The same for callers that cannot wait and have the plugin already. */
export function useTypescript(plugin: (options?: { jsx: object }) => (parser: typeof Parser) => typeof Parser): void {
  typescriptParser = Parser.extend(plugin());
  markupParser = Parser.extend(plugin({ jsx: {} }));
}

export function parse(source: SourceText, language: Language, markup = false): Program {
  const options: Options = {
    ecmaVersion: 'latest',
    sourceType: language === 'wppl' ? 'script' : 'module',
    // A `return` at top level is refused later, with advice.
    allowReturnOutsideFunction: true,
    allowHashBang: true,
  };
  if (language !== 'ts' && !markup) return attempt(source, language, () => Parser.parse(source.text, options));
  const parser = markup ? markupParser : typescriptParser;
  if (parser === undefined) throw new Error('prepareParser("ts") must be awaited before TypeScript is parsed');
  // The TypeScript plugin needs locations to tell arrow functions from generics.
  return attempt(source, language, () => parser.parse(source.text, { ...options, locations: true }));
}

function attempt(source: SourceText, language: Language, work: () => Program): Program {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof SyntaxError && /stack space/.test(thrown.message)) throw tooDeep(source);
    if (thrown instanceof SyntaxError && typeof (thrown as { pos?: unknown }).pos === 'number') {
      throw reworded(source, language, thrown.message, (thrown as unknown as { pos: number }).pos);
    }
    throw thrown;
  }
}

/** Where the stack is too short for a program. */
export function tooDeep(source: SourceText): CompileError {
  return source.error(
    'The program is nested too deeply to be compiled.',
    0,
    'Split its longest expression into several.',
  );
}

/** Constructs that acorn rejects before the compiler can explain them. */
const ADVICE: readonly [pattern: RegExp, hint: string][] = [
  [/await/, 'Programs cannot wait: load data before the program runs, or with loadData.'],
  [/Identifier '.*' has already been declared/, 'Rename one of the two, or assign to the first without let or const.'],
  [/Unterminated string/, 'Close the string on the line it starts on, or write it between backticks.'],
  [/Unterminated template/, 'Close the template with a backtick.'],
  [/Unterminated comment/, 'Close the comment with */.'],
];

function reworded(source: SourceText, language: Language, message: string, offset: number): CompileError {
  const plain = message.replace(/\s*\(\d+:\d+\)$/, '');
  const at = (hint?: string) => (text: string) => source.error(text, offset, hint);
  if (/'import' and 'export' may appear only/.test(plain)) {
    return at(
      language === 'wppl'
        ? 'A .wppl program sees the whole library without imports. To import other files, make it a .ts or .js module.'
        : 'Move it to the top level of the module.',
    )('import and export do not belong here.');
  }
  if (/^Unexpected (token|keyword)/.test(plain)) {
    if (offset >= source.text.trimEnd().length) {
      return at('A bracket, brace or parenthesis is probably still open.')(
        'The program ends in the middle of something.',
      );
    }
    const token = /^(?:[\w$]+|=>|[=!]==?|&&|\|\||\.\.\.|.)/u.exec(source.text.slice(offset, offset + 40))?.[0] ?? '';
    return at(token === ':' ? colonHint(source, language, offset) : undefined)(`Did not expect '${token}' here.`);
  }
  const jump = /^Unsyntactic (break|continue)/.exec(plain)?.[1];
  if (jump !== undefined) {
    return at('break and continue belong inside a loop; break also inside switch.')(
      `${jump} outside of what it could leave.`,
    );
  }
  const hint = ADVICE.find(([pattern]) => pattern.test(plain))?.[1];
  return at(hint)(`${plain}.`);
}

/** What a colon that is not expected may have been meant for. */
function colonHint({ text }: SourceText, language: Language, offset: number): string {
  if (language !== 'ts' && /(?:\b(?:var|let|const)\s+[\w$]+|\([^()]*[\w$])\??\s*$|\)\s*$/.test(text.slice(0, offset))) {
    return 'Types belong in modules: leave it out, or make this a .ts file.';
  }
  return 'An object literal at the start of a statement needs parentheses: ({a: 1}).';
}
