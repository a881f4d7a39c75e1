/** Command-line arguments: a table of options in, checked settings or one clear message out. */
import { didYouMean } from '../runtime/errors.ts';

/** A mistake in how the command was called: its message is all the user needs. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** An option of a command. With `value` it takes one, and `parse` checks it. */
export interface Option<T> {
  readonly summary: string;
  /** How help names the value, as in `--seed N`; absent for a switch. */
  readonly value?: string;
  /** The setting for the given text; throws a `UsageError` with what was expected. A switch is given ''. */
  parse(text: string): T;
}

/** Options by name, without the dashes. */
export type Options = Readonly<Record<string, Option<unknown>>>;

/** What was given for each option; absent means not given. */
export type Settings<O extends Options> = { [K in keyof O]?: O[K] extends Option<infer T> ? T : never };

export interface Arguments<O extends Options> {
  readonly settings: Settings<O>;
  /** What is neither an option nor its value. */
  readonly operands: readonly string[];
  /** What comes after `--`. */
  readonly rest: readonly string[];
}

/** Reads `--name value`, `--name=value`, switches, operands, and what follows `--`. */
export function readArguments<O extends Options>(command: string, options: O, given: readonly string[]): Arguments<O> {
  const settings: Record<string, unknown> = {};
  const operands: string[] = [];
  for (let i = 0; i < given.length; i++) {
    const word = given[i];
    if (word === '--') return { settings: settings as Settings<O>, operands, rest: given.slice(i + 1) };
    if (!word.startsWith('-') || word === '-') {
      operands.push(word);
      continue;
    }
    const [, name, attached] = /^--?([^=]*)(?:=([\s\S]*))?$/.exec(word) as RegExpExecArray;
    if (!word.startsWith('--') || !Object.hasOwn(options, name)) throw unknownOption(command, word, name, options);
    if (Object.hasOwn(settings, name)) throw new UsageError(`--${name} is given twice.`);
    settings[name] = options[name].parse(valueFor(options[name], name, attached, () => given[++i]));
  }
  return { settings: settings as Settings<O>, operands, rest: [] };
}

function valueFor(
  option: Option<unknown>,
  name: string,
  attached: string | undefined,
  next: () => string | undefined,
): string {
  if (option.value === undefined) {
    if (attached === undefined) return '';
    throw new UsageError(`--${name} is a switch and takes no value, got '${attached}'.`);
  }
  const text = attached ?? next();
  // A value may start with one dash (a negative seed), but two are the next option: the value was forgotten.
  if (text === undefined || text === '' || (attached === undefined && text.startsWith('--'))) {
    throw new UsageError(`--${name} needs a value: --${name} ${option.value}.`);
  }
  return text;
}

function unknownOption(command: string, word: string, name: string, options: Options): UsageError {
  const shown = word.split('=')[0];
  const names = Object.keys(options);
  // didYouMean is given the dashes too, so that its answer can be typed as it stands.
  const known = names.map((one) => `--${one}`);
  const hint = didYouMean(`--${name}`, known);
  return new UsageError(`waymark ${command} has no option ${shown}.${hint || ` See waymark ${command} --help.`}`);
}

/** A switch, off unless given. */
export function flag(summary: string): Option<boolean> {
  return { summary, parse: () => true };
}

/** An option whose value is any text. */
export function text(value: string, summary: string): Option<string> {
  return { summary, value, parse: (given) => given };
}

/** An option whose value is a list, separated by commas. */
export function list(value: string, summary: string): Option<readonly string[]> {
  return { summary, value, parse: (given) => given.split(',').filter((one) => one !== '') };
}

/** An option whose value is one of a few words. */
export function oneOf<T extends string>(name: string, words: readonly T[], summary: string): Option<T> {
  return {
    summary,
    value: words.join('|'),
    parse(given) {
      const known = words.find((word) => word === given);
      if (known !== undefined) return known;
      const list = `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
      throw new UsageError(`--${name} must be ${list}, got '${given}'.${didYouMean(given, words)}`);
    },
  };
}

/** An option whose value is a number that `accepts` takes. */
export function number(
  name: string,
  expected: string,
  accepts: (n: number) => boolean,
  summary: string,
): Option<number> {
  return {
    summary,
    value: 'N',
    parse(given) {
      const n = given.trim() === '' ? Number.NaN : Number(given);
      if (accepts(n)) return n;
      throw new UsageError(`--${name} must be ${expected}, got '${given}'.`);
    },
  };
}
