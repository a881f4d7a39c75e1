/**
 * What products with a sparse matrix are made of. A list says for each row t of a result which rows s of a dense matrix it is
 * the sum of, and with what weights: entries of 8 bytes (the offset of row s in bytes, the weight as float32), and for each
 * t the address where its entries end.
 */
import { type Expression, type FunctionBuilder, I32, type Local, ModuleBuilder, V128 } from './assembler.ts';
import { f32x4, i32, i32x4, select, v128 } from './instructions.ts';

/** Bytes of an entry of a list. */
export const ENTRY = 8;

/** Vectors that sums are held in side by side, most first: as many as registers allow, and fewer for what is left over. */
const WIDTHS = [12, 4, 1];

/** Columns of the dense matrix that are worked on at a time. */
export const STRIP = 4 * WIDTHS[0];

/** What `collect` answers. */
const TOO_MANY = -1;

type Routine = (...operands: Expression[]) => Expression;

/** The module, which exports `product`. */
export function sparseModule(): ModuleBuilder {
  const module = new ModuleBuilder();
  const parts = { collect: collect(module), turn: turn(module), transpose: transpose(module) };
  const sums = WIDTHS.map((width) => ({
    width,
    weighted: addUp(module, width, true),
    ones: addUp(module, width, false),
  }));
  product(module, parts, sums);
  return module;
}

const parameters = (b: FunctionBuilder, count: number): Expression[] =>
  Array.from({ length: count }, (_, i) => b.parameter(i));

/** for (; at < end; at += step). */
function advance(b: FunctionBuilder, at: Local, end: Expression, step: number, body: () => void): void {
  b.while(i32.ltUnsigned(at.get, end), () => {
    body();
    at.set(i32.add(at.get, i32.const(step)));
  });
}

/**
 * (matrix, rows, columns, entries, ends, distance, most): lists the elements of each row that are not 0, with their column
 * times `distance` as offset. Answers `TOO_MANY` if there are more than `most`, and else whether they are all 1. Columns
 * come in fours; there has to be room for those of one more row.
 */
function collect(module: ModuleBuilder): Routine {
  return module.function(null, new Array(7).fill(I32), [I32], (b) => {
    const [matrix, rows, columns, entries, ends, distance, most] = parameters(b, 7);
    const from = b.let(I32, matrix);
    const to = b.let(I32, entries);
    const last = b.let(I32, i32.add(entries, i32.mul(most, i32.const(ENTRY))));
    const ended = b.let(I32, ends);
    const others = b.let(V128, i32x4.const(0));
    advance(b, ended, i32.add(ends, i32.shl(rows, i32.const(2))), 4, () => {
      const end = b.let(I32, i32.add(from.get, i32.shl(columns, i32.const(2))));
      const offset = b.let(I32, i32.const(0));
      advance(b, from, end.get, 16, () => {
        const vector = b.let(V128, v128.load([from.get]));
        const there = b.let(V128, f32x4.ne(vector.get, f32x4.const(0)));
        const bits = b.let(I32, i32x4.bitmask(there.get));
        b.if(bits.get, () => {
          others.set(v128.or(others.get, v128.and(there.get, f32x4.ne(vector.get, f32x4.const(1)))));
          for (let lane = 0; lane < 4; lane++) {
            b.do(i32.store([to.get, i32.add(offset.get, i32.mul(distance, i32.const(lane)))]));
            b.do(v128.store32Lane([to.get, vector.get], 4, lane));
            const one = i32.and(i32.shrUnsigned(bits.get, i32.const(lane)), i32.const(1));
            to.set(i32.add(to.get, i32.mul(one, i32.const(ENTRY))));
          }
        });
        offset.set(i32.add(offset.get, i32.shl(distance, i32.const(2))));
      });
      b.if(i32.gt(to.get, last.get), () => b.return(i32.const(TOO_MANY)));
      b.do(i32.store([ended.get, to.get]));
    });
    b.do(i32.eqz(v128.anyTrue(others.get)));
  });
}

/**
 * (entries, ends, rows, columns, entries of the other, its ends, distance): from the list of a matrix, collected with
 * columns 4 apart, that of its transpose, with rows times `distance` as offsets.
 */
function turn(module: ModuleBuilder): Routine {
  return module.function(null, new Array(7).fill(I32), [], (b) => {
    const [entries, ends, rows, columns, others, otherEnds, distance] = parameters(b, 7);
    const past = b.let(I32, i32.add(otherEnds, i32.shl(columns, i32.const(2))));
    const place = b.let(I32, otherEnds);
    advance(b, place, past.get, 4, () => b.do(i32.store([place.get, i32.const(0)])));
    const entry = b.let(I32, entries);
    const last = b.let(I32, i32.load([i32.sub(i32.add(ends, i32.shl(rows, i32.const(2))), i32.const(4))]));
    advance(b, entry, last.get, ENTRY, () => {
      place.set(i32.add(otherEnds, i32.load([entry.get])));
      b.do(i32.store([place.get, i32.add(i32.load([place.get]), i32.const(ENTRY))]));
    });
    // From how many bytes each has, to where each begins: writing them then moves that to where it ends.
    const begin = b.let(I32, others);
    place.set(otherEnds);
    advance(b, place, past.get, 4, () => {
      const bytes = b.let(I32, i32.load([place.get]));
      b.do(i32.store([place.get, begin.get]));
      begin.set(i32.add(begin.get, bytes.get));
    });
    const offset = b.let(I32, i32.const(0));
    const ended = b.let(I32, ends);
    entry.set(entries);
    advance(b, ended, i32.add(ends, i32.shl(rows, i32.const(2))), 4, () => {
      const end = b.let(I32, i32.load([ended.get]));
      advance(b, entry, end.get, ENTRY, () => {
        place.set(i32.add(otherEnds, i32.load([entry.get])));
        const to = b.let(I32, i32.load([place.get]));
        b.do(i32.store([to.get, offset.get]));
        b.do(i32.store([to.get, i32.load([entry.get], 4)], 4));
        b.do(i32.store([place.get, i32.add(to.get, i32.const(ENTRY))]));
      });
      offset.set(i32.add(offset.get, distance));
    });
  });
}

/** (rows of the result, entries, ends, dense matrix, result, bytes between its rows): sums `width` vectors of rows. */
function addUp(module: ModuleBuilder, width: number, weighted: boolean): Routine {
  return module.function(null, new Array(6).fill(I32), [], (b) => {
    const [rows, entries, ends, dense, result, apart] = parameters(b, 6);
    const entry = b.let(I32, entries);
    const ended = b.let(I32, ends);
    const to = b.let(I32, result);
    advance(b, ended, i32.add(ends, i32.shl(rows, i32.const(2))), 4, () => {
      const end = b.let(I32, i32.load([ended.get]));
      const sums = Array.from({ length: width }, () => b.let(V128, f32x4.const(0)));
      advance(b, entry, end.get, ENTRY, () => {
        const from = b.let(I32, i32.add(dense, i32.load([entry.get])));
        const weight = weighted ? b.let(V128, v128.load32Splat([entry.get], 4)) : null;
        sums.forEach((sum, i) => {
          const vector = v128.load([from.get], 16 * i);
          sum.set(f32x4.add(sum.get, weight === null ? vector : f32x4.mul(weight.get, vector)));
        });
      });
      sums.forEach((sum, i) => {
        b.do(v128.store([to.get, sum.get], 16 * i));
      });
      to.set(i32.add(to.get, apart));
    });
  });
}

const LOW_PAIRS = [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23];
const HIGH_PAIRS = [8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31];
const LOW_HALVES = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
const HIGH_HALVES = [8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31];

/** (rows, columns, from, bytes between rows there, to, bytes between rows there): both in fours. */
function transpose(module: ModuleBuilder): Routine {
  return module.function(null, new Array(6).fill(I32), [], (b) => {
    const [rows, columns, source, sourceApart, target, targetApart] = parameters(b, 6);
    const fourRows = (apart: Expression): Expression => i32.shl(apart, i32.const(2));
    /** Squares along one side, within those along the other: (steps from one to the next there, here, and in each). */
    const squares = (outer: Expression, steps: Steps, inner: Expression, innerSteps: Steps): void => {
      const left = b.let(I32, source);
      const top = b.let(I32, target);
      const i = b.let(I32, i32.const(0));
      advance(b, i, outer, 4, () => {
        const from = b.let(I32, left.get);
        const to = b.let(I32, top.get);
        const j = b.let(I32, i32.const(0));
        advance(b, j, inner, 4, () => {
          square(b, from, sourceApart, to, targetApart);
          from.set(i32.add(from.get, innerSteps.from));
          to.set(i32.add(to.get, innerSteps.to));
        });
        left.set(i32.add(left.get, steps.from));
        top.set(i32.add(top.get, steps.to));
      });
    };
    const alongRows: Steps = { from: fourRows(sourceApart), to: i32.const(16) };
    const alongColumns: Steps = { from: i32.const(16), to: fourRows(targetApart) };
    // The shorter side within the longer: what is written to, or read from, in pieces then stays in the first-level cache.
    b.if(
      i32.lt(rows, columns),
      () => squares(columns, alongColumns, rows, alongRows),
      () => squares(rows, alongRows, columns, alongColumns),
    );
  });
}

/** Bytes from one square to the next. */
interface Steps {
  readonly from: Expression;
  readonly to: Expression;
}

/** Four rows of four. */
function square(b: FunctionBuilder, from: Local, fromApart: Expression, to: Local, toApart: Expression): void {
  const at = b.let(I32, from.get);
  const lines = Array.from({ length: 4 }, () => {
    const line = b.let(V128, v128.load([at.get]));
    at.set(i32.add(at.get, fromApart));
    return line.get;
  });
  const pairs = (shuffle: readonly number[], i: number): Expression =>
    b.let(V128, v128.shuffle(shuffle, lines[i], lines[i + 1])).get;
  const [low, high] = [pairs(LOW_PAIRS, 0), pairs(HIGH_PAIRS, 0)];
  const [lowNext, highNext] = [pairs(LOW_PAIRS, 2), pairs(HIGH_PAIRS, 2)];
  at.set(to.get);
  for (const line of [
    v128.shuffle(LOW_HALVES, low, lowNext),
    v128.shuffle(HIGH_HALVES, low, lowNext),
    v128.shuffle(LOW_HALVES, high, highNext),
    v128.shuffle(HIGH_HALVES, high, highNext),
  ]) {
    b.do(v128.store([at.get, line]));
    at.set(i32.add(at.get, toApart));
  }
}

interface Sum {
  readonly width: number;
  readonly weighted: Routine;
  readonly ones: Routine;
}

/**
 * (matrix, rows, columns, whether its transpose is meant, entries, ends, most, entries and ends of the transpose, dense
 * matrix, whether it is stored as its transpose, its columns, result, whether that is wanted as its transpose, room for a
 * strip): the product of a sparse and a dense matrix. Answers 0, and does nothing, if there are more than `most` elements.
 */
function product(
  module: ModuleBuilder,
  { collect, turn, transpose }: Record<'collect' | 'turn' | 'transpose', Routine>,
  sums: readonly Sum[],
): void {
  module.function('product', new Array(15).fill(I32), [I32], (b) => {
    const [matrix, rows, columns, turned, entries, ends, most, otherEntries, otherEnds] = parameters(b, 9);
    const [dense, denseTurned, length, result, resultTurned, strip] = parameters(b, 15).slice(9);
    const bytes = (count: Expression): Expression => i32.shl(count, i32.const(2));
    const either = (condition: Expression, yes: Expression, no: Expression): Local =>
      b.let(I32, select(yes, no, condition));
    const width = i32.const(4 * STRIP);
    const denseApart = either(denseTurned, width, bytes(length));
    const distance = either(turned, i32.const(4), denseApart.get);
    const found = b.let(I32, collect(matrix, rows, columns, entries, ends, distance.get, most));
    b.if(i32.eq(found.get, i32.const(TOO_MANY)), () => b.return(i32.const(0)));
    b.if(turned, () => b.do(turn(entries, ends, rows, columns, otherEntries, otherEnds, denseApart.get)));
    const list = either(turned, otherEntries, entries);
    const listEnds = either(turned, otherEnds, ends);
    const targets = either(turned, columns, rows);
    const sources = either(turned, rows, columns);
    const apart = either(resultTurned, width, bytes(length));
    const first = b.let(I32, i32.const(0));
    advance(b, first, length, STRIP, () => {
      const size = b.let(I32, i32.sub(length, first.get));
      b.if(i32.gt(size.get, i32.const(STRIP)), () => size.set(i32.const(STRIP)));
      b.if(denseTurned, () => {
        const from = i32.add(dense, bytes(i32.mul(first.get, sources.get)));
        b.do(transpose(size.get, sources.get, from, bytes(sources.get), strip, width));
      });
      const from = either(denseTurned, strip, i32.add(dense, bytes(first.get)));
      const to = either(resultTurned, strip, i32.add(result, bytes(first.get)));
      const end = b.let(I32, i32.add(to.get, bytes(size.get)));
      for (const { width, weighted, ones } of sums) {
        b.while(i32.le(i32.add(to.get, i32.const(16 * width)), end.get), () => {
          const operands = [targets, list, listEnds, from, to, apart].map((local) => local.get);
          b.if(
            found.get,
            () => b.do(ones(...operands)),
            () => b.do(weighted(...operands)),
          );
          from.set(i32.add(from.get, i32.const(16 * width)));
          to.set(i32.add(to.get, i32.const(16 * width)));
        });
      }
      b.if(resultTurned, () => {
        const place = i32.add(result, bytes(i32.mul(first.get, targets.get)));
        b.do(transpose(targets.get, size.get, strip, width, place, bytes(targets.get)));
      });
    });
    b.do(i32.const(1));
  });
}
