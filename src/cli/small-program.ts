/**
 * Whether a program looks small: its calls nest no deeper than its text, and numbers in it say how many values it makes. Judged by
 * words alone, since a compiler takes longer to load than is won. A wrong guess costs time and nothing else: what turns
 * out not to be small is run again where there is room (`first-thread.ts`).
 */

const TOKEN =
  /\/\/.*|\/\*[\s\S]*?\*\/|'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|\d[\d_]*(?:\.\d*)?(?:[eE][+-]?\d+)?|[\w$\u0080-\uffff]+|=>|\S/g;

const NUMBER = /^\d/;
const WORD = /^[\w$\u0080-\uffff]/;
const QUOTE = /^['"]/;

/** Longer texts take a while in any case. */
const MOST_CHARACTERS = 20_000;

/** Deeper ones are for a long stack. */
const MOST_BRACKETS = 60;

/** Of the numbers in a text, and of what is done so many times within two others: `repeat` in `repeat` in `samples`. Most are data. */
const LARGEST = 1e6;
const MOST_TIMES = 1e12;
const NESTED = 3;

/** Of programs that go on as long as they like, learn what a signal must not lose, or see more than the library. */
const BEYOND = new Set([
  ...[
    'for',
    'while',
    'do',
    'class',
    'async',
    'await',
    'yield',
    'require',
    'process',
    'globalThis',
    '_top',
    'eval',
    'Function',
  ],
  ...['webpplEval', 'Optimize', 'optimize', 'Amortize', 'posteriors', 'calibrate', 'param', 'loadData', 'Date'],
]);

/** What a program may import. */
const LIBRARY = /^.waymark(?:\/webppl)?.$/;

const OPENING = new Set(['(', '[', '{']);
const CLOSING = new Set([')', ']', '}']);
const DECLARING = new Set(['var', 'let', 'const', 'function']);
/** Words that a value does not end with; and those that go on after one. */
const EXPECTING = new Set([...DECLARING, 'return', 'new', 'typeof', 'case', 'else', 'in', 'of', 'throw', 'default']);
const JOINING = new Set(['in', 'of', 'instanceof', 'as']);

export function looksSmall(text: string): boolean {
  if (text.length > MOST_CHARACTERS) return false;
  const scan = new Scan();
  for (const [token] of text.matchAll(TOKEN)) if (!scan.accepts(token)) return false;
  return scan.isModest() && !scan.recurs();
}

/** A name whose definition is being read. */
interface Definition {
  readonly name: string;
  /** How many brackets are open around it. */
  readonly depth: number;
  /** A declaration, which ends with its body. */
  readonly isFunction: boolean;
}

class Scan {
  private depth = 0;
  private last = '';
  /** The one before the last. */
  private before = '';
  /** Whether the last is a word that means a variable. */
  private mentioned = false;
  private readonly open: Definition[] = [];
  /** Words that the definition of a name mentions. */
  private readonly mentions = new Map<string, Set<string>>();
  private readonly numbers: number[] = [];

  /** Reads on; false if the program is known not to be small. */
  accepts(token: string): boolean {
    if (token.startsWith('//') || token.startsWith('/*')) return true;
    this.mention(token);
    if (NUMBER.test(token)) this.numbers.push(Number(token.replaceAll('_', '')));
    else if (QUOTE.test(token)) {
      if ((this.last === 'from' || this.last === 'import') && !LIBRARY.test(token)) return false;
    } else if (WORD.test(token)) {
      if (BEYOND.has(token) && this.last !== '.') return false;
      this.word(token);
    } else if (!this.sign(token)) return false;
    this.before = this.last;
    this.last = token;
    return this.depth <= MOST_BRACKETS;
  }

  private sign(token: string): boolean {
    if (OPENING.has(token)) {
      this.depth++;
      return this.last !== 'import' || token === '{';
    }
    if (CLOSING.has(token)) {
      this.depth--;
      this.endThose((one) => one.depth > this.depth || (token === '}' && one.isFunction && one.depth === this.depth));
    } else if (token === ';' || token === ',') this.endThose((one) => one.depth === this.depth && !one.isFunction);
    // A template has names inside.
    return !(token.startsWith('`') && token.includes('${'));
  }

  private word(name: string): void {
    if (this.last === '.') return;
    const isNext = DECLARING.has(this.last) || (this.last === ',' && this.declares);
    // Two values side by side belong to two statements.
    if (!isNext && this.endsValue() && !JOINING.has(name)) this.endThose((one) => one.depth === this.depth);
    this.mentioned = !isNext;
    if (!isNext) return;
    if (!this.mentions.has(name)) this.mentions.set(name, new Set());
    this.open.push({ name, depth: this.depth, isFunction: this.last === 'function' });
  }

  /** The last word is mentioned in all that is being defined, unless it is the key of a field. */
  private mention(token: string): void {
    const { last, before } = this;
    const isKey = token === ':' && (before === '{' || before === ',');
    if (this.mentioned && !isKey) for (const one of this.open) this.mentions.get(one.name)!.add(last);
    this.mentioned = false;
  }

  /** Whether the comma before ended the definition of a variable. */
  private declares = false;

  private endsValue(): boolean {
    const { last } = this;
    return CLOSING.has(last) || QUOTE.test(last) || (WORD.test(last) && !EXPECTING.has(last));
  }

  private endThose(areOver: (one: Definition) => boolean): void {
    const before = this.open.length;
    while (this.open.length > 0 && areOver(this.open.at(-1)!)) this.open.pop();
    this.declares = this.open.length < before;
  }

  /** Whether what it does so and so many times is not too much. */
  isModest(): boolean {
    const largest = this.numbers.sort((a, b) => b - a).slice(0, NESTED);
    const times = largest.reduce((all, one) => all * Math.max(one, 1), 1);
    return largest.every((one) => one <= LARGEST) && times <= MOST_TIMES;
  }

  /** Whether a definition mentions its own name, itself or through others. */
  recurs(): boolean {
    const done = new Set<string>();
    const path = new Set<string>();
    const isCircular = (name: string): boolean => {
      if (path.has(name)) return true;
      if (done.has(name)) return false;
      path.add(name);
      for (const next of this.mentions.get(name) ?? []) if (isCircular(next)) return true;
      path.delete(name);
      done.add(name);
      return false;
    };
    return [...this.mentions.keys()].some(isCircular);
  }
}
