/** Where in a program an error happened, from its stack trace and the units' source maps. */
import { CompileError, type Position } from '../compiler/diagnostics.ts';
import { UNIT_FUNCTION } from '../compiler/emit/emit.ts';
import { ofDistribution } from '../runtime/closed-forms.ts';
import { textOf, wordOf } from '../runtime/error-words.ts';
import { didYouMean, WaymarkError } from '../runtime/errors.ts';
import { EndlessValue, isStackOverflow, OneByOne } from '../runtime/signals.ts';
import { stackOf } from '../runtime/throwing.ts';
import { fieldsOfLibrary } from './scope.ts';
import { UNIT_URL, type Unit } from './unit.ts';

/** One call in progress, in the program's own terms. */
export interface Frame extends Position {
  /** The function's name as the program has it; empty at top level. */
  readonly name: string;
  readonly file: string;
}

export interface Located extends Partial<Position> {
  readonly message: string;
  /** What to do about it, if the message does not say. */
  readonly hint?: string;
  readonly file: string;
  /** The text of that file, if a place in it is known. */
  readonly source?: string;
  /** The program's calls in progress, innermost first; those of library and host are left out. */
  readonly frames: readonly Frame[];
}

/** Locates anything thrown while these units (by url) ran or were compiled. */
export function locate(raised: unknown, units: ReadonlyMap<string, Unit>, file: string): Located {
  const thrown = raised instanceof OneByOne ? raised.asError() : raised;
  if (thrown instanceof CompileError) {
    const { message, hint, line, column, source } = thrown;
    return { message, hint, file: thrown.file, line, column, source, frames: [] };
  }
  const places = stackOf(thrown)
    .split('\n')
    .map((line) => placeOf(line, units))
    .filter((place) => place !== undefined);
  const message = messageOf(thrown, places[0]);
  const hint = hintFor(thrown, message, places[0]?.unit);
  if (places.length === 0) return { message, hint, file, frames: [] };
  const { unit, frame } = places[0];
  return {
    message,
    hint,
    file: frame.file,
    line: frame.line,
    column: frame.column,
    source: unit.source,
    frames: places.map((place) => place.frame),
  };
}

interface Place {
  readonly unit: Unit;
  readonly offset: number;
  readonly frame: Frame;
}

/** As V8 writes it, and as other engines do: `name@url:line:column`. */
const STACK_LINE = new RegExp(`^(?:\\s+at (?:(.*) \\()?|([^@]*)@)(${UNIT_URL.source}):(\\d+):(\\d+)\\)?$`);

/** The place in the program that a line of a stack trace stands for, if it is one of the program's. */
function placeOf(text: string, units: ReadonlyMap<string, Unit>): Place | undefined {
  const found = STACK_LINE.exec(text);
  const unit = found === null ? undefined : units.get(found[3]);
  if (found === null || unit === undefined) return undefined;
  const line = Number(found[4]);
  const column = Number(found[5]);
  const offset = unit.compiled.map.offsetOf(line, column);
  const position = unit.compiled.map.position(line, column);
  // The prelude's helpers stand for operators, whose place is that of the frame below.
  if (offset === undefined || position === undefined) return undefined;
  return { unit, offset, frame: { name: ownName(found[1] ?? found[2] ?? ''), file: unit.file, ...position } };
}

/** Frames of JavaScript's own functions, as V8 writes them and as other engines do. */
const BUILT_IN = /\(<anonymous>\)$|\[native code\]/;

/** Whether the text of one of these units raised an error, or a function of JavaScript that it called. */
export function isRaisedByText(error: Error, units: ReadonlyMap<string, Unit>): boolean {
  const frames = stackOf(error)
    .split('\n')
    .filter((line) => /^\s+at |@/.test(line) && !BUILT_IN.test(line));
  const found = frames.length === 0 ? null : UNIT_URL.exec(frames[0]);
  return found !== null && units.has(found[0]);
}

/** The name of functions without one. */
export const ANONYMOUS = '(anonymous function)';

/** The name of a function as the program has it. */
function ownName(shown: string): string {
  const name = shown
    .replace(/ \[as .*\]$/, '')
    .replace(/^new /, '')
    .replace(/^.*\./, '');
  if (name === UNIT_FUNCTION) return '';
  // V8 calls functions without a name after the way the text was run.
  if (name === '' || name === '<anonymous>' || name === 'eval') return ANONYMOUS;
  if (name === '$default') return 'default';
  return name.replace(/^\$(?:_|\d+_|(?=\$))/, '');
}

/** Limits of V8, whose messages speak of its own parts. */
const TOO_MANY =
  'More than 16,777,216 different values were to be told apart, by a distribution, unique, mem, cache or a Map of the ' +
  'program: no table holds more. Use fewer samples, or values of which fewer are different (rounded numbers, say).';
const ENDLESS =
  'A list or object with choices inside contains itself, so that going through it has no end. Where gradients are taken, that ' +
  'cannot be done here. Have it refer to itself by an index or a name instead.';
const TOO_LARGE = /^(?:Array buffer allocation failed|Invalid typed array length: (?:\d{9}|\d[\d.]*e\+))/;
const NO_MEMORY =
  'There is not enough memory for an array or a tensor of that size, or for so many samples or particles.';
const TOO_LONG =
  'A text would have more characters than JavaScript can hold in one (some 500 million). Divide it, or keep its parts in an array.';

function messageOf(thrown: unknown, place: Place | undefined): string {
  if (!(thrown instanceof Error)) return `Thrown: ${shortTextOf(thrown)}`;
  if (thrown instanceof EndlessValue) return ENDLESS;
  if (isStackOverflow(thrown)) {
    return 'The recursion is too deep: calls are nested deeper than the stack allows. Does the recursion end?';
  }
  const [said = '', name = 'Error'] = [wordOf(thrown, 'message'), wordOf(thrown, 'name')];
  if (thrown instanceof RangeError && /^(Map|Set) maximum size exceeded/.test(said)) return TOO_MANY;
  if (thrown instanceof RangeError && TOO_LARGE.test(said)) return NO_MEMORY;
  if (thrown instanceof RangeError && said === 'Invalid string length') return TOO_LONG;
  if (said === '') return name;
  const message = place === undefined ? said : inProgramsWords(said, place);
  if (thrown instanceof WaymarkError || name === 'Error') return message;
  return `${name}: ${message}`;
}

/** What to do about an error in JavaScript's own words. */
function hintFor(thrown: unknown, message: string, unit: Unit | undefined): string | undefined {
  const [, quoted] = thrown instanceof TypeError ? (/^TypeError: (.*) is not a function$/s.exec(message) ?? []) : [];
  if (quoted === undefined) return undefined;
  return ofDistribution(quoted) ?? (unit === undefined ? undefined : ofLibrary(quoted, unit.source));
}

/** What a misspelt field of `T`, `Math` and their like may have been, unless the program has such a name of its own. */
function ofLibrary(quoted: string, source: string): string | undefined {
  const [, object, field] = /^([A-Za-z_]\w*)\.(\w+)$/.exec(quoted) ?? [];
  if (object === undefined || new RegExp(`\\b(?:var|let|const|function)\\s+${object}\\b`).test(source))
    return undefined;
  const fields = fieldsOfLibrary(object);
  if (fields === undefined || fields.includes(field)) return undefined;
  return `${object} has no function '${field}'.${didYouMean(field, fields)}`;
}

/** A thrown value that is no Error, as text of bearable length. */
function shortTextOf(value: unknown): string {
  let text: string | undefined;
  if (typeof value === 'object' && value !== null) {
    try {
      text = JSON.stringify(value);
    } catch {
      // A value that contains itself has no JSON; its plain text will do.
    }
  }
  text ??= textOf(value);
  return text.length <= 200 ? text : `${text.slice(0, 199)}…`;
}

/** What the compiler puts before the name of a variable that it keeps apart from another. */
const RENAMED = /\$\d+_/g;
/** What emitted text calls `Math`, where WebPPL adds to it. */
const MATHEMATICS = /\$\.math\b/g;

/** JavaScript's "… is not a function" quotes emitted text: quote the program's own. */
function inProgramsWords(message: string, { unit, offset }: Place): string {
  const plain = message.replace(RENAMED, '').replace(MATHEMATICS, 'Math');
  const [, quoted, rest] = /^(.*)( is not a function.*| is not iterable.*)$/s.exec(plain) ?? [];
  if (quoted === undefined || !/\$|intermediate value/.test(quoted)) return plain;
  let callee: string | undefined;
  for (const site of unit.compiled.sites) {
    if (site.calleeEnd === undefined || site.offset > offset || offset > site.calleeEnd) continue;
    const text = unit.source.slice(site.offset, site.calleeEnd);
    if (callee === undefined || text.length < callee.length) callee = text;
  }
  return callee === undefined ? plain : `${callee.replace(/\s+/g, ' ')}${rest}`;
}
