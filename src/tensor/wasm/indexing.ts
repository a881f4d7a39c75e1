/**
 * Gathers and scatters. A kernel takes the address of a table: [lanes, rows per lane, elements per row, address of the
 * table of rows, bytes between its lanes, address of the rows moved, then address and limit of each index].
 * It answers −1, or the number of the first row whose index is not a whole number within its limit.
 */
import { type Expression, I32, ModuleBuilder } from './assembler.ts';
import { f32, f32x4, f64, f64x2, i32, v128 } from './instructions.ts';

export interface IndexingSpec {
  readonly direction: 'gather' | 'scatter';
  readonly element: 4 | 8;
  /** How the indices are stored. */
  readonly indices: readonly ('f64' | 'f32' | 'i32')[];
  readonly single: boolean;
}

export function indexingKey({ direction, element, indices, single }: IndexingSpec): string {
  return `${direction} ${element} ${indices.join()} ${single}`;
}

export function indexingTableLength(spec: IndexingSpec): number {
  return 6 + 2 * spec.indices.length;
}

export function generateIndexing(spec: IndexingSpec): ModuleBuilder {
  const { element, direction, single } = spec;
  const real = element === 8 ? f64 : f32;
  const vector = element === 8 ? f64x2 : f32x4;
  const shift = i32.const(element === 8 ? 3 : 2);
  const module = new ModuleBuilder();
  module.function('run', [I32], [I32], (b) => {
    let word = 0;
    const next = (): Expression => b.let(I32, i32.load([b.parameter(0)], 4 * word++)).get;
    const [lanes, perLane, width, tableAt, laneStep, movedAt] = [next(), next(), next(), next(), next(), next()];
    const indices = spec.indices.map((dtype) => ({ dtype, at: b.let(I32, next()), limit: next() }));
    const table = b.let(I32, tableAt);
    const moved = b.let(I32, movedAt);
    const lane = b.let(I32, i32.const(0));
    const count = b.let(I32, i32.const(0));
    const bytes = b.let(I32, i32.shl(width, shift));
    const move = (from: Expression, to: Expression): Expression =>
      direction === 'gather'
        ? real.store([to, real.load([from])])
        : real.store([from, real.add(real.load([from]), real.load([to]))]);
    const moveVector = (from: Expression, to: Expression): Expression =>
      direction === 'gather'
        ? v128.store([to, v128.load([from])])
        : v128.store([from, vector.add(v128.load([from]), v128.load([to]))]);
    b.while(i32.lt(lane.get, lanes), () => {
      const end = b.let(I32, i32.add(count.get, perLane));
      b.while(i32.lt(count.get, end.get), () => {
        const row = b.let(I32, i32.const(0));
        for (const { dtype, at, limit } of indices) {
          const place = b.local(I32);
          if (dtype === 'i32') {
            place.set(i32.load([at.get]));
          } else {
            const value = dtype === 'f64' ? f64.load([at.get]) : f64.promote(f32.load([at.get]));
            place.set(i32.truncateSaturating(value));
            b.if(i32.eqz(f64.eq(f64.convertI32(place.get), value)), () => b.do(returning(count.get)));
          }
          b.if(i32.eqz(i32.ltUnsigned(place.get, limit)), () => b.do(returning(count.get)));
          row.set(i32.add(i32.mul(row.get, limit), place.get));
          at.set(i32.add(at.get, i32.const(dtype === 'f64' ? 8 : 4)));
        }
        const from = b.let(I32, i32.add(table.get, i32.mul(row.get, bytes.get)));
        if (single) {
          b.do(move(from.get, moved.get));
          moved.set(i32.add(moved.get, i32.const(element)));
        } else {
          const left = b.let(I32, bytes.get);
          const along = (step: number, moveOne: (from: Expression, to: Expression) => Expression): void =>
            b.while(i32.ge(left.get, i32.const(step)), () => {
              b.do(moveOne(from.get, moved.get));
              from.set(i32.add(from.get, i32.const(step)));
              moved.set(i32.add(moved.get, i32.const(step)));
              left.set(i32.sub(left.get, i32.const(step)));
            });
          along(16, moveVector);
          along(element, move);
        }
        count.set(i32.add(count.get, i32.const(1)));
      });
      table.set(i32.add(table.get, laneStep));
      lane.set(i32.add(lane.get, i32.const(1)));
    });
    b.do(i32.const(-1));
  });
  return module;
}

function returning(value: Expression): Expression {
  return (code) => {
    value(code);
    code.byte(0x0f);
  };
}
