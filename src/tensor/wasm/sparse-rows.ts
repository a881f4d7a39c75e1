/**
 * What products with a sparse matrix are made of. A list says for each row t of a result which rows s of a dense matrix it is
 * the sum of, and with what weights: entries of 8 bytes (the offset of row s in bytes, the weight as float32), and for each
 * t the address where its entries end.
 */
import { type Expression, type FunctionBuilder, I32, type Local, ModuleBuilder, V128 } from './assembler.ts';
import { f32x4, i32, i32x4, v128 } from './instructions.ts';

/** Bytes of an entry of a list. */
export const ENTRY = 8;

/** Vectors that sums are held in side by side, most first: as many as registers allow, and fewer for what is left over. */
export const WIDTHS = [12, 4, 1] as const;

/** What `collect` answers. */
export const TOO_MANY = -1;
export const ALL_ONES = 1;

/** The functions of the module; `w1` … sum `WIDTHS` vectors, `ones1` … the same where all weights are 1. */
export function sparseModule(): ModuleBuilder {
  const module = new ModuleBuilder();
  collect(module);
  turn(module);
  transpose(module);
  for (const width of WIDTHS) {
    addUp(module, `w${width}`, width, true);
    addUp(module, `ones${width}`, width, false);
  }
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
 * times `distance` as offset. Answers `TOO_MANY` if there are more than `most`, and `ALL_ONES` if they are all 1. Columns
 * come in fours; there has to be room for those of one more row.
 */
function collect(module: ModuleBuilder): void {
  module.function('collect', new Array(7).fill(I32), [I32], (b) => {
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
function turn(module: ModuleBuilder): void {
  module.function('turn', new Array(7).fill(I32), [], (b) => {
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
function addUp(module: ModuleBuilder, name: string, width: number, weighted: boolean): void {
  module.function(name, new Array(6).fill(I32), [], (b) => {
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
function transpose(module: ModuleBuilder): void {
  module.function('transpose', new Array(6).fill(I32), [], (b) => {
    const [rows, columns, source, sourceApart, target, targetApart] = parameters(b, 6);
    const row = b.let(I32, i32.const(0));
    const left = b.let(I32, source);
    const top = b.let(I32, target);
    advance(b, row, rows, 4, () => {
      const from = b.let(I32, left.get);
      const to = b.let(I32, top.get);
      const end = b.let(I32, i32.add(from.get, i32.shl(columns, i32.const(2))));
      advance(b, from, end.get, 16, () => {
        const at = b.let(I32, from.get);
        const lines = Array.from({ length: 4 }, () => {
          const line = b.let(V128, v128.load([at.get]));
          at.set(i32.add(at.get, sourceApart));
          return line.get;
        });
        const pairs = (shuffle: readonly number[], i: number): Expression =>
          b.let(V128, v128.shuffle(shuffle, lines[i], lines[i + 1])).get;
        const [low, high, lowNext, highNext] = [
          pairs(LOW_PAIRS, 0),
          pairs(HIGH_PAIRS, 0),
          pairs(LOW_PAIRS, 2),
          pairs(HIGH_PAIRS, 2),
        ];
        const turned = [
          v128.shuffle(LOW_HALVES, low, lowNext),
          v128.shuffle(HIGH_HALVES, low, lowNext),
          v128.shuffle(LOW_HALVES, high, highNext),
          v128.shuffle(HIGH_HALVES, high, highNext),
        ];
        for (const line of turned) {
          b.do(v128.store([to.get, line]));
          to.set(i32.add(to.get, targetApart));
        }
      });
      left.set(i32.add(left.get, i32.shl(sourceApart, i32.const(2))));
      top.set(i32.add(top.get, i32.const(16)));
    });
  });
}
