/**
 * Which elements of a matrix are not 0, as lists: for each row the places of its elements, one entry after the other, and
 * the address where they end. Two kinds of lists are made.
 *
 * A _weighted_ entry is the offset of a column and the element there as float32.
 *
 * Where all elements are 1, as in pictures of black and white, lists are of _fours_: for columns 4i to 4i + 3 there are seven
 * places, that of all of them together, those of the first two and of the last two, and those of each. A row has at most two
 * entries among the seven, and where what is not 0 comes in runs, far fewer than elements. An entry is an offset alone.
 */
import { type Expression, type FunctionBuilder, I32, type Local, type ModuleBuilder, V128 } from './assembler.ts';
import { f32x4, i32, i32x4, v128 } from './instructions.ts';

/** Bytes of an entry of a list. */
export const WEIGHTED_ENTRY = 8;
export const PLAIN_ENTRY = 4;

/** The places for four columns, in the order in which sums for them are made of each other. */
export const Place = { ALL: 0, FIRST_TWO: 1, FIRST: 2, SECOND: 3, LAST_TWO: 4, THIRD: 5, FOURTH: 6, COUNT: 7 } as const;

/** What is answered instead of lists: there are too many entries; some elements are neither 0 nor 1. */
export const TOO_MANY = -1;
export const NOT_ONES = -2;

export type Routine = (...operands: Expression[]) => Expression;

export const parameters = (b: FunctionBuilder, count: number): Expression[] =>
  Array.from({ length: count }, (_, i) => b.parameter(i));

/** for (; at < end; at += step). */
export function advance(b: FunctionBuilder, at: Local, end: Expression, step: number, body: () => void): void {
  b.while(i32.ltUnsigned(at.get, end), () => {
    body();
    at.set(i32.add(at.get, i32.const(step)));
  });
}

/** The address past so many words. */
export const past = (from: Expression, words: Expression): Expression => i32.add(from, i32.shl(words, i32.const(2)));

/** Writes the entries for four elements, given where they are not 0 as bits; moves `to` past them. */
type WriteFour = (b: FunctionBuilder, vector: Local, bits: Local, to: Local, offset: Local) => void;

/**
 * (matrix, rows, columns, entries, ends, distance, most): lists the elements of each row that are not 0, with their place
 * times `distance` as offset. Answers `TOO_MANY` if there are more than `most` entries. Columns come in fours; there has
 * to be room for those of one more row.
 */
function collect(
  module: ModuleBuilder,
  entryBytes: number,
  places: number,
  write: (distance: Expression) => WriteFour,
  accept: ((vector: Expression, there: Expression) => Expression) | null,
): Routine {
  return module.function(null, new Array(7).fill(I32), [I32], (b) => {
    const [matrix, rows, columns, entries, ends, distance, most] = parameters(b, 7);
    const writeFour = write(distance);
    const from = b.let(I32, matrix);
    const to = b.let(I32, entries);
    const last = b.let(I32, i32.add(entries, i32.mul(most, i32.const(entryBytes))));
    const ended = b.let(I32, ends);
    const apart = b.let(I32, i32.mul(distance, i32.const(places)));
    const wrong = b.let(V128, i32x4.const(0));
    advance(b, ended, past(ends, rows), 4, () => {
      const end = b.let(I32, past(from.get, columns));
      const offset = b.let(I32, i32.const(0));
      advance(b, from, end.get, 16, () => {
        const vector = b.let(V128, v128.load([from.get]));
        const there = b.let(V128, f32x4.ne(vector.get, f32x4.const(0)));
        const bits = b.let(I32, i32x4.bitmask(there.get));
        b.if(bits.get, () => {
          if (accept !== null) wrong.set(v128.or(wrong.get, accept(vector.get, there.get)));
          writeFour(b, vector, bits, to, offset);
        });
        offset.set(i32.add(offset.get, apart.get));
      });
      if (accept !== null) b.if(v128.anyTrue(wrong.get), () => b.return(i32.const(NOT_ONES)));
      b.if(i32.gt(to.get, last.get), () => b.return(i32.const(TOO_MANY)));
      b.do(i32.store([ended.get, to.get]));
    });
    b.do(i32.const(0));
  });
}

/** Collects lists of weighted entries. */
export function collectWeighted(module: ModuleBuilder): Routine {
  const write = (distance: Expression): WriteFour => {
    return (b, vector, bits, to, offset) => {
      for (let lane = 0; lane < 4; lane++) {
        b.do(i32.store([to.get, i32.add(offset.get, i32.mul(distance, i32.const(lane)))]));
        b.do(v128.store32Lane([to.get, vector.get], 4, lane));
        const one = i32.and(i32.shrUnsigned(bits.get, i32.const(lane)), i32.const(1));
        to.set(i32.add(to.get, i32.mul(one, i32.const(WEIGHTED_ENTRY))));
      }
    };
  };
  return collect(module, WEIGHTED_ENTRY, 4, write, null);
}

/** Numbers below 8 by an index from 0 to 3. */
const chosen = (numbers: readonly number[], index: Expression): Expression => {
  const packed = numbers.reduce((sum, number, i) => sum + number * 8 ** i, 0);
  return i32.and(i32.shrUnsigned(i32.const(packed), i32.mul(index, i32.const(3))), i32.const(7));
};

/** Collects lists of fours; answers `NOT_ONES` if some elements are neither 0 nor 1. */
export function collectFours(module: ModuleBuilder): Routine {
  const write = (distance: Expression): WriteFour => {
    return (b, _vector, bits, to, offset) => {
      const step = (more: Expression): void => to.set(past(to.get, more));
      const entry = (place: Expression): void =>
        b.do(i32.store([to.get, i32.add(offset.get, i32.mul(distance, place))]));
      b.if(
        i32.eq(bits.get, i32.const(0b1111)),
        () => {
          entry(i32.const(Place.ALL));
          step(i32.const(1));
        },
        () => {
          // One of each half, or none: what is written for none is overwritten.
          const low = b.let(I32, i32.and(bits.get, i32.const(0b11)));
          const high = b.let(I32, i32.shrUnsigned(bits.get, i32.const(2)));
          entry(chosen([0, Place.FIRST, Place.SECOND, Place.FIRST_TWO], low.get));
          step(i32.ne(low.get, i32.const(0)));
          entry(chosen([0, Place.THIRD, Place.FOURTH, Place.LAST_TWO], high.get));
          step(i32.ne(high.get, i32.const(0)));
        },
      );
    };
  };
  const accept = (vector: Expression, there: Expression): Expression =>
    v128.and(there, f32x4.ne(vector, f32x4.const(1)));
  return collect(module, PLAIN_ENTRY, Place.COUNT, write, accept);
}

/**
 * (entries, ends, rows, places, entries of the other, its ends, distance): from the list of a matrix, collected with
 * places 4 apart, that of its transpose, with rows times `distance` as offsets.
 */
export function turn(module: ModuleBuilder, entryBytes: number): Routine {
  return module.function(null, new Array(7).fill(I32), [], (b) => {
    const [entries, ends, rows, places, others, otherEnds, distance] = parameters(b, 7);
    const end = b.let(I32, past(otherEnds, places));
    const place = b.let(I32, otherEnds);
    advance(b, place, end.get, 4, () => b.do(i32.store([place.get, i32.const(0)])));
    const entry = b.let(I32, entries);
    const last = b.let(I32, i32.load([i32.sub(past(ends, rows), i32.const(4))]));
    advance(b, entry, last.get, entryBytes, () => {
      place.set(i32.add(otherEnds, i32.load([entry.get])));
      b.do(i32.store([place.get, i32.add(i32.load([place.get]), i32.const(entryBytes))]));
    });
    // From how many bytes each has, to where each begins: writing them then moves that to where it ends.
    const begin = b.let(I32, others);
    place.set(otherEnds);
    advance(b, place, end.get, 4, () => {
      const bytes = b.let(I32, i32.load([place.get]));
      b.do(i32.store([place.get, begin.get]));
      begin.set(i32.add(begin.get, bytes.get));
    });
    const offset = b.let(I32, i32.const(0));
    const ended = b.let(I32, ends);
    entry.set(entries);
    advance(b, ended, past(ends, rows), 4, () => {
      const stop = b.let(I32, i32.load([ended.get]));
      advance(b, entry, stop.get, entryBytes, () => {
        place.set(i32.add(otherEnds, i32.load([entry.get])));
        const to = b.let(I32, i32.load([place.get]));
        b.do(i32.store([to.get, offset.get]));
        if (entryBytes === WEIGHTED_ENTRY) b.do(i32.store([to.get, i32.load([entry.get], 4)], 4));
        b.do(i32.store([place.get, i32.add(to.get, i32.const(entryBytes))]));
      });
      offset.set(i32.add(offset.get, distance));
    });
  });
}
