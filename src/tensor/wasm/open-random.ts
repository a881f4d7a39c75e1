/**
 * Random numbers of lanes that each run of a plan finds anew (`../partition.ts`): they are few, and their streams are those of other lanes.
 */
import { type Constants, type Expression, I32, ModuleBuilder } from './assembler.ts';
import { f64, i32, i32x4, v128 } from './instructions.ts';
import { addBeyond, NORMAL_IMPORTS } from './normals.ts';
import { philox } from './philox.ts';
import { type DrawFour, drawNormals, drawUniforms } from './random.ts';

/** Bytes of a vector, and where the numbers of four lanes wait behind their keys and choices. */
const VECTOR = 16;
const DRAWN_AT = 3 * VECTOR;
const TWO = i32.const(2);

/** A loop over lanes, four at a time. */
function addLanes(module: ModuleBuilder, name: string, draw: DrawFour): void {
  module.function(name, new Array(9).fill(I32), [], (b) => {
    const [lanes, count, choice, map, key0, key1, out, , own] = Array.from({ length: 9 }, (_, i) => b.parameter(i));
    const lane = b.let(I32, i32.const(0));
    const times = (one: Expression, factor: number): Expression => i32.shl(one, i32.const(factor));
    b.while(i32.lt(lane.get, lanes), () => {
      const left = b.let(I32, i32.sub(lanes, lane.get));
      b.if(i32.lt(i32.const(4), left.get), () => left.set(i32.const(4)));
      const k = b.let(I32, i32.const(0));
      b.while(i32.lt(k.get, left.get), () => {
        const at = b.let(I32, i32.add(lane.get, k.get));
        const from = b.let(I32, times(i32.load([i32.add(map, times(at.get, 2))]), 2));
        const to = b.let(I32, i32.add(own, times(k.get, 2)));
        b.do(i32.store([to.get, i32.load([i32.add(key0, from.get)])]));
        b.do(i32.store([to.get, i32.load([i32.add(key1, from.get)])], VECTOR));
        const number = f64.load([i32.add(choice, times(at.get, 3))]);
        b.do(i32.store([to.get, i32.truncateSaturating(number)], 2 * VECTOR));
        k.set(i32.add(k.get, i32.const(1)));
      });
      const place = (vector: number, at: Expression): Expression =>
        i32.add(i32.add(own, i32.const(vector * VECTOR)), at);
      const load = (vector: number): Expression => v128.load([own], vector * VECTOR);
      const number = b.let(I32, i32.const(0));
      b.while(i32.lt(number.get, count), () => {
        const block = b.let(I32, i32.shrUnsigned(number.get, i32.const(1)));
        const words = philox(b, [i32x4.splat(block.get), load(2), null, null], [load(0), load(1)]);
        const drawOne = (second: 0 | 1): void => {
          const whose = (k: Expression) => ({
            ...{ key0: place(0, k), key1: place(1, k), choice: place(2, k) },
            block: block.get,
          });
          draw(b, words, second, whose, (k) => i32.add(i32.add(own, i32.const(DRAWN_AT)), times(k, 1)));
          const which = b.let(I32, i32.const(0));
          b.while(i32.lt(which.get, left.get), () => {
            const row = i32.mul(i32.add(lane.get, which.get), count);
            const to = i32.add(out, times(i32.add(row, number.get), 3));
            b.do(f64.store([to, f64.load([i32.add(own, times(which.get, 3))], DRAWN_AT)], 8 * second));
            which.set(i32.add(which.get, i32.const(1)));
          });
        };
        drawOne(0);
        b.if(i32.lt(i32.add(number.get, i32.const(1)), count), () => drawOne(1));
        number.set(i32.add(number.get, TWO));
      });
      lane.set(i32.add(lane.get, i32.const(4)));
    });
  });
}

/**
 * (lanes, numbers per lane, choices, map, keys 0, keys 1, out, the table of normals, memory for four lanes): the keys of a lane are those
 * that the map names.
 */
export function mappedRandomModule(constants: Constants): ModuleBuilder {
  const module = new ModuleBuilder(NORMAL_IMPORTS, constants);
  addLanes(module, 'uniform', drawUniforms);
  addLanes(module, 'gaussian', drawNormals(addBeyond(module)));
  return module;
}
