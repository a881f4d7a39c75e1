/** Sums of the rows of a dense matrix that lists name: some vectors of each row at a time, in registers. */
import { type Expression, type FunctionBuilder, I32, type Local, type ModuleBuilder, V128 } from './assembler.ts';
import { f32x4, i32, v128 } from './instructions.ts';
import { advance, PLAIN_ENTRY, Place, parameters, past, type Routine, WEIGHTED_ENTRY } from './sparse-lists.ts';

/** Sums side by side, for the rows of a list. */
class Sums {
  private readonly sums: readonly Local[];

  constructor(
    private readonly b: FunctionBuilder,
    width: number,
  ) {
    this.sums = Array.from({ length: width }, () => b.local(V128));
  }

  clear(): void {
    for (const sum of this.sums) sum.set(f32x4.const(0));
  }

  load(from: Expression): void {
    this.sums.forEach((sum, i) => {
      sum.set(v128.load([from], 16 * i));
    });
  }

  store(to: Expression): void {
    this.sums.forEach((sum, i) => {
      this.b.do(v128.store([to, sum.get], 16 * i));
    });
  }

  /** Adds the rows of the list that starts at `entry`, which moves to its end. */
  add(dense: Expression, entry: Local, end: Expression, weighted: boolean): void {
    const { b } = this;
    advance(b, entry, end, weighted ? WEIGHTED_ENTRY : PLAIN_ENTRY, () => {
      const from = b.let(I32, i32.add(dense, i32.load([entry.get])));
      const weight = weighted ? b.let(V128, v128.load32Splat([entry.get], 4)) : null;
      this.sums.forEach((sum, i) => {
        const vector = v128.load([from.get], 16 * i);
        sum.set(f32x4.add(sum.get, weight === null ? vector : f32x4.mul(weight.get, vector)));
      });
    });
  }
}

/** (rows of the result, entries, ends, dense matrix, result, bytes between its rows): sums `width` vectors of rows. */
export function addUp(module: ModuleBuilder, width: number, weighted: boolean): Routine {
  return module.function(null, new Array(6).fill(I32), [], (b) => {
    const [rows, entries, ends, dense, result, apart] = parameters(b, 6);
    const sums = new Sums(b, width);
    const entry = b.let(I32, entries);
    const ended = b.let(I32, ends);
    const to = b.let(I32, result);
    advance(b, ended, past(ends, rows), 4, () => {
      const end = b.let(I32, i32.load([ended.get]));
      sums.clear();
      sums.add(dense, entry, end.get, weighted);
      sums.store(to.get);
      to.set(i32.add(to.get, apart));
    });
  });
}

/**
 * (rows of the result, entries, ends, dense matrix, result, bytes between its rows, room for two rows): the same for lists
 * of fours, seven for each four rows. What rows have in common is summed once.
 */
export function addUpFours(module: ModuleBuilder, width: number): Routine {
  return module.function(null, new Array(7).fill(I32), [], (b) => {
    const [rows, entries, ends, dense, result, apart, room] = parameters(b, 7);
    const two = b.let(I32, i32.add(room, i32.const(16 * width)));
    const sums = new Sums(b, width);
    const entry = b.let(I32, entries);
    const ended = b.let(I32, ends);
    const to = b.let(I32, result);
    const list = (place: number): void => {
      const end = b.let(I32, i32.load([ended.get], 4 * place));
      sums.add(dense, entry, end.get, false);
    };
    const row = (place: number): void => {
      list(place);
      sums.store(to.get);
      to.set(i32.add(to.get, apart));
    };
    // Two rows, which have what is listed for both in common.
    const pair = (both: number, first: number, second: number): void => {
      list(both);
      sums.store(two.get);
      row(first);
      sums.load(two.get);
      row(second);
    };
    advance(
      b,
      ended,
      past(ends, i32.mul(i32.shrUnsigned(rows, i32.const(2)), i32.const(Place.COUNT))),
      4 * Place.COUNT,
      () => {
        sums.clear();
        list(Place.ALL);
        sums.store(room);
        pair(Place.FIRST_TWO, Place.FIRST, Place.SECOND);
        sums.load(room);
        pair(Place.LAST_TWO, Place.THIRD, Place.FOURTH);
      },
    );
  });
}
