/** Reference loops over arrays, generated from the source of each operation. */
import { broadcastOffsets } from '../kernels/walk.ts';
import type { Data, Op, Operand } from '../node.ts';
import { special } from './special.ts';
import { arityOf } from './table.ts';

/** How an operand is read: element by element, one value throughout, or through a table of offsets. */
type Access = 'v' | 's' | 'i';
type Loop = (out: Data, count: number, x: Data, y: Data, z: Data, i: Int32Array, j: Int32Array, k: Int32Array) => void;

const loops = new Map<string, Loop>();

/** One loop per combination of array types, too: V8 is several times slower where types mix. */
function loopFor(op: Op, accesses: string, types: string): Loop {
  const key = `${op.id}${accesses}${types}`;
  let loop = loops.get(key);
  if (loop === undefined) {
    const names = ['a', 'b', 'c'];
    const arrays = ['x', 'y', 'z'];
    const tables = ['i', 'j', 'k'];
    let shared = '';
    let each = '';
    for (let at = 0; at < accesses.length; at++) {
      if (accesses[at] === 's') shared += `const ${names[at]} = ${arrays[at]}[0];`;
      else each += `const ${names[at]} = ${arrays[at]}[${accesses[at] === 'v' ? 'n' : `${tables[at]}[n]`}];`;
    }
    const body = `/* ${types} */ ${shared} for (let n = 0; n < count; n++) { ${each} out[n] = ${op.source}; }`;
    loop = new Function('special', `return function ${op.name}_loop(out, count, x, y, z, i, j, k) { ${body} }`)(
      special,
    ) as Loop;
    loops.set(key, loop);
  }
  return loop;
}

const NO_DATA = new Float64Array(0);
const NO_TABLE = new Int32Array(0);

/** Computes an elementwise operation, broadcasting as `elementwise/record.ts` says. */
export function elementwiseLoop(op: Op, out: Operand, inputs: readonly Operand[]): void {
  const data: Data[] = [NO_DATA, NO_DATA, NO_DATA];
  const tables: Int32Array[] = [NO_TABLE, NO_TABLE, NO_TABLE];
  let accesses = '';
  let types = typeOf(out.data);
  for (let at = 0; at < arityOf(op); at++) {
    const input = inputs[at];
    const access = accessOf(out, input);
    if (access === 'i') tables[at] = broadcastOffsets(out.dims, input.dims, input.lanes, out.lanes);
    data[at] = input.data;
    accesses += access;
    types += typeOf(input.data);
  }
  loopFor(op, accesses, types)(out.data, out.data.length, data[0], data[1], data[2], tables[0], tables[1], tables[2]);
}

function accessOf(out: Operand, input: Operand): Access {
  if (input.data.length === out.data.length) return 'v';
  return input.data.length === 1 ? 's' : 'i';
}

function typeOf(data: Data): string {
  return data instanceof Float64Array ? 'd' : data instanceof Float32Array ? 'f' : 'n';
}
