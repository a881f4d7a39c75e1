/** JavaScript for blocks of scalar operations: one local variable per value, slots of an array at the borders. */
import { special } from '../elementwise/special.ts';
import type { Op } from '../node.ts';
import type { Value } from './program.ts';

export type ScalarCode = (slots: Float64Array) => void;

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
 * Compiles a block. `slotOf` gives the slot of values that cross its border (and, for chunks of a long block, of any
 * value on demand); `leaves` says which of the members are needed outside.
 */
export function compileScalars(
  members: readonly Value[],
  slotOf: (value: Value) => number,
  leaves: (value: Value) => boolean,
): ScalarCode[] {
  const chunks: Value[][] = [];
  for (let i = 0; i < members.length; i += MOST_STATEMENTS) chunks.push(members.slice(i, i + MOST_STATEMENTS));
  const chunkOf = new Map<Value, number>();
  chunks.forEach((chunk, i) => {
    for (const value of chunk) chunkOf.set(value, i);
  });
  // Values used by a later chunk travel through slots as well.
  const crossing = new Set<Value>();
  for (const value of members) {
    for (const input of value.inputs) {
      const from = chunkOf.get(input);
      if (from !== undefined && from !== chunkOf.get(value)) crossing.add(input);
    }
  }
  return chunks.map((chunk) => compileChunk(chunk, slotOf, (value) => leaves(value) || crossing.has(value)));
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
  return new Function('special', `return function scalars(s) {\n${code}}`)(special) as ScalarCode;
}
