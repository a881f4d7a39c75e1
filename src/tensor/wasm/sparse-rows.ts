/** Products with a sparse matrix: sums of the rows of a dense one, which lists name, a strip of columns at a time. */
import { type Expression, type FunctionBuilder, I32, type Local, ModuleBuilder } from './assembler.ts';
import { i32, select } from './instructions.ts';
import {
  advance,
  collectFours,
  collectWeighted,
  NOT_ONES,
  PLAIN_ENTRY,
  Place,
  parameters,
  type Routine,
  TOO_MANY,
  turn,
  WEIGHTED_ENTRY,
} from './sparse-lists.ts';
import { sumFours, transpose } from './sparse-strips.ts';
import { addUp, addUpFours } from './sparse-sums.ts';

/** Vectors that sums are held in side by side, most first: as many as registers allow, and fewer for what is left over. */
const WIDTHS = [12, 5, 4, 2, 1];

/** Columns of the dense matrix that are worked on at a time. */
export const STRIP = 4 * WIDTHS[0];
/** Bytes of a row of a strip. */
export const STRIP_BYTES = 4 * STRIP;

/** The module, which exports `product`. */
export function sparseModule(): ModuleBuilder {
  const module = new ModuleBuilder();
  const parts = {
    transpose: transpose(module),
    weighted: {
      collect: collectWeighted(module),
      turn: turn(module, WEIGHTED_ENTRY),
      sums: WIDTHS.map((width) => addUp(module, width, true)),
    },
    fours: {
      collect: collectFours(module),
      turn: turn(module, PLAIN_ENTRY),
      summed: sumFours(module, STRIP_BYTES, false),
      summedTurned: sumFours(module, STRIP_BYTES, true),
      sums: WIDTHS.map((width) => addUp(module, width, false)),
      turnedSums: WIDTHS.map((width) => addUpFours(module, width)),
    },
  };
  product(module, parts);
  return module;
}

interface Parts {
  readonly transpose: Routine;
  readonly weighted: Readonly<Record<'collect' | 'turn', Routine>> & { readonly sums: readonly Routine[] };
  readonly fours: Readonly<Record<'collect' | 'turn' | 'summed' | 'summedTurned', Routine>> &
    Readonly<Record<'sums' | 'turnedSums', readonly Routine[]>>;
}

const bytes = (count: Expression): Expression => i32.shl(count, i32.const(2));

/**
 * (matrix, rows, columns, whether its transpose is meant, entries, ends, most, entries and ends of the transpose, dense
 * matrix, whether it is stored as its transpose, its columns, result, whether that is wanted as its transpose, room for a
 * strip, room for two rows of a strip, or 0 if lists are not to be of fours): the product of a sparse and a dense matrix.
 * Answers 0, and does nothing, if there are more than `most` entries.
 */
function product(module: ModuleBuilder, { transpose, weighted, fours }: Parts): void {
  module.function('product', new Array(16).fill(I32), [I32], (b) => {
    const [matrix, rows, columns, isTurned, entries, ends, most, otherEntries, otherEnds] = parameters(b, 9);
    const [dense, denseTurned, length, result, resultTurned, strip, room] = parameters(b, 16).slice(9);
    const either = (condition: Expression, yes: Expression, no: Expression): Local =>
      b.let(I32, select(yes, no, condition));
    const width = i32.const(STRIP_BYTES);
    const list = either(isTurned, otherEntries, entries);
    const listEnds = either(isTurned, otherEnds, ends);
    const targets = either(isTurned, columns, rows);
    const sources = either(isTurned, rows, columns);
    const denseApart = either(denseTurned, width, bytes(length));
    const apart = either(resultTurned, width, bytes(length));

    const turnDense = (first: Expression, size: Expression): void =>
      b.if(denseTurned, () => {
        const from = i32.add(dense, bytes(i32.mul(first, sources.get)));
        b.do(transpose(size, sources.get, from, bytes(sources.get), strip, width));
      });
    const turnResult = (first: Expression, size: Expression): void =>
      b.if(resultTurned, () => {
        const place = i32.add(result, bytes(i32.mul(first, targets.get)));
        b.do(transpose(targets.get, size, strip, width, place, bytes(targets.get)));
      });
    /** Where a strip of the dense matrix begins, and where one of the result does. */
    const denseAt = (first: Expression): Local => either(denseTurned, strip, i32.add(dense, bytes(first)));
    const resultAt = (first: Expression): Local => either(resultTurned, strip, i32.add(result, bytes(first)));

    const byWeights = (): void => {
      const distance = either(isTurned, i32.const(4), denseApart.get);
      const found = weighted.collect(matrix, rows, columns, entries, ends, distance.get, most);
      b.if(i32.eq(found, i32.const(TOO_MANY)), () => b.return(i32.const(0)));
      b.if(isTurned, () => b.do(weighted.turn(entries, ends, rows, columns, otherEntries, otherEnds, denseApart.get)));
      strips(b, length, (first, size) => {
        turnDense(first, size);
        const operands = [targets, list, listEnds].map((local) => local.get);
        inWidths(b, weighted.sums, size, denseAt(first), resultAt(first), (sum, from, to) =>
          b.do(sum(...operands, from, to, apart.get)),
        );
        turnResult(first, size);
      });
    };
    const byFours = (): void => {
      strips(b, length, (first, size) => {
        b.if(
          denseTurned,
          () => {
            const from = i32.add(dense, bytes(i32.mul(first, sources.get)));
            b.do(fours.summedTurned(size, sources.get, from, bytes(sources.get), strip));
          },
          () => b.do(fours.summed(size, sources.get, i32.add(dense, bytes(first)), bytes(length), strip)),
        );
        const to = b.let(I32, i32.add(result, bytes(first)));
        inWidths(b, fours.sums, size, b.let(I32, strip), to, (sum, from, to) =>
          b.do(sum(rows, entries, ends, from, to, bytes(length))),
        );
      });
    };
    const byFoursTurned = (): void => {
      const places = i32.mul(i32.shrUnsigned(columns, i32.const(2)), i32.const(Place.COUNT));
      b.do(fours.turn(entries, ends, rows, places, otherEntries, otherEnds, denseApart.get));
      strips(b, length, (first, size) => {
        turnDense(first, size);
        inWidths(b, fours.turnedSums, size, denseAt(first), resultAt(first), (sum, from, to) =>
          b.do(sum(columns, otherEntries, otherEnds, from, to, apart.get, room)),
        );
        turnResult(first, size);
      });
    };

    const found = b.let(I32, i32.const(NOT_ONES));
    b.if(room, () => {
      const distance = either(isTurned, i32.const(4), width);
      found.set(fours.collect(matrix, rows, columns, entries, ends, distance.get, most));
    });
    b.if(i32.eq(found.get, i32.const(TOO_MANY)), () => b.return(i32.const(0)));
    b.if(i32.eq(found.get, i32.const(NOT_ONES)), byWeights, () => b.if(isTurned, byFoursTurned, byFours));
    b.do(i32.const(1));
  });
}

/** Strips of so many columns: the first of each, and how many it has. */
function strips(b: FunctionBuilder, length: Expression, strip: (first: Expression, size: Expression) => void): void {
  const first = b.let(I32, i32.const(0));
  advance(b, first, length, STRIP, () => {
    const size = b.let(I32, i32.sub(length, first.get));
    b.if(i32.gt(size.get, i32.const(STRIP)), () => size.set(i32.const(STRIP)));
    strip(first.get, size.get);
  });
}

/** A strip of so many columns in as many vectors at a time as there are routines for. Moves `from` and `to`. */
function inWidths(
  b: FunctionBuilder,
  sums: readonly Routine[],
  size: Expression,
  from: Local,
  to: Local,
  call: (sum: Routine, from: Expression, to: Expression) => void,
): void {
  const end = b.let(I32, i32.add(to.get, bytes(size)));
  sums.forEach((sum, i) => {
    const wide = i32.const(16 * WIDTHS[i]);
    b.while(i32.le(i32.add(to.get, wide), end.get), () => {
      call(sum, from.get, to.get);
      from.set(i32.add(from.get, wide));
      to.set(i32.add(to.get, wide));
    });
  });
}
