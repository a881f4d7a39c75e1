/**
 * Loops over columns, in WebAssembly: in a short run V8 would take longer to optimise a JavaScript loop than to run it.
 * A column holds to the last bit what each execution alone would compute (`elementary.ts`). `kernels.ts` calls them.
 */
import {
  type Expression,
  type FunctionBuilder,
  I32,
  type Local,
  ModuleBuilder,
  V128,
} from '../../tensor/wasm/assembler.ts';
import { OwnConstants } from '../../tensor/wasm/constants.ts';
import { exp, log, log1pUpTo1, tanh } from '../../tensor/wasm/fdlibm.ts';
import { f64x2 as f, i32, loadConstant, v128 } from '../../tensor/wasm/instructions.ts';
import { NORMAL_IMPORTS } from '../../tensor/wasm/normals.ts';
import { type Call, inline, sigmoid, softplus } from '../../tensor/wasm/unary.ts';
import { addGains } from './kernel-gains.ts';
import { Numbers } from './kernel-loops.ts';
import { addMoves } from './kernel-moves.ts';
import { CONSTANTS_AT, CONSTANTS_BYTES } from './kernel-places.ts';
import { addProducts } from './kernel-products.ts';
import { addRandom } from './kernel-random.ts';
import { addResampling } from './kernel-resampling.ts';
import { gaussianScore } from './kernel-scores.ts';
import { addWeights } from './kernel-weights.ts';

type Write = (b: FunctionBuilder, x: readonly Expression[], call: (name: string) => Call) => Expression;

/** 1 where a comparison holds, else 0. */
const truth = (mask: Expression): Expression => v128.and(mask, f.const(1));
/** The first where the mask is set, else the second: no branch that the processor could foresee wrongly. */
const select = (x: Expression, y: Expression, mask: Expression): Expression => v128.bitselect(x, y, mask);

/** e^−|x| */
const decayOf = (b: FunctionBuilder, x: Local, rest: Call): Local =>
  b.let(V128, inline(exp, rest)(b, b.let(V128, f.neg(f.abs(x.get)))));

/** How a kernel computes a number for each of two executions, by how many numbers it takes. */
const ELEMENTWISE: Readonly<Record<string, readonly [number, Write]>> = {
  add: [2, (_b, [x, y]) => f.add(x, y)],
  sub: [2, (_b, [x, y]) => f.sub(x, y)],
  mul: [2, (_b, [x, y]) => f.mul(x, y)],
  div: [2, (_b, [x, y]) => f.div(x, y)],
  lt: [2, (_b, [x, y]) => truth(f.lt(x, y))],
  le: [2, (_b, [x, y]) => truth(f.le(x, y))],
  gt: [2, (_b, [x, y]) => truth(f.gt(x, y))],
  ge: [2, (_b, [x, y]) => truth(f.ge(x, y))],
  eq: [2, (_b, [x, y]) => truth(f.eq(x, y))],
  // As JavaScript's `Math` has them, for NaN and −0 too.
  max: [2, (_b, [x, y]) => f.max(x, y)],
  min: [2, (_b, [x, y]) => f.min(x, y)],
  neg: [1, (_b, [x]) => f.neg(x)],
  abs: [1, (_b, [x]) => f.abs(x)],
  sqrt: [1, (_b, [x]) => f.sqrt(x)],
  floor: [1, (_b, [x]) => f.floor(x)],
  ceil: [1, (_b, [x]) => f.ceil(x)],
  trunc: [1, (_b, [x]) => f.trunc(x)],
  exp: [1, (b, [x], call) => inline(exp, call('exp'))(b, b.let(V128, x))],
  log: [1, (b, [x], call) => inline(log, call('log'))(b, b.let(V128, x))],
  tanh: [1, (b, [x]) => tanh(b, b.let(V128, x))],
  sigmoid: [
    1,
    (b, [given], call) => {
      const x = b.let(V128, given);
      return sigmoid(f, x.get, decayOf(b, x, call('exp')).get);
    },
  ],
  softplus: [
    1,
    (b, [given], call) => {
      const x = b.let(V128, given);
      return softplus(f, x.get, log1pUpTo1(b, decayOf(b, x, call('exp'))));
    },
  ],
  not: [1, (_b, [x]) => truth(f.eq(x, f.const(0)))],
  select: [3, (_b, [condition, x, y]) => select(x, y, f.ne(condition, f.const(0)))],
  between: [
    3,
    (b, [given, low, high]) => {
      const u = b.let(V128, given);
      return f.add(f.mul(f.sub(f.const(1), u.get), low), f.mul(u.get, high));
    },
  ],
  gaussianScore: [
    4,
    (b, [x, mu, sigma, logSigma]) => {
      const value = b.let(V128, x);
      const score = gaussianScore(b, f, V128, value.get, mu, sigma, logSigma);
      return select(score, f.const(-Infinity), f.eq(f.sub(value.get, value.get), f.const(0)));
    },
  ],
};

const MOST_INPUTS = 4;

/**
 * `(n, a, step a, …, d, step d, out)`: places in memory, and steps in bytes. Two executions at once; of an odd number, the last
 * has none beside it, and what is written there is not read.
 */
function addElementwise(module: ModuleBuilder, name: string, inputs: number, write: Write): void {
  module.function(name, new Array(2 + 2 * MOST_INPUTS).fill(I32), [], (b) => {
    const numbers = Array.from(
      { length: inputs },
      (_, k) => new Numbers(b, b.parameter(1 + 2 * k), b.parameter(2 + 2 * k)),
    );
    const out = b.let(I32, b.parameter(1 + 2 * MOST_INPUTS));
    const end = b.let(I32, i32.add(out.get, i32.shl(b.parameter(0), i32.const(3))));
    const ofEach =
      (fn: string): Call =>
      (x) => {
        const one = (lane: number): Expression => f.splat(module.callImport(fn, f.extract(lane, x)));
        return v128.shuffle(FIRST_OF_EACH, one(0), one(1));
      };
    b.while(i32.lt(out.get, end.get), () => {
      const values = numbers.map((each) => each.two);
      b.do(v128.store([out.get, write(b, values, ofEach)]));
      for (const each of numbers) each.advance();
      out.set(i32.add(out.get, i32.const(16)));
    });
  });
}

const FIRST_OF_EACH = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];

/** The module. `?bytes` gives it as the build has made it. */
export default function kernelModule(): Uint8Array<ArrayBuffer> {
  const constants = new OwnConstants(CONSTANTS_AT, CONSTANTS_BYTES);
  const module = new ModuleBuilder(NORMAL_IMPORTS, constants, loadConstant);
  for (const [name, [inputs, write]] of Object.entries(ELEMENTWISE)) addElementwise(module, name, inputs, write);
  addMoves(module);
  addRandom(module);
  addWeights(module);
  addGains(module);
  addResampling(module);
  addProducts(module);
  return module.build(false);
}
