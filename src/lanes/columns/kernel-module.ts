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
import { f64 as basic, i32, i32x4, plain, v128 } from '../../tensor/wasm/instructions.ts';
import { philox, uniforms } from '../../tensor/wasm/random.ts';

const f64 = {
  ...basic,
  sub: plain(0xa1),
  mul: plain(0xa2),
  div: plain(0xa3),
  sqrt: plain(0x9f),
  neg: plain(0x9a),
  max: plain(0xa5),
};
/** The first if the third is not 0, else the second. */
const select = plain(0x1b);

const HALF_LOG_2PI = 0.5 * Math.log(2 * Math.PI);

type Write = (
  b: FunctionBuilder,
  x: readonly Expression[],
  call: (name: string, x: Expression) => Expression,
) => Expression;

const truth = (condition: Expression): Expression => f64.convertI32(condition);
const isNot0 = (x: Expression): Expression => i32.eqz(f64.eq(x, f64.const(0)));

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
  normal: [
    4,
    (_b, [u, v, mu, sigma], call) => {
      const radius = f64.sqrt(f64.mul(f64.const(-2), call('log', u)));
      const normal = f64.mul(radius, call('cos', f64.mul(f64.const(2 * Math.PI), v)));
      return f64.add(mu, f64.mul(sigma, normal));
    },
  ],
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

/** Loops that move numbers: `(n, numbers, places, out)`. */
function addMoves(module: ModuleBuilder): void {
  const four = [I32, I32, I32, I32] as const;
  const loop = (b: FunctionBuilder, body: (i: Expression) => void): void => {
    const i = b.let(I32, i32.const(0));
    b.while(i32.lt(i.get, b.parameter(0)), () => {
      body(i.get);
      i.set(i32.add(i.get, i32.const(1)));
    });
  };
  const doubleAt = (base: Expression, i: Expression): Expression => i32.add(base, i32.shl(i, i32.const(3)));
  const wordAt = (base: Expression, i: Expression): Expression => i32.add(base, i32.shl(i, i32.const(2)));
  module.function('gather', four, [], (b) => {
    loop(b, (i) => {
      const place = i32.load([wordAt(b.parameter(2), i)]);
      b.do(f64.store([doubleAt(b.parameter(3), i), f64.load([doubleAt(b.parameter(1), place)])]));
    });
  });
  module.function('gatherWords', four, [], (b) => {
    loop(b, (i) => {
      const place = i32.load([wordAt(b.parameter(2), i)]);
      b.do(i32.store([wordAt(b.parameter(3), i), i32.load([wordAt(b.parameter(1), place)])]));
    });
  });
  module.function('scatter', four, [], (b) => {
    loop(b, (i) => {
      const place = i32.load([wordAt(b.parameter(2), i)]);
      b.do(f64.store([doubleAt(b.parameter(3), place), f64.load([doubleAt(b.parameter(1), i)])]));
    });
  });
  module.function('scatterAdd', four, [], (b) => {
    loop(b, (i) => {
      const to = b.let(I32, doubleAt(b.parameter(3), i32.load([wordAt(b.parameter(2), i)])));
      b.do(f64.store([to.get, f64.add(f64.load([to.get]), f64.load([doubleAt(b.parameter(1), i)]))]));
    });
  });
  module.function('bump', four, [], (b) => {
    loop(b, (i) => {
      const at = b.let(I32, wordAt(b.parameter(1), i32.load([wordAt(b.parameter(2), i)])));
      b.do(i32.store([at.get, i32.add(i32.load([at.get]), b.parameter(3))]));
    });
  });
  // The places where a number is not 0 go to `places`, the others to `out`; gives how many are not 0.
  module.function('partition', four, [I32], (b) => {
    const yes = b.let(I32, b.parameter(2));
    const no = b.let(I32, b.parameter(3));
    loop(b, (i) => {
      b.if(
        isNot0(f64.load([doubleAt(b.parameter(1), i)])),
        () => {
          b.do(i32.store([yes.get, i]));
          yes.set(i32.add(yes.get, i32.const(4)));
        },
        () => {
          b.do(i32.store([no.get, i]));
          no.set(i32.add(no.get, i32.const(4)));
        },
      );
    });
    b.do(i32.sub(yes.get, b.parameter(2)));
  });
}

/**
 * Random numbers: `(n, at, out)` with the keys (two words), choices and epochs of n streams from `at`, one row of n
 * words each. n is a multiple of four.
 */
function addRandom(module: ModuleBuilder): void {
  const overFours = (
    name: string,
    body: (b: FunctionBuilder, row: (k: number) => Expression, lane: Expression) => void,
  ): void => {
    module.function(name, [I32, I32, I32], [], (b) => {
      const lane = b.let(I32, i32.const(0));
      const span = b.let(I32, i32.shl(b.parameter(0), i32.const(2)));
      b.while(i32.lt(lane.get, b.parameter(0)), () => {
        const at = b.let(I32, i32.add(b.parameter(1), i32.shl(lane.get, i32.const(2))));
        body(b, (k) => i32.add(at.get, i32.mul(span.get, i32.const(k))), lane.get);
        lane.set(i32.add(lane.get, i32.const(4)));
      });
    });
  };
  // The first uniforms of all go to `out`, the second ones behind them.
  overFours('uniforms', (b, row, lane) => {
    const load = (k: number): Expression => v128.load([row(k)]);
    const words = philox(b, [i32x4.const(0), load(2), load(3), i32x4.const(0)], [load(0), load(1)]);
    const to = b.let(I32, i32.add(b.parameter(2), i32.shl(lane, i32.const(3))));
    const second = b.let(I32, i32.add(to.get, i32.shl(b.parameter(0), i32.const(3))));
    for (const upper of [false, true]) {
      const offset = upper ? 16 : 0;
      b.do(v128.store([to.get, uniforms(words[0].get, words[1].get, upper)], offset));
      b.do(v128.store([second.get, uniforms(words[2].get, words[3].get, upper)], offset));
    }
  });
  // Children: rows are the keys, occurrences and indices; the keys of the children replace those of their parents.
  overFours('keys', (b, row) => {
    const load = (k: number): Expression => v128.load([row(k)]);
    const words = philox(b, [load(3), load(2), i32x4.const(0), i32x4.const(1)], [load(0), load(1)]);
    b.do(v128.store([row(0), words[0].get]));
    b.do(v128.store([row(1), words[1].get]));
  });
}

/** What particle filters need: `(n, log-weights, shares)`. */
function addWeights(module: ModuleBuilder): void {
  const loop = (b: FunctionBuilder, body: (at: Expression, to: Expression) => void): void => {
    const at = b.let(I32, b.parameter(1));
    const to = b.let(I32, b.parameter(2));
    const end = b.let(I32, i32.add(at.get, i32.shl(b.parameter(0), i32.const(3))));
    b.while(i32.lt(at.get, end.get), () => {
      body(at.get, to.get);
      at.set(i32.add(at.get, i32.const(8)));
      to.set(i32.add(to.get, i32.const(8)));
    });
  };
  // Writes normalised weights; gives the log of their sum, −∞ if all are zero.
  module.function('normalise', [I32, I32, I32], [F64], (b) => {
    const top = b.let(F64, f64.const(-Infinity));
    loop(b, (at) => top.set(f64.max(top.get, f64.load([at]))));
    const total = b.let(F64, f64.const(0));
    b.if(i32.eqz(f64.eq(top.get, f64.const(-Infinity))), () => {
      loop(b, (at, to) => {
        const weight = b.let(F64, module.callImport('exp', f64.sub(f64.load([at]), top.get)));
        b.do(f64.store([to, weight.get]));
        total.set(f64.add(total.get, weight.get));
      });
      loop(b, (_at, to) => b.do(f64.store([to, f64.div(f64.load([to]), total.get)])));
      top.set(f64.add(top.get, module.callImport('log', total.get)));
    });
    b.do(top.get);
  });
  // 0 if all numbers are finite, else NaN.
  module.function('finiteness', [I32, I32, I32], [F64], (b) => {
    const sum = b.let(F64, f64.const(0));
    loop(b, (at) => {
      const x = b.let(F64, f64.load([at]));
      sum.set(f64.add(sum.get, f64.sub(x.get, x.get)));
    });
    b.do(sum.get);
  });
  // (n, shares, children, how many in all, where the comb begins): see `systematic` in `inference/resampling.ts`.
  module.function('systematic', [I32, I32, I32, I32, F64], [], (b) => {
    const at = b.let(I32, b.parameter(1));
    const to = b.let(I32, b.parameter(2));
    const end = b.let(I32, i32.add(at.get, i32.shl(b.parameter(0), i32.const(3))));
    const last = b.let(I32, to.get);
    const placed = b.let(I32, i32.const(0));
    const sum = b.let(F64, f64.const(0));
    b.while(i32.lt(at.get, end.get), () => {
      const share = b.let(F64, f64.load([at.get]));
      const before = b.let(I32, placed.get);
      b.if(isNot0(share.get), () => {
        last.set(to.get);
        sum.set(f64.add(sum.get, f64.mul(share.get, f64.convertI32(b.parameter(3)))));
        const tooth = f64.add(f64.convertI32(placed.get), b.parameter(4));
        b.while(i32.and(i32.lt(placed.get, b.parameter(3)), f64.lt(tooth, sum.get)), () => {
          placed.set(i32.add(placed.get, i32.const(1)));
        });
      });
      b.do(i32.store([to.get, i32.sub(placed.get, before.get)]));
      at.set(i32.add(at.get, i32.const(8)));
      to.set(i32.add(to.get, i32.const(4)));
    });
    const rest = i32.sub(b.parameter(3), placed.get);
    b.do(i32.store([last.get, i32.add(i32.load([last.get]), rest)]));
  });
  // (n, children, parents): see `parentsOf` there.
  module.function('parents', [I32, I32, I32], [], (b) => {
    const [n, children, parents] = [0, 1, 2].map((k) => b.parameter(k));
    const word = (base: Expression, i: Expression): Expression => i32.add(base, i32.shl(i, i32.const(2)));
    const i = b.let(I32, i32.const(0));
    const free = b.let(I32, i32.const(0));
    b.while(i32.lt(i.get, n), () => {
      const left = b.let(I32, i32.load([word(children, i.get)]));
      b.if(left.get, () => b.do(i32.store([word(parents, i.get), i.get])));
      b.while(i32.gt(left.get, i32.const(1)), () => {
        b.while(i32.load([word(children, free.get)]), () => free.set(i32.add(free.get, i32.const(1))));
        b.do(i32.store([word(parents, free.get), i.get]));
        free.set(i32.add(free.get, i32.const(1)));
        left.set(i32.sub(left.get, i32.const(1)));
      });
      i.set(i32.add(i.get, i32.const(1)));
    });
  });
  module.function('squares', [I32, I32, I32], [F64], (b) => {
    const sum = b.let(F64, f64.const(0));
    loop(b, (at) => {
      const x = b.let(F64, f64.load([at]));
      sum.set(f64.add(sum.get, f64.mul(x.get, x.get)));
    });
    b.do(sum.get);
  });
}

/** The module. `?bytes` gives it as the build has made it. */
export default function kernelModule(): Uint8Array<ArrayBuffer> {
  const oneNumber = { parameters: [F64], results: [F64] } as const;
  const module = new ModuleBuilder(['log', 'cos', 'exp'].map((name) => ({ name, signature: oneNumber })));
  for (const [name, [inputs, write]] of Object.entries(ELEMENTWISE)) addElementwise(module, name, inputs, write);
  addMoves(module);
  addRandom(module);
  addWeights(module);
  return module.build(false);
}
