/** Philox4x32-10 on four lanes at once; see `../random.ts` for what the numbers mean. */
import {
  type Constants,
  type Expression,
  type FunctionBuilder,
  I32,
  type Local,
  ModuleBuilder,
  V128,
} from './assembler.ts';
import { f64x2, i32, i32x4, i64x2, v128 } from './instructions.ts';
import { inlined64, sineAndCosine } from './math64.ts';

const MULTIPLIER_0 = 0xd2511f53;
const MULTIPLIER_1 = 0xcd9e8d57;
const WEYL_0 = 0x9e3779b9;
const WEYL_1 = 0xbb67ae85;
const ROUNDS = 10;

/** Upper halves of the products of unsigned words. */
function highProduct(b: FunctionBuilder, a: Expression, factor: number): Expression {
  const constant = i32x4.const(factor);
  const low = b.let(V128, i64x2.multiplyLow(a, constant));
  const high = b.let(V128, i64x2.multiplyHigh(a, constant));
  return v128.shuffle([4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31], low.get, high.get);
}

/**
 * The four words of a block, for four lanes. As a loop the code is a tenth as long, which is worth more where few blocks are
 * made than the few per cent that it takes longer.
 */
export function philox(
  b: FunctionBuilder,
  counter: readonly Expression[],
  key: readonly Expression[],
  asLoop = false,
): Local[] {
  const c = counter.map((word) => b.let(V128, word));
  const k = key.map((word) => b.let(V128, word));
  const round = (): void => {
    const high0 = b.let(V128, highProduct(b, c[0].get, MULTIPLIER_0));
    const low0 = b.let(V128, i32x4.mul(c[0].get, i32x4.const(MULTIPLIER_0)));
    const high1 = b.let(V128, highProduct(b, c[2].get, MULTIPLIER_1));
    const low1 = b.let(V128, i32x4.mul(c[2].get, i32x4.const(MULTIPLIER_1)));
    c[0].set(v128.xor(v128.xor(high1.get, c[1].get), k[0].get));
    c[1].set(low1.get);
    c[2].set(v128.xor(v128.xor(high0.get, c[3].get), k[1].get));
    c[3].set(low0.get);
    k[0].set(i32x4.add(k[0].get, i32x4.const(WEYL_0)));
    k[1].set(i32x4.add(k[1].get, i32x4.const(WEYL_1)));
  };
  if (asLoop) {
    const left = b.let(I32, i32.const(ROUNDS));
    b.while(left.get, () => {
      round();
      left.set(i32.sub(left.get, i32.const(1)));
    });
  } else for (let i = 0; i < ROUNDS; i++) round();
  return c;
}

const HIGH_HALF = [8, 9, 10, 11, 12, 13, 14, 15, 0, 0, 0, 0, 0, 0, 0, 0];

/** Uniforms of lanes 0 and 1, or 2 and 3, from two words. */
export function uniforms(first: Expression, second: Expression, upper: boolean): Expression {
  const bits = (word: Expression): Expression => {
    const shifted = i32x4.shrUnsigned(word, i32.const(6));
    return f64x2.convertLowI32(upper ? v128.shuffle(HIGH_HALF, shifted, shifted) : shifted);
  };
  const sum = f64x2.add(f64x2.add(f64x2.mul(bits(first), f64x2.const(67108864)), bits(second)), f64x2.const(0.5));
  return f64x2.mul(sum, f64x2.const(2 ** -52));
}

/** A pair of normals from a pair of uniforms (Box and Muller). */
function normals(b: FunctionBuilder, first: Local, second: Local): { first: Local; second: Local } {
  const logarithm = inlined64.log.value(b, first);
  const radius = b.let(V128, f64x2.sqrt(f64x2.mul(f64x2.const(-2), logarithm)));
  const { sine, cosine } = sineAndCosine(b, b.let(V128, f64x2.mul(f64x2.const(2 * Math.PI), second.get)));
  return {
    first: b.let(V128, f64x2.mul(radius.get, cosine.get)),
    second: b.let(V128, f64x2.mul(radius.get, sine.get)),
  };
}

/** The pair of numbers that each of two lanes (the upper two, or the lower) gets from a block. */
function pairs(b: FunctionBuilder, normal: boolean, words: readonly Local[], upper: boolean) {
  const first = b.let(V128, uniforms(words[0].get, words[1].get, upper));
  const second = b.let(V128, uniforms(words[2].get, words[3].get, upper));
  return normal ? normals(b, first, second) : { first, second };
}

const LOW_HALVES = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
const HIGH_HALVES = LOW_HALVES.map((byte) => byte + 8);

/**
 * `uniforms` and `normals`: (lanes rounded up to fours, numbers per lane, first block, keys 0, keys 1, choices, out);
 * `uniformRows` and `normalRows`: the same numbers with any number of lanes, where each draws many: for one lane after
 * the other, and with up to seven more after the last; `children`: (lanes rounded up, indices, occurrences, keys 0,
 * keys 1, out keys 0, out keys 1).
 */
export function randomModule(constants: Constants): ModuleBuilder {
  const module = new ModuleBuilder([], constants);
  for (const normal of [false, true]) {
    module.function(normal ? 'normals' : 'uniforms', new Array(7).fill(I32), [], (b) => {
      const [lanes, count, block, key0, key1, choice, out] = Array.from({ length: 7 }, (_, i) => b.parameter(i));
      const lane = b.let(I32, i32.const(0));
      const row = b.let(I32, i32.shl(count, i32.const(3)));
      b.while(i32.lt(lane.get, lanes), () => {
        const bytes = b.let(I32, i32.shl(lane.get, i32.const(2)));
        const load = (from: Expression): Expression => v128.load([i32.add(from, bytes.get)]);
        const number = b.let(I32, i32.const(0));
        const at = b.let(I32, block);
        const to = b.let(I32, i32.add(out, i32.mul(lane.get, row.get)));
        b.while(i32.lt(number.get, count), () => {
          const words = philox(
            b,
            [i32x4.splat(at.get), load(choice), i32x4.const(0), i32x4.const(0)],
            [load(key0), load(key1)],
          );
          const more = b.let(I32, i32.lt(i32.add(number.get, i32.const(1)), count));
          for (const upper of [false, true]) {
            const { first, second } = pairs(b, normal, words, upper);
            const store = (value: Local, offset: number): void => {
              for (const half of [0, 1]) {
                const place = i32.add(to.get, i32.mul(row.get, i32.const((upper ? 2 : 0) + half)));
                b.do(v128.store64Lane([place, value.get], offset, half));
              }
            };
            store(first, 0);
            b.if(more.get, () => store(second, 8));
          }
          number.set(i32.add(number.get, i32.const(2)));
          to.set(i32.add(to.get, i32.const(16)));
          at.set(i32.add(at.get, i32.const(1)));
        });
        lane.set(i32.add(lane.get, i32.const(4)));
      });
    });
    module.function(normal ? 'normalRows' : 'uniformRows', new Array(7).fill(I32), [], (b) => {
      const [lanes, count, block, key0, key1, choice, out] = Array.from({ length: 7 }, (_, i) => b.parameter(i));
      const lane = b.let(I32, i32.const(0));
      const row = b.let(I32, out);
      b.while(i32.lt(lane.get, lanes), () => {
        const bytes = b.let(I32, i32.shl(lane.get, i32.const(2)));
        const own = (from: Expression): Local => b.let(V128, v128.load32Splat([i32.add(from, bytes.get)]));
        const [first, second, chosen] = [own(key0), own(key1), own(choice)];
        const to = b.let(I32, row.get);
        row.set(i32.add(row.get, i32.shl(count, i32.const(3))));
        const blocks = b.let(V128, i32x4.add(i32x4.splat(block), i32x4.constants(0, 1, 2, 3)));
        // What goes beyond the end of a row is written over by the next.
        b.while(i32.lt(to.get, row.get), () => {
          const counter = [blocks.get, chosen.get, i32x4.const(0), i32x4.const(0)];
          const words = philox(b, counter, [first.get, second.get]);
          [false, true].forEach((upper, i) => {
            const pair = pairs(b, normal, words, upper);
            [LOW_HALVES, HIGH_HALVES].forEach((halves, k) => {
              b.do(v128.store([to.get, v128.shuffle(halves, pair.first.get, pair.second.get)], 32 * i + 16 * k));
            });
          });
          blocks.set(i32x4.add(blocks.get, i32x4.const(4)));
          to.set(i32.add(to.get, i32.const(64)));
        });
        lane.set(i32.add(lane.get, i32.const(1)));
      });
    });
  }
  module.function('children', new Array(7).fill(I32), [], (b) => {
    const [lanes, index, occurrence, key0, key1, out0, out1] = Array.from({ length: 7 }, (_, i) => b.parameter(i));
    const lane = b.let(I32, i32.const(0));
    b.while(i32.lt(lane.get, lanes), () => {
      const bytes = b.let(I32, i32.shl(lane.get, i32.const(2)));
      const load = (from: Expression): Expression => v128.load([i32.add(from, bytes.get)]);
      const words = philox(
        b,
        [load(index), load(occurrence), i32x4.const(0), i32x4.const(1)],
        [load(key0), load(key1)],
      );
      b.do(v128.store([i32.add(out0, bytes.get), words[0].get]));
      b.do(v128.store([i32.add(out1, bytes.get), words[1].get]));
      lane.set(i32.add(lane.get, i32.const(4)));
    });
  });
  return module;
}
