/** Reference loops over arrays, generated from the source of each operation. */

import { fromText } from '../../v8/new-code.ts';
import { broadcastOffsets } from '../kernels/walk.ts';
import type { Data, Op, Operand } from '../node.ts';
import { accessOf, REPEATED, SHARED, STRETCHED, THROUGH_TABLE } from './access.ts';
import { special } from './special.ts';
import { arityOf } from './table.ts';

type Loop = (out: Data, count: number, x: Data, y: Data, z: Data, i: Int32Array, j: Int32Array, k: Int32Array) => void;

/** By operation, how each operand is read, and all array types: V8 is several times slower where types mix. */
const loops = new Map<number, Loop>();
const ACCESSES = 5;
const TYPES = 3;

function makeLoop(op: Op, accesses: readonly number[], types: readonly number[]): Loop {
  const names = ['a', 'b', 'c'];
  const arrays = ['x', 'y', 'z'];
  const tables = ['i', 'j', 'k'];
  let shared = '';
  let each = '';
  accesses.slice(0, arityOf(op)).forEach((access, at) => {
    const [name, array] = [names[at], arrays[at]];
    if (access === SHARED) shared += `const ${name} = ${array}[0];`;
    else each += `const ${name} = ${array}[${placeIn(array, tables[at], access)}];`;
    if (access === REPEATED) shared += `const ${array}n = ${array}.length;`;
    if (access === STRETCHED) shared += `const ${array}n = count / ${array}.length;`;
  });
  const body = `/* ${types} */ ${shared} for (let n = 0; n < count; n++) { ${each} out[n] = ${op.source}; }`;
  const text = `return function ${op.name}_loop(out, count, x, y, z, i, j, k) { ${body} }`;
  return fromText<Loop>(text, ['special'], [special]) ?? generalLoop(op, [...accesses]);
}

/** The same for pages that forbid new code. */
function generalLoop(op: Op, accesses: readonly number[]): Loop {
  const arity = arityOf(op);
  return (out, count, x, y, z, i, j, k) => {
    const [arrays, tables] = [
      [x, y, z],
      [i, j, k],
    ] as const;
    const values = [0, 0, 0];
    for (let n = 0; n < count; n++) {
      for (let at = 0; at < arity; at++)
        values[at] = arrays[at][placeAt(n, accesses[at], count, arrays[at], tables[at])];
      out[n] = op.compute!(values[0], values[1], values[2]);
    }
  };
}

function placeAt(n: number, access: number, count: number, array: Data, table: Int32Array): number {
  if (access === SHARED) return 0;
  if (access === THROUGH_TABLE) return table[n];
  if (access === REPEATED) return n % array.length;
  return access === STRETCHED ? Math.floor(n / (count / array.length)) : n;
}

function placeIn(array: string, table: string, access: number): string {
  if (access === THROUGH_TABLE) return `${table}[n]`;
  if (access === REPEATED) return `n % ${array}n`;
  return access === STRETCHED ? `(n / ${array}n) | 0` : 'n';
}

const NO_DATA = new Float64Array(0);
const NO_TABLE = new Int32Array(0);
/** Reused by one operation after the other: none keeps it. */
const accesses = [0, 0, 0];
const types = [0, 0, 0, 0];
const data: Data[] = [NO_DATA, NO_DATA, NO_DATA];
const tables: Int32Array[] = [NO_TABLE, NO_TABLE, NO_TABLE];

/** Computes an elementwise operation, broadcasting as `elementwise/record.ts` says. */
export function elementwiseLoop(op: Op, out: Operand, inputs: readonly Operand[]): void {
  types[0] = typeOf(out.data);
  let key = op.id * TYPES + types[0];
  for (let at = 0; at < 3; at++) {
    // Operations have two operands or fewer as a rule; the others are not read.
    const used = at < inputs.length;
    accesses[at] = used ? accessOf(out, inputs[at]) : 0;
    types[at + 1] = used ? typeOf(inputs[at].data) : 0;
    data[at] = used ? inputs[at].data : NO_DATA;
    tables[at] = accesses[at] === THROUGH_TABLE ? tableFor(out, inputs[at]) : NO_TABLE;
    key = (key * ACCESSES + accesses[at]) * TYPES + types[at + 1];
  }
  let loop = loops.get(key);
  if (loop === undefined) {
    loop = makeLoop(op, accesses, types);
    loops.set(key, loop);
  }
  loop(out.data, out.data.length, data[0], data[1], data[2], tables[0], tables[1], tables[2]);
}

function tableFor(out: Operand, input: Operand): Int32Array {
  return broadcastOffsets(out.dims, input.dims, input.lanes, out.lanes);
}

function typeOf(array: Data): number {
  return array instanceof Float64Array ? 0 : array instanceof Float32Array ? 1 : 2;
}
