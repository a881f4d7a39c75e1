/** Standard normals of four lanes at once: the very numbers of `../normals.ts`, which says what they are. */
import { PURPOSE_NORMAL, TABLE_LENGTH, TAIL } from '../ziggurat.ts';
import {
  type Expression,
  F64,
  type FunctionBuilder,
  I32,
  type Import,
  type Local,
  type ModuleBuilder,
  V128,
} from './assembler.ts';
import { f64, f64x2, i32, i32x4, v128 } from './instructions.ts';
import { byDigits, type Pairs, philoxLoop, uniforms } from './philox.ts';

/** What a module that draws normals has to import, of `Math`: for the few that need more than products. */
export const NORMAL_IMPORTS: readonly Import[] = ['log', 'exp'].map((name) => ({
  name,
  signature: { parameters: [F64], results: [F64] },
}));

/** Where a lane's random words come from. */
interface Origin {
  readonly key0: Expression;
  readonly key1: Expression;
  readonly choice: Expression;
  readonly epoch: Expression;
  readonly number: Expression;
}

/** Which layers words belong to. */
export function layersOf(high: Local, low: Local): Expression {
  const bits = (word: Local): Expression => v128.and(word.get, i32x4.const(15));
  return v128.or(i32x4.shl(bits(high), i32.const(4)), bits(low));
}

/** Where in its layer each number lies, between −1 and 1: `symmetricOf` of `../normals.ts`. */
export function placesOf(b: FunctionBuilder, high: Local, low: Local): Pairs {
  const place = (x: Expression): Expression => f64x2.add(f64x2.sub(x, f64x2.const(3)), f64x2.const(2 ** -52));
  const [lower, upper] = byDigits(b, high, low, 1);
  return [place(lower), place(upper)];
}

const insideOf = (table: Expression, layer: Expression): Expression =>
  f64.load([i32.add(table, i32.shl(layer, i32.const(4)))]);
const edgeOf = (table: Expression, layer: Expression, above = 0): Expression =>
  f64.load([i32.add(table, i32.shl(layer, i32.const(4)))], 8 + 16 * above);

export type Call = (...operands: Expression[]) => Expression;

/**
 * Adds the function that normals need where a point may be above the density: `beyond` of `../normals.ts`, given the
 * table first. Gives the way to call it.
 */
export function addBeyond(module: ModuleBuilder): Call {
  return module.function(null, [I32, F64, I32, I32, I32, I32, I32, I32], [F64], (b) => {
    const [table, , , key0, key1, choice, epoch, number] = Array.from({ length: 8 }, (_, k) => b.parameter(k));
    const place = b.let(F64, b.parameter(1));
    const layer = b.let(I32, b.parameter(2));
    const purpose = b.let(I32, i32.const(PURPOSE_NORMAL));
    const square = (x: Expression): Expression => f64.mul(x, x);
    const exp = (x: Expression): Expression => module.callImport('exp', f64.mul(f64.const(-0.5), x));
    const log = (x: Expression): Expression => module.callImport('log', x);
    b.while(i32.const(1), () => {
      const counter = [number, choice, epoch, purpose.get].map((word) => i32x4.splat(word));
      const words = philoxLoop(b, counter, [i32x4.splat(key0), i32x4.splat(key1)]);
      const uniform = (k: number): Expression => f64x2.extract(0, uniforms(b, words[k], words[k + 1])[0]);
      b.if(
        i32.eqz(layer.get),
        () => {
          const x = b.let(F64, f64.div(f64.neg(log(uniform(0))), f64.const(TAIL)));
          b.if(f64.gt(f64.mul(f64.const(-2), log(uniform(2))), square(x.get)), () => {
            const found = b.let(F64, f64.add(f64.const(TAIL), x.get));
            b.if(f64.lt(place.get, f64.const(0)), () => found.set(f64.neg(found.get)));
            b.return(found.get);
          });
        },
        () => {
          const x = b.let(F64, f64.mul(place.get, edgeOf(table, layer.get)));
          const relative = (above: number): Expression =>
            exp(f64.sub(square(edgeOf(table, layer.get, above)), square(x.get)));
          const bottom = b.let(F64, relative(0));
          const top = b.let(F64, relative(1));
          const height = f64.add(bottom.get, f64.mul(uniform(0), f64.sub(top.get, bottom.get)));
          b.if(f64.lt(height, f64.const(1)), () => b.return(x.get));
          layer.set(i32x4.extract(0, layersOf(words[2], words[3])));
          place.set(f64x2.extract(0, placesOf(b, words[2], words[3])[0]));
          b.if(f64.lt(f64.abs(place.get), insideOf(table, layer.get)), () =>
            b.return(f64.mul(place.get, edgeOf(table, layer.get))),
          );
        },
      );
      purpose.set(i32.add(purpose.get, i32.const(1)));
    });
    b.do(f64.const(Number.NaN));
  });
}

/** The normal of a place in a layer. */
export function normalAt(
  b: FunctionBuilder,
  beyond: Call,
  table: Expression,
  place: Local,
  layer: Local,
  { key0, key1, choice, epoch, number }: Origin,
): Local {
  const normal = b.let(F64, f64.mul(place.get, edgeOf(table, layer.get)));
  b.if(i32.eqz(f64.lt(f64.abs(place.get), insideOf(table, layer.get))), () =>
    normal.set(beyond(table, place.get, layer.get, key0, key1, choice, epoch, number)),
  );
  return normal;
}

/** Where the layers and places of four lanes are kept, behind the table. */
const LAYERS_AT = 8 * TABLE_LENGTH;
const PLACES_AT = LAYERS_AT + 16;

const LOWER_HALVES = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
const UPPER_HALVES = [8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31];

/**
 * The normals of four lanes from two words each, by the table at an address: those of lanes 0 and 1, and those of 2 and 3.
 * `origin` is given a lane in bytes: 0, 4, 8, 12.
 */
export function normalPairs(
  b: FunctionBuilder,
  beyond: Call,
  table: Expression,
  [high, low]: readonly [Local, Local],
  origin: (lane: Expression) => Origin,
): readonly [Local, Local] {
  const layers = b.let(V128, layersOf(high, low));
  const rows = b.let(V128, i32x4.shl(layers.get, i32.const(4)));
  const [lower, upper] = placesOf(b, high, low).map((pair) => b.let(V128, pair));
  const drawn = [lower, upper].map((places, half) => {
    const [first, second] = [0, 1].map((k) =>
      b.let(V128, v128.load([i32.add(table, i32x4.extract(2 * half + k, rows.get))])),
    );
    return {
      inside: f64x2.lt(f64x2.abs(places.get), v128.shuffle(LOWER_HALVES, first.get, second.get)),
      normals: b.let(V128, f64x2.mul(places.get, v128.shuffle(UPPER_HALVES, first.get, second.get))),
    };
  });
  const areInside = v128.and(drawn[0].inside, drawn[1].inside);
  b.if(i32.ne(i32x4.bitmask(areInside), i32.const(0b1111)), () => {
    b.do(v128.store([table, layers.get], LAYERS_AT));
    b.do(v128.store([table, lower.get], PLACES_AT));
    b.do(v128.store([table, upper.get], PLACES_AT + 16));
    oneByOne(b, beyond, table, origin);
    drawn[0].normals.set(v128.load([table], PLACES_AT));
    drawn[1].normals.set(v128.load([table], PLACES_AT + 16));
  });
  return [drawn[0].normals, drawn[1].normals];
}

/** Puts normals in place of their places, which are behind the table like their layers. */
function oneByOne(b: FunctionBuilder, beyond: Call, table: Expression, origin: (lane: Expression) => Origin): void {
  const lane = b.let(I32, i32.const(0));
  b.while(i32.lt(lane.get, i32.const(16)), () => {
    const at = b.let(I32, i32.add(table, i32.shl(lane.get, i32.const(1))));
    const place = b.let(F64, f64.load([at.get], PLACES_AT));
    const layer = b.let(I32, i32.load([i32.add(table, lane.get)], LAYERS_AT));
    b.do(f64.store([at.get, normalAt(b, beyond, table, place, layer, origin(lane.get)).get], PLACES_AT));
    lane.set(i32.add(lane.get, i32.const(4)));
  });
}
