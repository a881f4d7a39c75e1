/**
 * Whether a program looks small: it is short, has no loops, and its numbers say that it makes few values. Judged by words alone, since a compiler
 * takes longer to load than is won. A wrong guess costs time: what turns out not to be small is run again where there is
 * room (`first-thread.ts`).
 */

const TOKEN =
  /\/\/.*|\/\*[\s\S]*?\*\/|'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"|\d[\d_]*(?:\.\d*)?(?:[eE][+-]?\d+)?|[\w$\u0080-\uffff]+|\S/g;

const COMMENT = /^\/[/*]/;
const NUMBER = /^\d/;
const QUOTE = /^['"]/;

/** Longer texts take a while in any case. */
const MOST_CHARACTERS = 20_000;

/** Deeper ones are for a long stack. */
const MOST_BRACKETS = 60;

/** The largest number in a text, and the largest product of three of them, as for a `repeat` in a `repeat` in `samples`. Most numbers are data. */
const LARGEST = 1e6;
const MOST_TIMES = 1e12;
const NESTED = 3;

/** Words of programs that may run for long, that learn what a signal must not lose, or that use more than the library. */
const BEYOND = new Set([
  ...['for', 'while', 'do', 'class', 'async', 'await', 'yield', 'require', 'process', 'globalThis', '_top', 'eval'],
  ...[
    'Function',
    'webpplEval',
    'Optimize',
    'OptimizeThenSample',
    'optimize',
    'Amortize',
    'posteriors',
    'calibrate',
    'param',
    'loadData',
    'Date',
  ],
]);

/** What a program may import. */
const LIBRARY = /^.waymark(?:\/webppl)?.$/;

export function looksSmall(text: string): boolean {
  if (text.length > MOST_CHARACTERS) return false;
  const numbers: number[] = [];
  let depth = 0;
  let last = '';
  for (const [token] of text.matchAll(TOKEN)) {
    if (COMMENT.test(token)) continue;
    if (NUMBER.test(token)) numbers.push(Number(token.replaceAll('_', '')));
    else if ('([{'.includes(token)) depth++;
    else if (')]}'.includes(token)) depth--;
    else if (last !== '.' && BEYOND.has(token)) return false;
    if (depth > MOST_BRACKETS || loadsOthers(last, token)) return false;
    last = token;
  }
  return areModest(numbers);
}

/** Whether a word and what follows it import something besides the library. */
function loadsOthers(word: string, next: string): boolean {
  if (word === 'import' && next === '(') return true;
  return (word === 'from' || word === 'import') && QUOTE.test(next) && !LIBRARY.test(next);
}

/** Whether the numbers of a text, taken for counts of repetitions, mean little work. */
function areModest(numbers: readonly number[]): boolean {
  const largest = [...numbers].sort((a, b) => b - a).slice(0, NESTED);
  const times = largest.reduce((all, one) => all * Math.max(one, 1), 1);
  return largest.every((one) => one <= LARGEST) && times <= MOST_TIMES;
}
