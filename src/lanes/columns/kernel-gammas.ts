/**
 * Draws from gamma distributions: the very numbers of `drawLogGamma` (`distributions/draws/gamma.ts`, which says how), for four streams at
 * once. A block of random words is a normal and a uniform, which is an attempt; the few that are rejected try again alone.
 */
import { type Expression, F64, I32, type Local, type ModuleBuilder } from '../../tensor/wasm/assembler.ts';
import { f64, f64x2, i32, i32x4, v128 } from '../../tensor/wasm/instructions.ts';
import { type Call, layersOf, normalAt, normalPairs, placesOf } from '../../tensor/wasm/normals.ts';
import { philoxLoop, uniforms } from '../../tensor/wasm/philox.ts';
import { FIRST_UNIFORMS_AT, NORMALS_AT, NUMBER_AT, SECOND_UNIFORMS_AT, TABLE_AT } from './kernel-places.ts';
import { GIVEN, ofChoice, overStreams, type Row } from './kernel-streams.ts';

const square = (x: Local): Expression => f64.mul(x.get, x.get);
const isOdd = (x: Expression): Expression => i32.and(x, i32.const(1));

/** The two random words of a number of a stream: `(key, choice, epoch, number)` are the first five parameters of the function. */
function wordsOf(b: Parameters<typeof philoxLoop>[0]): readonly [Local, Local] {
  const [key0, key1, choice, epoch, number] = Array.from({ length: 5 }, (_, k) => b.parameter(k));
  const counter = [i32.shrUnsigned(number, i32.const(1)), choice, epoch, i32.const(0)].map((word) => i32x4.splat(word));
  const words = philoxLoop(b, counter, [i32x4.splat(key0), i32x4.splat(key1)]);
  const [high, low] = words;
  b.if(isOdd(number), () => {
    high.set(words[2].get);
    low.set(words[3].get);
  });
  return [high, low];
}

/** Adds functions that draw for one stream: `(key, choice, epoch, number)`, and the shape. */
function addAlone(module: ModuleBuilder, beyond: Call): { readonly uniform: Call; readonly logGamma: Call } {
  const ofNumber = [I32, I32, I32, I32, I32] as const;

  const uniform = module.function(null, ofNumber, [F64], (b) => {
    const [high, low] = wordsOf(b);
    b.do(f64x2.extract(0, uniforms(b, high, low)[0]));
  });

  const normal = module.function(null, ofNumber, [F64], (b) => {
    const [key0, key1, choice, epoch, number] = Array.from({ length: 5 }, (_, k) => b.parameter(k));
    const [high, low] = wordsOf(b);
    const layer = b.let(I32, i32x4.extract(0, layersOf(high, low)));
    const place = b.let(F64, f64x2.extract(0, placesOf(b, high, low)[0]));
    const origin = { key0, key1, choice, epoch, number };
    b.do(normalAt(b, beyond, i32.const(TABLE_AT), place, layer, origin).get);
  });

  // Of a shape above 1; leaves the number of what would be drawn next.
  const logGamma = module.function(null, [...ofNumber, F64], [F64], (b) => {
    const [key0, key1, choice, epoch, first, shape] = Array.from({ length: 6 }, (_, k) => b.parameter(k));
    const d = b.let(F64, f64.sub(shape, f64.const(1 / 3)));
    const c = b.let(F64, f64.div(f64.const(1), f64.sqrt(f64.mul(f64.const(9), d.get))));
    const number = b.let(I32, first);
    const next = (draw: Call): Local => {
      const drawn = b.let(F64, draw(key0, key1, choice, epoch, number.get));
      number.set(i32.add(number.get, i32.const(1)));
      return drawn;
    };
    b.while(i32.const(1), () => {
      const z = next(normal);
      const root = b.let(F64, f64.add(f64.const(1), f64.mul(c.get, z.get)));
      b.if(f64.gt(root.get, f64.const(0)), () => {
        const u = next(uniform);
        attempt(module, b, d, root, z, u, (log) => {
          b.do(i32.store([i32.const(NUMBER_AT), number.get]));
          b.return(log);
        });
      });
    });
    b.do(f64.const(Number.NaN));
  });
  return { uniform, logGamma };
}

/** What is done with the logarithm of an accepted draw. */
function attempt(
  module: ModuleBuilder,
  b: Parameters<typeof philoxLoop>[0],
  d: Local,
  root: Local,
  z: Local,
  u: Local,
  accept: (log: Expression) => void,
): void {
  const log = (x: Expression): Expression => module.callImport('log', x);
  const v = b.let(F64, f64.mul(f64.mul(root.get, root.get), root.get));
  const ofZ = b.let(F64, square(z));
  const scaled = f64.mul(f64.mul(f64.const(0.0331), ofZ.get), ofZ.get);
  const accepted = b.let(I32, f64.lt(u.get, f64.sub(f64.const(1), scaled)));
  b.if(i32.eqz(accepted.get), () => {
    const half = f64.add(f64.mul(f64.const(0.5), ofZ.get), d.get);
    const bound = f64.add(f64.sub(half, f64.mul(d.get, v.get)), f64.mul(d.get, log(v.get)));
    accepted.set(f64.lt(log(u.get), bound));
  });
  b.if(accepted.get, () => accept(log(f64.mul(d.get, v.get))));
}

/**
 * Draws logarithms of gammas by their shapes, from a number of its own of each stream on. `b` is where these numbers are, in words, which then are
 * those of what would be drawn next.
 */
export function addLogGammas(module: ModuleBuilder, beyond: Call): void {
  const alone = addAlone(module, beyond);
  const log = (x: Expression): Expression => module.callImport('log', x);
  overStreams(module, 'logGammas', GIVEN, ofChoice, (b, [out, , shapes, shapeStep, numbers]) => {
    const left = b.let(I32, b.parameter(0));
    const to = b.let(I32, out);
    const numbersAt = b.let(I32, numbers);
    const shapesAt = b.let(I32, shapes);
    const step = b.let(I32, i32.shrUnsigned(shapeStep, i32.const(1)));
    const lane = b.let(I32, i32.const(0));

    const one = (rows: readonly Row[]): void => {
      const at = (place: number): Expression => f64.load([i32.add(i32.const(place), i32.shl(lane.get, i32.const(1)))]);
      const numberAt = i32.add(numbersAt.get, lane.get);
      const stream = rows.map((row) => row.one(lane.get));
      const shape = b.let(F64, f64.load([shapesAt.get]));
      const number = b.let(I32, i32.load([numberAt]));
      const drawn = b.let(F64, f64.const(Number.NaN));
      const isSmall = b.let(I32, f64.lt(shape.get, f64.const(1)));
      const larger = b.let(F64, shape.get);
      b.if(isSmall.get, () => larger.set(f64.add(shape.get, f64.const(1))));
      b.if(
        f64.eq(larger.get, f64.const(1)),
        () => {
          const u = b.let(F64, at(FIRST_UNIFORMS_AT));
          b.if(isOdd(number.get), () => u.set(at(SECOND_UNIFORMS_AT)));
          drawn.set(log(f64.neg(log(u.get))));
          number.set(i32.add(number.get, i32.const(1)));
        },
        () => {
          const isDone = b.let(I32, i32.const(0));
          b.if(i32.eqz(isOdd(number.get)), () => {
            const d = b.let(F64, f64.sub(larger.get, f64.const(1 / 3)));
            const c = f64.div(f64.const(1), f64.sqrt(f64.mul(f64.const(9), d.get)));
            const z = b.let(F64, at(NORMALS_AT));
            const root = b.let(F64, f64.add(f64.const(1), f64.mul(c, z.get)));
            b.if(f64.gt(root.get, f64.const(0)), () => {
              attempt(module, b, d, root, z, b.let(F64, at(SECOND_UNIFORMS_AT)), (found) => {
                drawn.set(found);
                number.set(i32.add(number.get, i32.const(2)));
                isDone.set(i32.const(1));
              });
            });
          });
          b.if(i32.eqz(isDone.get), () => {
            drawn.set(alone.logGamma(...stream, number.get, larger.get));
            number.set(i32.load([i32.const(NUMBER_AT)]));
          });
        },
      );
      b.if(isSmall.get, () => {
        drawn.set(f64.add(drawn.get, f64.div(log(alone.uniform(...stream, number.get)), shape.get)));
        number.set(i32.add(number.get, i32.const(1)));
      });
      b.do(i32.store([numberAt, number.get]));
      b.do(f64.store([to.get, drawn.get]));
      to.set(i32.add(to.get, i32.const(8)));
      shapesAt.set(i32.add(shapesAt.get, step.get));
      lane.set(i32.add(lane.get, i32.const(4)));
      left.set(i32.sub(left.get, i32.const(1)));
    };

    return {
      block: i32x4.shrUnsigned(v128.load([numbersAt.get]), i32.const(1)),
      four(words, rows) {
        const origin = (lane: Expression) => ({
          ...{ key0: rows[0].one(lane), key1: rows[1].one(lane), choice: rows[2].one(lane), epoch: rows[3].one(lane) },
          number: i32.load([i32.add(numbersAt.get, lane)]),
        });
        const drawn = normalPairs(b, beyond, i32.const(TABLE_AT), [words[0], words[1]], origin);
        const put = (place: number, [lower, upper]: readonly Expression[]): void => {
          b.do(v128.store([i32.const(place), lower]));
          b.do(v128.store([i32.const(place), upper], 16));
        };
        put(
          NORMALS_AT,
          drawn.map(({ get }) => get),
        );
        put(FIRST_UNIFORMS_AT, uniforms(b, words[0], words[1]));
        put(SECOND_UNIFORMS_AT, uniforms(b, words[2], words[3]));
        lane.set(i32.const(0));
        b.while(i32.and(i32.lt(lane.get, i32.const(16)), i32.gt(left.get, i32.const(0))), () => one(rows));
        numbersAt.set(i32.add(numbersAt.get, i32.const(16)));
      },
    };
  });
}
