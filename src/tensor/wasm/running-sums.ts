/** Sums along an axis, and sums of rows that begin anew with each run. */
import { type Expression, F32, F64, I32, type ModuleBuilder } from './assembler.ts';
import { copyMemory, f32, f32x4, f64, f64x2, i32, v128 } from './instructions.ts';

/**
 * running4, running8, running4Back, running8Back: (number of rows, bytes of each, address of the rows, address of a number for each that
 * is not 0 where a run begins, address of the sums). sums4 and so on: (number of blocks, rows of each, bytes of a row, address of the rows,
 * address of the sums).
 */
export function addRunningSums(module: ModuleBuilder): void {
  for (const bytes of [4, 8] as const) {
    for (const isBack of [false, true]) {
      addRunning(module, bytes, isBack);
      addSums(module, bytes, isBack);
    }
  }
}

function addSums(module: ModuleBuilder, bytes: 4 | 8, isBack: boolean): void {
  const [real, vector] = bytes === 8 ? [f64, f64x2] : [f32, f32x4];
  module.function(`sums${bytes}${isBack ? 'Back' : ''}`, new Array(5).fill(I32), [], (b) => {
    const [blocks, length, width, rows, sums] = Array.from({ length: 5 }, (_, i) => b.parameter(i));
    const step = b.let(I32, isBack ? i32.sub(i32.const(0), width) : width);
    const last = b.let(I32, i32.mul(i32.sub(length, i32.const(1)), width));
    const first = (base: Expression): Expression => (isBack ? i32.add(base, last.get) : base);
    const shift = b.let(I32, i32.sub(rows, sums));
    const block = b.let(I32, i32.const(0));
    const base = b.let(I32, sums);
    const each = (work: () => void): void => {
      const row = b.let(I32, i32.const(1));
      b.while(i32.lt(row.get, length), () => {
        work();
        row.set(i32.add(row.get, i32.const(1)));
      });
    };
    b.while(i32.lt(block.get, blocks), () => {
      const at = b.let(I32, first(base.get));
      const found = (place: Expression): Expression => i32.add(place, shift.get);
      b.if(
        i32.eqz(i32.sub(width, i32.const(bytes))),
        () => {
          const total = b.let(bytes === 8 ? F64 : F32, real.load([found(at.get)]));
          b.do(real.store([at.get, total.get]));
          each(() => {
            at.set(i32.add(at.get, step.get));
            total.set(real.add(total.get, real.load([found(at.get)])));
            b.do(real.store([at.get, total.get]));
          });
        },
        () => {
          b.do(copyMemory(at.get, found(at.get), width));
          each(() => {
            at.set(i32.add(at.get, step.get));
            const [place, left] = [b.let(I32, at.get), b.let(I32, width)];
            const along = (size: number, write: (before: Expression) => Expression): void =>
              b.while(i32.ge(left.get, i32.const(size)), () => {
                b.do(write(i32.sub(place.get, step.get)));
                place.set(i32.add(place.get, i32.const(size)));
                left.set(i32.sub(left.get, i32.const(size)));
              });
            along(16, (before) =>
              v128.store([place.get, vector.add(v128.load([before]), v128.load([found(place.get)]))]),
            );
            along(bytes, (before) =>
              real.store([place.get, real.add(real.load([before]), real.load([found(place.get)]))]),
            );
          });
        },
      );
      base.set(i32.add(base.get, i32.mul(length, width)));
      block.set(i32.add(block.get, i32.const(1)));
    });
  });
}

function addRunning(module: ModuleBuilder, bytes: 4 | 8, isBack: boolean): void {
  const [real, vector] = bytes === 8 ? [f64, f64x2] : [f32, f32x4];
  module.function(`running${bytes}${isBack ? 'Back' : ''}`, new Array(5).fill(I32), [], (b) => {
    const [count, width, rows, begins, sums] = Array.from({ length: 5 }, (_, i) => b.parameter(i));
    const last = i32.sub(count, i32.const(1));
    // Where the row before lies, and the mark that separates it from this one.
    const earlier = isBack ? width : i32.sub(i32.const(0), width);
    const step = (size: Expression): Expression => (isBack ? i32.sub(i32.const(0), size) : size);
    const start = (base: Expression, size: Expression): Expression =>
      isBack ? i32.add(base, i32.mul(last, size)) : base;
    const from = b.let(I32, start(rows, width));
    const to = b.let(I32, start(sums, width));
    const mark = b.let(I32, isBack ? i32.add(begins, i32.mul(count, i32.const(bytes))) : begins);
    const i = b.let(I32, i32.const(0));
    b.while(i32.lt(i.get, count), () => {
      const left = b.let(I32, width);
      const place = b.let(I32, to.get);
      const along = (size: number, write: () => Expression): void =>
        b.while(i32.ge(left.get, i32.const(size)), () => {
          b.do(write());
          place.set(i32.add(place.get, i32.const(size)));
          left.set(i32.sub(left.get, i32.const(size)));
        });
      const before = (base: Expression): Expression => i32.add(base, earlier);
      const shift = b.let(I32, i32.sub(from.get, to.get));
      const row = (): Expression => before(i32.add(place.get, shift.get));
      const marked = bytes === 8 ? f64.load([mark.get]) : f64.promote(f32.load([mark.get]));
      const isFirst = b.let(I32, i32.eqz(i.get));
      b.if(i32.eqz(isFirst.get), () => isFirst.set(i32.eqz(f64.eq(marked, f64.const(0)))));
      b.if(
        isFirst.get,
        () => {
          along(16, () => v128.store([place.get, vector.const(0)]));
          along(bytes, () => real.store([place.get, real.const(0)]));
        },
        () => {
          along(16, () => v128.store([place.get, vector.add(v128.load([before(place.get)]), v128.load([row()]))]));
          along(bytes, () => real.store([place.get, real.add(real.load([before(place.get)]), real.load([row()]))]));
        },
      );
      for (const at of [from, to]) at.set(i32.add(at.get, step(width)));
      mark.set(i32.add(mark.get, step(i32.const(bytes))));
      i.set(i32.add(i.get, i32.const(1)));
    });
  });
}
