/**
 * Loops over columns, in WebAssembly: a short run would spend more time on V8's learning what a JavaScript loop does
 * than on the loop. Logarithms and the like are the host's own functions, so that a column holds to the last bit what
 * each execution alone would compute. `kernels.ts` calls them.
 */
import {
  type Expression,
  F64,
  type FunctionBuilder,
  I32,
  ModuleBuilder,
  type ValueType,
} from '../../tensor/wasm/assembler.ts';
import { f64, i32, isNot0, plain } from '../../tensor/wasm/instructions.ts';
import { NORMAL_IMPORTS } from '../../tensor/wasm/normals.ts';
import { addMoves } from './kernel-moves.ts';
import { addRandom } from './kernel-random.ts';
import { addWeights } from './kernel-weights.ts';

/** The first if the third is not 0, else the second. */
const select = plain(0x1b);

const HALF_LOG_2PI = 0.5 * Math.log(2 * Math.PI);

type Write = (
  b: FunctionBuilder,
  x: readonly Expression[],
  call: (name: string, x: Expression) => Expression,
) => Expression;

const truth = (condition: Expression): Expression => f64.convertI32(condition);

/** What a kernel makes of the numbers of one execution; how many there are. */
const ELEMENTWISE: Readonly<Record<string, readonly [number, Write]>> = {
  add: [2, (_b, [x, y]) => f64.add(x, y)],
  sub: [2, (_b, [x, y]) => f64.sub(x, y)],
  mul: [2, (_b, [x, y]) => f64.mul(x, y)],
  div: [2, (_b, [x, y]) => f64.div(x, y)],
  lt: [2, (_b, [x, y]) => truth(f64.lt(x, y))],
  le: [2, (_b, [x, y]) => truth(f64.le(x, y))],
  gt: [2, (_b, [x, y]) => truth(f64.gt(x, y))],
  ge: [2, (_b, [x, y]) => truth(f64.ge(x, y))],
  eq: [2, (_b, [x, y]) => truth(f64.eq(x, y))],
  not: [1, (_b, [x]) => truth(f64.eq(x, f64.const(0)))],
  select: [3, (_b, [condition, x, y]) => select(x, y, isNot0(condition))],
  log: [1, (_b, [x], call) => call('log', x)],
  between: [3, (_b, [u, low, high]) => f64.add(f64.mul(f64.sub(f64.const(1), u), low), f64.mul(u, high))],
  gaussianScore: [
    4,
    (b, [x, mu, sigma, logSigma]) => {
      const value = b.let(F64, x);
      const z = b.let(F64, f64.div(f64.sub(value.get, mu), sigma));
      const square = f64.mul(f64.mul(f64.const(-0.5), z.get), z.get);
      const score = f64.sub(f64.sub(square, logSigma), f64.const(HALF_LOG_2PI));
      const finite = f64.eq(f64.sub(value.get, value.get), f64.const(0));
      return select(score, f64.const(-Infinity), finite);
    },
  ],
};

const MOST_INPUTS = 4;

/** `(n, a, step a, …, d, step d, out)`: places in memory, and steps in bytes. */
function addElementwise(module: ModuleBuilder, name: string, inputs: number, write: Write): void {
  const parameters: ValueType[] = new Array(2 + 2 * MOST_INPUTS).fill(I32);
  module.function(name, parameters, [], (b) => {
    const at = Array.from({ length: inputs }, (_, k) => b.let(I32, b.parameter(1 + 2 * k)));
    const out = b.let(I32, b.parameter(1 + 2 * MOST_INPUTS));
    const end = b.let(I32, i32.add(out.get, i32.shl(b.parameter(0), i32.const(3))));
    b.while(i32.lt(out.get, end.get), () => {
      const values = at.map((pointer) => f64.load([pointer.get]));
      const result = b.let(
        F64,
        write(b, values, (fn, x) => module.callImport(fn, x)),
      );
      b.do(f64.store([out.get, result.get]));
      at.forEach((pointer, k) => {
        pointer.set(i32.add(pointer.get, b.parameter(2 + 2 * k)));
      });
      out.set(i32.add(out.get, i32.const(8)));
    });
  });
}

/** The module. `?bytes` gives it as the build has made it. */
export default function kernelModule(): Uint8Array<ArrayBuffer> {
  const module = new ModuleBuilder(NORMAL_IMPORTS);
  for (const [name, [inputs, write]] of Object.entries(ELEMENTWISE)) addElementwise(module, name, inputs, write);
  addMoves(module);
  addRandom(module);
  addWeights(module);
  return module.build(false);
}
