/**
 * Values compared by structure. A key stands for a value in a `Map`: equal keys mean equal values, whatever the
 * order of an object's fields. Numbers, booleans and strings are their own keys, which keeps the common case free.
 */

/** Types that need a text of their own implement this; equal texts mean equal values. */
interface Keyed {
  valueKey(): string;
}

/** True of whatever can have fields, functions too. */
export const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/** True of plain objects, as programs write them. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** The same, and true of those without a prototype. */
export function hasFields(value: unknown): value is Record<string, unknown> {
  return isRecord(value) || (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null);
}

const identities = new WeakMap<object, number>();
let identityCount = 0;

/** A number for things that are only equal to themselves: functions, and instances of host classes. */
function identity(value: object): number {
  let id = identities.get(value);
  if (id === undefined) {
    id = ++identityCount;
    identities.set(value, id);
  }
  return id;
}

/** Structural texts start with this, so that no string a program uses is mistaken for one. */
const STRUCTURE = '\u0001';

export function valueKey(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) return STRUCTURE + text(value, null);
  if (typeof value === 'string' && value.startsWith(STRUCTURE)) return STRUCTURE + text(value, null);
  return value;
}

export function sameValue(a: unknown, b: unknown): boolean {
  return a === b || Object.is(valueKey(a), valueKey(b));
}

/** Objects on the way down, to recognise a value that contains itself. */
interface Path {
  readonly value: object;
  readonly outer: Path | null;
  readonly depth: number;
  /** All of them, where they are many: linked lists are as deep as they are long. */
  readonly all: Set<object> | null;
}

/** So many are found sooner by going through them. */
const FEW = 32;

function isOn(path: Path | null, value: object): boolean {
  if (path !== null && path.all !== null) return path.all.has(value);
  for (let p = path; p !== null; p = p.outer) if (p.value === value) return true;
  return false;
}

function extended(path: Path | null, value: object): Path {
  const depth = path === null ? 1 : path.depth + 1;
  if (depth < FEW) return { value, outer: path, depth, all: null };
  let all = path === null ? null : path.all;
  if (all === null) {
    all = new Set();
    for (let p = path; p !== null; p = p.outer) all.add(p.value);
  }
  all.add(value);
  return { value, outer: path, depth, all };
}

function text(value: unknown, path: Path | null): string {
  switch (typeof value) {
    case 'number':
      return Object.is(value, -0) ? '0' : String(value);
    case 'string':
      return quoted(value);
    case 'boolean':
    case 'undefined':
      return String(value);
    case 'bigint':
      return `${value}n`;
    case 'symbol':
      return `symbol ${value.description}`;
    case 'function':
      return `function ${identity(value)}`;
    default:
      return value === null ? 'null' : objectText(value as object, path);
  }
}

function objectText(value: object, path: Path | null): string {
  if (isOn(path, value)) return `object ${identity(value)}`;
  const inner = extended(path, value);
  const out = contentText(value, inner);
  inner.all?.delete(value);
  return out;
}

function contentText(value: object, inner: Path): string {
  if (Array.isArray(value)) {
    let out = '[';
    for (let i = 0; i < value.length; i++) out += `${i === 0 ? '' : ','}${text(value[i], inner)}`;
    return `${out}]`;
  }
  const keyed = value as Partial<Keyed>;
  if (typeof keyed.valueKey === 'function') return keyed.valueKey();
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return `object ${identity(value)}`;
  const fields = value as Record<string, unknown>;
  const names = Object.keys(fields);
  if (!isSorted(names)) names.sort();
  let out = '{';
  for (let i = 0; i < names.length; i++) {
    out += `${i === 0 ? '' : ','}${quoted(names[i])}:${text(fields[names[i]], inner)}`;
  }
  return `${out}}`;
}

/** Sorting costs more than all the rest for small objects, and most are written in one order. */
function isSorted(names: readonly string[]): boolean {
  for (let i = 1; i < names.length; i++) if (names[i - 1] > names[i]) return false;
  return true;
}

/** As JSON writes it; looking first is several times faster for the short plain strings that values are made of. */
function quoted(value: string): string {
  if (value.length > 64) return JSON.stringify(value);
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    if (code < 0x20 || code === 0x22 || code === 0x5c || code >= 0xd800) return JSON.stringify(value);
  }
  return `"${value}"`;
}
