/** JavaScript for blocks of scalar operations: one local variable per value, slots of an array at the borders. */

import { fromText } from '../../v8/new-code.ts';
import { special } from '../elementwise/special.ts';
import type { Op } from '../node.ts';
import type { Value } from './program.ts';

/** Works on slots, which are at an address if they are in the memory of a device. */
export type ScalarCode = (slots: Float64Array, address: number) => void;

/** Longer functions are split: V8's optimising compiler takes too long over them, or gives up. */
const MOST_STATEMENTS = 300;

const templates = new Map<Op, (a: string, b: string, c: string) => string>();

/** The source of an operation as a function of its operands' names. */
function templateOf(op: Op): (a: string, b: string, c: string) => string {
  let template = templates.get(op);
  if (template === undefined) {
    const parts = (op.source as string).split(/\b([abc])\b/);
    template = (a, b, c) => {
      let out = '';
      for (const part of parts) out += part === 'a' ? a : part === 'b' ? b : part === 'c' ? c : part;
      return out;
    };
    templates.set(op, template);
  }
  return template;
}

function literal(value: number): string {
  if (Object.is(value, -0)) return '-0';
  if (value === Infinity) return 'Infinity';
  if (value === -Infinity) return '(-Infinity)';
  return value < 0 ? `(${value})` : String(value);
}

/**
 * Cuts a long block into pieces. `leaves` says which of the members are needed outside the block; those that only a
 * later piece needs travel through slots as well, and are said to leave their piece.
 */
export function inPieces(
  members: readonly Value[],
  most: number,
  leaves: (value: Value) => boolean,
): { pieces: (readonly Value[])[]; leavesPiece: (value: Value) => boolean } {
  if (members.length <= most) return { pieces: [members], leavesPiece: leaves };
  const pieces: Value[][] = [];
  for (let i = 0; i < members.length; i += most) pieces.push(members.slice(i, i + most));
  const pieceOf = new Map<Value, number>();
  pieces.forEach((piece, i) => {
    for (const value of piece) pieceOf.set(value, i);
  });
  const crossing = new Set<Value>();
  for (const value of members) {
    for (const input of value.inputs) {
      const from = pieceOf.get(input);
      if (from !== undefined && from !== pieceOf.get(value)) crossing.add(input);
    }
  }
  return { pieces, leavesPiece: (value) => leaves(value) || crossing.has(value) };
}

/** Compiles a block. `slotOf` gives the slot of values that cross its border. */
export function compileScalars(
  members: readonly Value[],
  slotOf: (value: Value) => number,
  leaves: (value: Value) => boolean,
): ScalarCode[] {
  const { pieces, leavesPiece } = inPieces(members, MOST_STATEMENTS, leaves);
  return pieces.map((piece) => compileChunk(piece, slotOf, leavesPiece));
}

function compileChunk(
  members: readonly Value[],
  slotOf: (value: Value) => number,
  leaves: (value: Value) => boolean,
): ScalarCode {
  const names = new Map<Value, string>();
  let code = '';
  const nameOf = (value: Value): string => {
    const known = names.get(value);
    if (known !== undefined) return known;
    if (value.source?.kind === 'baked') {
      const text = literal(value.source.data as number);
      names.set(value, text);
      return text;
    }
    const name = `v${value.id}`;
    code += `const ${name} = s[${slotOf(value)}];\n`;
    names.set(value, name);
    return name;
  };
  for (const value of members) {
    const [a, b, c] = value.inputs;
    const operands = [nameOf(a), b === undefined ? '' : nameOf(b), c === undefined ? '' : nameOf(c)];
    const name = `v${value.id}`;
    code += `const ${name} = ${templateOf(value.op)(operands[0], operands[1], operands[2])};\n`;
    names.set(value, name);
    if (leaves(value)) code += `s[${slotOf(value)}] = ${name};\n`;
  }
  const text = `return function scalars(s) {\n${code}}`;
  return fromText<ScalarCode>(text, ['special'], [special]) ?? interpreted(members, slotOf, leaves);
}

/** The same without new code, for a few runs and for pages that forbid it: one operation after the other, their values in an array. */
export function interpreted(
  members: readonly Value[],
  slotOf: (value: Value) => number,
  leaves: (value: Value) => boolean,
): ScalarCode {
  const places = new Map<Value, number>();
  const constants: number[] = [];
  const given: { readonly place: number; readonly slot: number }[] = [];
  const placeOf = (value: Value | undefined): number => {
    if (value === undefined) return 0;
    const known = places.get(value);
    if (known !== undefined) return known;
    const place = places.size;
    places.set(value, place);
    constants[place] = value.source?.kind === 'baked' ? (value.source.data as number) : 0;
    if (value.source?.kind !== 'baked') given.push({ place, slot: slotOf(value) });
    return place;
  };
  const steps = members.map((value) => {
    const [a, b, c] = value.inputs.map(placeOf);
    const place = places.size;
    places.set(value, place);
    return { op: value.op, a, b: b ?? a, c: c ?? a, place, slot: leaves(value) ? slotOf(value) : -1 };
  });
  const values = new Float64Array(places.size);
  values.set(constants);
  return (slots) => {
    for (const { place, slot } of given) values[place] = slots[slot];
    for (const { op, a, b, c, place, slot } of steps) {
      values[place] = op.compute!(values[a], values[b], values[c]);
      if (slot >= 0) slots[slot] = values[place];
    }
  };
}
