/**
 * Rows of the table of JavaScript: each is an expression, or the body of a function, over
 *
 * - `k`, a whole number 0, 1 or 2, `b`, a truth value, and `x`, a real number, which are choices or data that differ;
 * - `w` (`b ? A : B`), `u` (the same by `if` and `return`), `o` (`objects[k]`) and `m` (picked by `reduce`), among objects;
 * - `y` (`b ? D : E`), of objects with numbers alone: where sides are merged, another object has their place;
 * - `d`, a choice among objects, the one that `k` says;
 * - `l` (`b ? P : Q`) among arrays, `s` (`words[k]`) among texts, and `h` (`b ? f : g`) among functions.
 *
 * What it is worth is computed by Node alone, from the values of the choices.
 */
import lodash from 'lodash';
import { PLAIN_LIBRARY } from './plain-library.ts';

/** What rows of all kinds refer to. */
export const PRELUDE = `
var A = {n: 1, s: 'one', l: [1, 2]};
var B = {n: 2, s: 'two', l: [3]};
var C = {n: 3, s: 'three', l: []};
var D = {n: 1};
var E = {n: 2};
var objects = [A, B, C];
var P = [3, 1, 2];
var Q = [2, 2, 5, 1];
var words = ['', 'ab', 'cab'];
var f = function(t) { return t + 1; };
var g = function(t) { return t * 2; };
var uniqHeld = _.uniq;
var held = {uniq: _.uniq, sum: _.sum, floor: Math.floor, has: Object.hasOwn, lodash: _};
var heldList = [_.max, _.includes, Math.abs];
var pickOne = function(t) { if (t) { return A; } return B; };
`;

/** What the letters stand for. */
const LETTERS: Readonly<Record<string, string>> = {
  w: 'b ? A : B',
  y: 'b ? D : E',
  u: 'pickOne(b)',
  o: 'objects[k]',
  m: 'objects.reduce(function(a, c) { return c.n === k + 1 ? c : a; })',
  l: 'b ? P : Q',
  s: 'words[k]',
  h: 'b ? f : g',
};

const mentions = (code: string, letter: string): boolean =>
  new RegExp(`(?<![\\w'"$]|(?<!\\.\\.)\\.)${letter}(?![\\w'"])(?!:(?<!case ${letter}:))`).test(code);

/** Whether the choice of a row is one among objects, and not a number. */
export const isDrawn = (code: string): boolean => mentions(code, 'd');

/** The text of a row as a function of `k`, `b`, `x` and `d`. */
export function functionText(code: string): string {
  const letters = Object.keys(LETTERS).filter((letter) => mentions(code, letter));
  const declared = letters.map((letter) => `var ${letter} = ${LETTERS[letter]}; `).join('');
  const body = /^(let|const|var|if|switch|try|for|while|do)\b/.test(code) ? code : `return ${code};`;
  return `function(k, b, x, d) { ${declared}${body} }`;
}

/** What the choices of an execution are. */
export interface Chosen {
  readonly k: number;
  readonly b: boolean;
  readonly x: number;
}

type Plain = (chosen: Chosen) => unknown;
const known = new Map<string, Plain>();

/** The row as Node computes it. */
export function plain(code: string): Plain {
  let found = known.get(code);
  if (found === undefined) {
    const make = new Function(
      '_',
      `${PLAIN_LIBRARY}\n${PRELUDE}\nvar row = ${functionText(code)}; return function(k, b, x) { return row(k, b, x, objects[k]); };`,
    );
    found = remembering(() => make(lodash));
    known.set(code, found);
  }
  return found;
}

/** Each value is computed once, from a prelude that no other row has changed. */
function remembering(make: () => (k: number, b: boolean, x: number) => unknown): Plain {
  const values = new Map<string, unknown>();
  return ({ k, b, x }) => {
    const key = `${k} ${b} ${x}`;
    if (!values.has(key)) values.set(key, make()(k, b, x));
    return values.get(key);
  };
}

/** Every combination of the discrete choices. */
export const COMBINATIONS: readonly Omit<Chosen, 'x'>[] = [0, 1, 2].flatMap((k) =>
  [false, true].map((b) => ({ k, b })),
);

/** Whether two values are the same, numbers but for rounding. */
export function alike(one: unknown, other: unknown): boolean {
  if (typeof one === 'number' && typeof other === 'number') {
    return Object.is(one, other) || one === other || Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(other));
  }
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(other);
  return (
    Object.keys(one).length === keys.length &&
    (!Array.isArray(one) || one.length === (other as unknown[]).length) &&
    keys.every((key) => alike((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]))
  );
}

/** A value in a message. */
export const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
};
