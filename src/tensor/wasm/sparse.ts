/**
 * Products in which one matrix is mostly zeros (pictures of ink on paper, counts of words), in float32: the elements that
 * are not zero are listed, and only they are multiplied. Matrices that are not stored the way the inner loop walks go
 * through panels: some columns at a time, of all rows.
 */
import { type Expression, type FunctionBuilder, I32, type Local, ModuleBuilder, V128 } from './assembler.ts';
import { f32x4, i32, i32x4, v128 } from './instructions.ts';

/** Vectors in a row of a panel. With more of them, compilers load so many factors ahead that sums lose their registers. */
const VECTORS = 4;
/** Bytes of a row of a panel. */
export const PANEL_BYTES = 16 * VECTORS;
/** Bytes of a listed element: how far from the start what it multiplies is, and its value. */
export const ENTRY_BYTES = 8;

/**
 * `list`, `turn`, `toPanel`, `fromPanel`, and `multiply1`, `multiply2`, `multiply4` for so many vectors at a time.
 * All arguments are numbers and addresses; steps are in bytes.
 */
export function sparseModule(fma: boolean): ModuleBuilder {
  const module = new ModuleBuilder();
  writeList(module);
  writeTurn(module);
  writeToPanel(module);
  writeFromPanel(module);
  for (let vectors = 1; vectors <= VECTORS; vectors *= 2) writeMultiply(module, vectors, fma);
  return module;
}

const parameters = (b: FunctionBuilder, count: number): Expression[] =>
  Array.from({ length: count }, (_, i) => b.parameter(i));

/** Repeats the body `count` times, rounded up to a multiple of `step`; it may need the index. */
function times(b: FunctionBuilder, count: Expression, step: number, body: (index: Local) => void): void {
  const index = b.let(I32, i32.const(0));
  b.while(i32.lt(index.get, count), () => {
    body(index);
    index.set(i32.add(index.get, i32.const(step)));
  });
}

const advance = (local: Local, by: Expression): void => local.set(i32.add(local.get, by));

/**
 * (matrix, rows, columns, scale, most bytes of entries, entries, ends): lists, row by row, the elements that are not zero:
 * column · scale, and the value. `ends` gets the address after the last entry of each row. Answers with 0, or with 1 if
 * there are more than `most`, found out at the end of a row at the latest.
 */
function writeList(module: ModuleBuilder): void {
  module.function('list', new Array(7).fill(I32), [I32], (b) => {
    const [matrix, rows, columns, scale, most, entries, ends] = parameters(b, 7);
    const from = b.let(I32, matrix);
    const to = b.let(I32, entries);
    const end = b.let(I32, ends);
    const limit = b.let(I32, i32.add(entries, most));
    const element = (distance: number, column: Expression): void => {
      const bits = b.let(I32, i32.load([from.get], distance));
      // Shifted, so that −0 is nothing either.
      b.if(i32.shl(bits.get, i32.const(1)), () => {
        b.do(i32.store([to.get, i32.mul(column, scale)]));
        b.do(i32.store([to.get, bits.get], 4));
        advance(to, i32.const(ENTRY_BYTES));
      });
    };
    times(b, rows, 1, () => {
      const column = b.let(I32, i32.const(0));
      b.while(i32.le(i32.add(column.get, i32.const(4)), columns), () => {
        b.if(v128.anyTrue(i32x4.shl(v128.load([from.get]), i32.const(1))), () => {
          for (let i = 0; i < 4; i++) element(4 * i, i32.add(column.get, i32.const(i)));
        });
        advance(column, i32.const(4));
        advance(from, i32.const(16));
      });
      b.while(i32.lt(column.get, columns), () => {
        element(0, column.get);
        advance(column, i32.const(1));
        advance(from, i32.const(4));
      });
      b.do(i32.store([end.get, to.get]));
      advance(end, i32.const(4));
      b.if(i32.gt(to.get, limit.get), () => b.return(i32.const(1)));
    });
    b.do(i32.const(0));
  });
}

/**
 * (entries, ends, rows, columns, scale, entries of columns, ends of columns): the same elements by columns, given a list in
 * which places are columns · 4; with row · scale.
 */
function writeTurn(module: ModuleBuilder): void {
  module.function('turn', new Array(7).fill(I32), [], (b) => {
    const [entries, ends, rows, columns, scale, turned, turnedEnds] = parameters(b, 7);
    times(b, columns, 1, (j) => b.do(i32.store([i32.add(turnedEnds, i32.shl(j.get, i32.const(2))), i32.const(0)])));
    const last = b.let(I32, i32.load([i32.add(ends, i32.shl(i32.sub(rows, i32.const(1)), i32.const(2)))]));
    const at = b.let(I32, entries);
    b.while(i32.lt(at.get, last.get), () => {
      const count = b.let(I32, i32.add(turnedEnds, i32.load([at.get])));
      b.do(i32.store([count.get, i32.add(i32.load([count.get]), i32.const(ENTRY_BYTES))]));
      advance(at, i32.const(ENTRY_BYTES));
    });
    // Where each column starts; filling it moves that to its end.
    const start = b.let(I32, turned);
    times(b, columns, 1, (j) => {
      const place = b.let(I32, i32.add(turnedEnds, i32.shl(j.get, i32.const(2))));
      const bytes = b.let(I32, i32.load([place.get]));
      b.do(i32.store([place.get, start.get]));
      advance(start, bytes.get);
    });
    at.set(entries);
    const end = b.let(I32, ends);
    const row = b.let(I32, i32.const(0));
    times(b, rows, 1, () => {
      const stop = b.let(I32, i32.load([end.get]));
      b.while(i32.lt(at.get, stop.get), () => {
        const place = b.let(I32, i32.add(turnedEnds, i32.load([at.get])));
        const to = b.let(I32, i32.load([place.get]));
        b.do(i32.store([to.get, row.get]));
        b.do(i32.store([to.get, i32.load([at.get], 4)], 4));
        b.do(i32.store([place.get, i32.add(to.get, i32.const(ENTRY_BYTES))]));
        advance(at, i32.const(ENTRY_BYTES));
      });
      advance(row, scale);
      advance(end, i32.const(4));
    });
  });
}

/** The columns of four vectors that are rows. */
function transposed(b: FunctionBuilder, rows: readonly Expression[]): Local[] {
  const kept = rows.map((row) => b.let(V128, row));
  const [a, c, d, e] = kept.map(({ get }) => get);
  const low = [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23];
  const high = low.map((i) => i + 8);
  const first = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
  const second = first.map((i) => i + 8);
  const [lowPair, highPair, lowRest, highRest] = [
    v128.shuffle(low, a, c),
    v128.shuffle(high, a, c),
    v128.shuffle(low, d, e),
    v128.shuffle(high, d, e),
  ].map((value) => b.let(V128, value).get);
  return [
    v128.shuffle(first, lowPair, lowRest),
    v128.shuffle(second, lowPair, lowRest),
    v128.shuffle(first, highPair, highRest),
    v128.shuffle(second, highPair, highRest),
  ].map((value) => b.let(V128, value));
}

/** (rows, bytes per row, how many (a multiple of 4), length, panel): their elements become the columns of a panel. */
function writeToPanel(module: ModuleBuilder): void {
  module.function('toPanel', new Array(5).fill(I32), [], (b) => {
    const [matrix, step, rows, length, panel] = parameters(b, 5);
    const from = b.let(I32, matrix);
    const column = b.let(I32, panel);
    times(b, rows, 4, () => {
      const at = Array.from({ length: 4 }, (_, i) => b.let(I32, i32.add(from.get, i32.mul(step, i32.const(i)))));
      const to = b.let(I32, column.get);
      const done = b.let(I32, i32.const(0));
      b.while(i32.le(i32.add(done.get, i32.const(4)), length), () => {
        const columns = transposed(
          b,
          at.map(({ get }) => v128.load([get])),
        );
        columns.forEach(({ get }, i) => {
          b.do(v128.store([to.get, get], PANEL_BYTES * i));
        });
        for (const one of at) advance(one, i32.const(16));
        advance(to, i32.const(4 * PANEL_BYTES));
        advance(done, i32.const(4));
      });
      b.while(i32.lt(done.get, length), () => {
        at.forEach(({ get }, i) => {
          b.do(i32.store([to.get, i32.load([get])], 4 * i));
        });
        for (const one of at) advance(one, i32.const(4));
        advance(to, i32.const(PANEL_BYTES));
        advance(done, i32.const(1));
      });
      advance(column, i32.const(16));
      advance(from, i32.shl(step, i32.const(2)));
    });
  });
}

/** (panel, length, columns (a multiple of 4), rows, bytes per row): the columns of a panel become rows. */
function writeFromPanel(module: ModuleBuilder): void {
  module.function('fromPanel', new Array(5).fill(I32), [], (b) => {
    const [panel, length, columns, matrix, step] = parameters(b, 5);
    const column = b.let(I32, panel);
    const target = b.let(I32, matrix);
    times(b, columns, 4, () => {
      const at = b.let(I32, column.get);
      const to = Array.from({ length: 4 }, (_, i) => b.let(I32, i32.add(target.get, i32.mul(step, i32.const(i)))));
      const done = b.let(I32, i32.const(0));
      b.while(i32.le(i32.add(done.get, i32.const(4)), length), () => {
        const rows = transposed(
          b,
          to.map((_, i) => v128.load([at.get], PANEL_BYTES * i)),
        );
        rows.forEach(({ get }, i) => {
          b.do(v128.store([to[i].get, get]));
        });
        for (const one of to) advance(one, i32.const(16));
        advance(at, i32.const(4 * PANEL_BYTES));
        advance(done, i32.const(4));
      });
      b.while(i32.lt(done.get, length), () => {
        to.forEach(({ get }, i) => {
          b.do(i32.store([get, i32.load([at.get], 4 * i)]));
        });
        for (const one of to) advance(one, i32.const(4));
        advance(at, i32.const(PANEL_BYTES));
        advance(done, i32.const(1));
      });
      advance(column, i32.const(16));
      advance(target, i32.shl(step, i32.const(2)));
    });
  });
}

/**
 * (rows, entries, their ends, factors, results, bytes per row of results): each row of results is the sum, over the entries
 * of that row, of their value times the row of factors that they say.
 */
function writeMultiply(module: ModuleBuilder, vectors: number, fma: boolean): void {
  module.function(`multiply${vectors}`, new Array(6).fill(I32), [], (b) => {
    const [rows, entries, ends, factors, results, step] = parameters(b, 6);
    const at = b.let(I32, entries);
    const end = b.let(I32, ends);
    const to = b.let(I32, results);
    times(b, rows, 1, () => {
      const sums = Array.from({ length: vectors }, () => b.let(V128, f32x4.const(0)));
      const stop = b.let(I32, i32.load([end.get]));
      b.while(i32.lt(at.get, stop.get), () => {
        const from = b.let(I32, i32.add(factors, i32.load([at.get])));
        const value = b.let(V128, v128.load32Splat([at.get], 4));
        sums.forEach((sum, i) => {
          const factor = v128.load([from.get], 16 * i);
          sum.set(
            fma ? f32x4.relaxedMadd(value.get, factor, sum.get) : f32x4.add(sum.get, f32x4.mul(value.get, factor)),
          );
        });
        advance(at, i32.const(ENTRY_BYTES));
      });
      sums.forEach(({ get }, i) => {
        b.do(v128.store([to.get, get], 16 * i));
      });
      advance(end, i32.const(4));
      advance(to, step);
    });
  });
}
