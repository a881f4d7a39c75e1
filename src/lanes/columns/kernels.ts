/**
 * Loops over columns, in WebAssembly: a short run would spend more time on V8's learning what a JavaScript loop does
 * than on the loop. Logarithms and the like are the host's own functions, so that a column holds to the last bit what
 * each execution alone would compute.
 */
import {
  type Expression,
  F64,
  type FunctionBuilder,
  I32,
  ModuleBuilder,
  type ValueType,
} from '../../tensor/wasm/assembler.ts';
import { type ExportedFunction, type Memory, webAssembly } from '../../tensor/wasm/host.ts';
import { f64 as basic, i32, plain } from '../../tensor/wasm/instructions.ts';

const f64 = {
  ...basic,
  sub: plain(0xa1),
  mul: plain(0xa2),
  div: plain(0xa3),
  sqrt: plain(0x9f),
  neg: plain(0x9a),
  lt: plain(0x63),
  gt: plain(0x64),
  le: plain(0x65),
  ge: plain(0x66),
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

function build(): Uint8Array<ArrayBuffer> {
  const oneNumber = { parameters: [F64], results: [F64] } as const;
  const module = new ModuleBuilder(['log', 'cos'].map((name) => ({ name, signature: oneNumber })));
  for (const [name, [inputs, write]] of Object.entries(ELEMENTWISE)) addElementwise(module, name, inputs, write);
  addMoves(module);
  return module.build(false);
}

const PAGE = 65536;

interface Made {
  readonly memory: Memory;
  readonly kernels: Readonly<Record<string, ExportedFunction>>;
  doubles: Float64Array;
  words: Int32Array;
}

let made: Made | null = null;

function make(): Made {
  const memory = new webAssembly!.Memory({ initial: 16, maximum: 65536 } as never);
  const env = { memory, log: Math.log, cos: Math.cos };
  const kernels = new webAssembly!.Instance(new webAssembly!.Module(build()), { env }).exports;
  return { memory, kernels, doubles: new Float64Array(memory.buffer), words: new Int32Array(memory.buffer) };
}

/** The kernels, with room for so many bytes. */
function withRoom(bytes: number): Made {
  made ??= make();
  const { memory } = made;
  if (memory.buffer.byteLength < bytes) memory.grow(Math.ceil((bytes - memory.buffer.byteLength) / PAGE));
  if (made.doubles.buffer !== memory.buffer) {
    made.doubles = new Float64Array(memory.buffer);
    made.words = new Int32Array(memory.buffer);
  }
  return made;
}

/** A number for each execution, or with step 0 one for all; with step 2, every other number. */
export interface Numbers {
  readonly data: Float64Array;
  readonly step: 0 | 1 | 2;
  /** Where the first is. */
  readonly from?: number;
}

/** What a kernel makes of numbers of `size` executions. */
export function elementwise(
  name: string,
  size: number,
  inputs: readonly Numbers[],
  into: Float64Array = new Float64Array(size),
): Float64Array {
  const region = 2 * size + 2;
  const { doubles, kernels } = withRoom(8 * (region * inputs.length + size + 2));
  const given = new Array<number>(2 + 2 * MOST_INPUTS).fill(0);
  given[0] = size;
  inputs.forEach(({ data, step, from = 0 }, k) => {
    const at = k * region;
    if (step === 0) doubles[at] = data[from];
    else doubles.set(data.length === step * size ? data : data.subarray(0, step * size), at);
    given[1 + 2 * k] = 8 * (at + (step === 0 ? 0 : from));
    given[2 + 2 * k] = 8 * step;
  });
  const out = inputs.length * region;
  given[1 + 2 * MOST_INPUTS] = 8 * out;
  kernels[name](...given);
  into.set(doubles.subarray(out, out + size));
  return into;
}

/** The numbers at these places. */
export function gather(data: Float64Array, places: Int32Array): Float64Array {
  const n = places.length;
  const at = data.length;
  const out = at + Math.ceil(n / 2);
  const { doubles, words, kernels } = withRoom(8 * (out + n));
  doubles.set(data, 0);
  words.set(places, 2 * at);
  kernels.gather(n, 0, 8 * at, 8 * out);
  return doubles.slice(out, out + n);
}

export function gatherWords(data: Int32Array, places: Int32Array): Int32Array {
  const n = places.length;
  const at = data.length;
  const { words, kernels } = withRoom(4 * (at + 2 * n));
  words.set(data, 0);
  words.set(places, at);
  kernels.gatherWords(n, 0, 4 * at, 4 * (at + n));
  return words.slice(at + n, at + 2 * n);
}

/** Puts the numbers at their places in `into`, or adds them to those there. */
export function scatter(data: Float64Array, places: Int32Array, into: Float64Array, adding = false): void {
  const n = places.length;
  const at = into.length + n;
  const { doubles, words, kernels } = withRoom(8 * (at + Math.ceil(n / 2)));
  doubles.set(into, 0);
  doubles.set(data, into.length);
  words.set(places, 2 * at);
  (adding ? kernels.scatterAdd : kernels.scatter)(n, 8 * into.length, 8 * at, 0);
  into.set(doubles.subarray(0, into.length));
}

/** The places of the numbers that are not 0, and of those that are. */
export function partition(data: Float64Array): readonly [Int32Array, Int32Array] {
  const n = data.length;
  const { doubles, words, kernels } = withRoom(16 * n);
  doubles.set(data, 0);
  const count = kernels.partition(n, 0, 8 * n, 12 * n) / 4;
  return [words.slice(2 * n, 2 * n + count), words.slice(3 * n, 4 * n - count)];
}
