/** Random numbers of lanes, four at once; see `../random.ts` for what they mean. */
import {
  type Constants,
  type Expression,
  type FunctionBuilder,
  I32,
  type Local,
  ModuleBuilder,
  V128,
} from './assembler.ts';
import { i32, i32x4, v128 } from './instructions.ts';
import { addBeyond, type Call, NORMAL_IMPORTS, normalPairs } from './normals.ts';
import { philox, uniforms } from './philox.ts';

const TWO = i32.const(2);

/** The words of a number, whether the first or the second of its block. */
const wordsOf = (words: readonly Local[], second: 0 | 1): [Local, Local] => [words[2 * second], words[2 * second + 1]];

/** The lanes of a vector, by their distance in bytes. */
const LANES = [0, 4, 8, 12];

/** Draws from four blocks: a number from each, the first or the second. */
export type DrawFour = (
  b: FunctionBuilder,
  words: readonly Local[],
  second: 0 | 1,
  /** Where the words of the key and the choice of the k-th are, and the number of its block. */
  whose: (k: Expression) => { key0: Expression; key1: Expression; choice: Expression; block: Expression },
  /** Where the k-th goes. */
  to: (k: Expression) => Expression,
) => void;

/** Stores the numbers of four lanes, which are given two by two. */
function storeEach(b: FunctionBuilder, drawn: readonly Local[], to: (k: Expression) => Expression): void {
  for (const k of LANES) b.do(v128.store64Lane([to(i32.const(k)), drawn[k >> 3].get], 0, (k >> 2) & 1));
}

export const drawUniforms: DrawFour = (b, words, second, _whose, to) => {
  const [high, low] = wordsOf(words, second);
  const [lower, upper] = uniforms(b, high, low);
  storeEach(b, [b.let(V128, lower), b.let(V128, upper)], to);
};

export const drawNormals =
  (beyond: Call): DrawFour =>
  (b, words, second, whose, to) => {
    const origin = (k: Expression) => {
      const { key0, key1, choice, block } = whose(k);
      const load = (at: Expression): Expression => i32.load([at]);
      const number = i32.add(i32.shl(block, i32.const(1)), i32.const(second));
      return { key0: load(key0), key1: load(key1), choice: load(choice), epoch: i32.const(0), number };
    };
    storeEach(b, normalPairs(b, beyond, b.parameter(7), wordsOf(words, second), origin), to);
  };

/** A loop over lanes, four at a time, and over the blocks of each. */
function addLanes(module: ModuleBuilder, name: string, draw: DrawFour): void {
  module.function(name, new Array(8).fill(I32), [], (b) => {
    const [lanes, count, block, key0, key1, choice, out] = Array.from({ length: 7 }, (_, i) => b.parameter(i));
    const lane = b.let(I32, i32.const(0));
    const row = b.let(I32, i32.shl(count, i32.const(3)));
    b.while(i32.lt(lane.get, lanes), () => {
      const bytes = b.let(I32, i32.shl(lane.get, TWO));
      const load = (from: Expression): Expression => v128.load([i32.add(from, bytes.get)]);
      const number = b.let(I32, i32.const(0));
      const at = b.let(I32, block);
      const to = b.let(I32, i32.add(out, i32.mul(lane.get, row.get)));
      b.while(i32.lt(number.get, count), () => {
        const words = philox(b, [i32x4.splat(at.get), load(choice), null, null], [load(key0), load(key1)]);
        const own = (from: Expression, k: Expression): Expression => i32.add(from, i32.add(bytes.get, k));
        const drawOne = (second: 0 | 1): void =>
          draw(
            b,
            words,
            second,
            (k) => ({ key0: own(key0, k), key1: own(key1, k), choice: own(choice, k), block: at.get }),
            (k) => i32.add(i32.add(to.get, i32.const(8 * second)), i32.mul(row.get, i32.shrUnsigned(k, TWO))),
          );
        drawOne(0);
        b.if(i32.lt(i32.add(number.get, i32.const(1)), count), () => drawOne(1));
        number.set(i32.add(number.get, TWO));
        to.set(i32.add(to.get, i32.const(16)));
        at.set(i32.add(at.get, i32.const(1)));
      });
      lane.set(i32.add(lane.get, i32.const(4)));
    });
  });
}

/** A loop over lanes, and over the blocks of each, four at a time. */
function addRows(module: ModuleBuilder, name: string, draw: DrawFour): void {
  module.function(name, new Array(8).fill(I32), [], (b) => {
    const [lanes, count, block, key0, key1, choice, out] = Array.from({ length: 7 }, (_, i) => b.parameter(i));
    const lane = b.let(I32, i32.const(0));
    const row = b.let(I32, out);
    b.while(i32.lt(lane.get, lanes), () => {
      const bytes = b.let(I32, i32.shl(lane.get, TWO));
      const own = (from: Expression): Expression => i32.add(from, bytes.get);
      const splat = (from: Expression): Local => b.let(V128, v128.load32Splat([own(from)]));
      const [first, second, chosen] = [splat(key0), splat(key1), splat(choice)];
      const to = b.let(I32, row.get);
      row.set(i32.add(row.get, i32.shl(count, i32.const(3))));
      const at = b.let(I32, block);
      // What goes beyond the end of a row is written over by the next.
      b.while(i32.lt(to.get, row.get), () => {
        const blocks = i32x4.add(i32x4.splat(at.get), i32x4.constants(0, 1, 2, 3));
        const words = philox(b, [blocks, chosen.get, null, null], [first.get, second.get]);
        for (const half of [0, 1] as const) {
          draw(
            b,
            words,
            half,
            (k) => ({
              ...{ key0: own(key0), key1: own(key1), choice: own(choice) },
              block: i32.add(at.get, i32.shrUnsigned(k, TWO)),
            }),
            (k) => i32.add(i32.add(to.get, i32.const(8 * half)), i32.shl(k, TWO)),
          );
        }
        at.set(i32.add(at.get, i32.const(4)));
        to.set(i32.add(to.get, i32.const(64)));
      });
      lane.set(i32.add(lane.get, i32.const(1)));
    });
  });
}

/**
 * `uniforms` and `normals`: (lanes rounded up to fours, numbers per lane, first block, keys 0, keys 1, choices, out, the table
 * of normals); `uniformRows` and `normalRows`: the same numbers with any number of lanes, where each draws many: for one lane
 * after the other, and with up to seven more after the last; `children`: (lanes rounded up, indices, occurrences, keys 0,
 * keys 1, out keys 0, out keys 1).
 */
export function randomModule(constants: Constants): ModuleBuilder {
  const module = new ModuleBuilder(NORMAL_IMPORTS, constants);
  const normal = drawNormals(addBeyond(module));
  addLanes(module, 'uniforms', drawUniforms);
  addLanes(module, 'normals', normal);
  addRows(module, 'uniformRows', drawUniforms);
  addRows(module, 'normalRows', normal);
  module.function('children', new Array(7).fill(I32), [], (b) => {
    const [lanes, index, occurrence, key0, key1, out0, out1] = Array.from({ length: 7 }, (_, i) => b.parameter(i));
    const lane = b.let(I32, i32.const(0));
    b.while(i32.lt(lane.get, lanes), () => {
      const bytes = b.let(I32, i32.shl(lane.get, TWO));
      const load = (from: Expression): Expression => v128.load([i32.add(from, bytes.get)]);
      const counter = [load(index), load(occurrence), null, i32x4.const(1)];
      const words = philox(b, counter, [load(key0), load(key1)], 2);
      b.do(v128.store([i32.add(out0, bytes.get), words[0].get]));
      b.do(v128.store([i32.add(out1, bytes.get), words[1].get]));
      lane.set(i32.add(lane.get, i32.const(4)));
    });
  });
  return module;
}
