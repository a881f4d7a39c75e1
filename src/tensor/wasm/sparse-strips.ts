/**
 * Strips of matrices, some columns wide, as products with sparse matrices read and write them: turned from rows to columns or
 * back, or with the sums of neighbouring rows that lists of fours refer to.
 */
import { type Expression, type FunctionBuilder, I32, type Local, type ModuleBuilder, V128 } from './assembler.ts';
import { f32x4, i32, v128 } from './instructions.ts';
import { advance, Place, parameters, type Routine } from './sparse-lists.ts';

const LOW_PAIRS = [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23];
const HIGH_PAIRS = [8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31];
const LOW_HALVES = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
const HIGH_HALVES = [8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31];

/** Squares of four that are worked on side by side: a line of the cache in each direction. */
const ABREAST = 4;

/** Four rows of four, as they are. */
function loadFour(b: FunctionBuilder, from: Expression, apart: Expression): Expression[] {
  const at = b.let(I32, from);
  return Array.from({ length: 4 }, () => {
    const line = b.let(V128, v128.load([at.get]));
    at.set(i32.add(at.get, apart));
    return line.get;
  });
}

function turned(b: FunctionBuilder, lines: readonly Expression[]): Expression[] {
  const pairs = (shuffle: readonly number[], i: number): Expression =>
    b.let(V128, v128.shuffle(shuffle, lines[i], lines[i + 1])).get;
  const [low, high] = [pairs(LOW_PAIRS, 0), pairs(HIGH_PAIRS, 0)];
  const [lowNext, highNext] = [pairs(LOW_PAIRS, 2), pairs(HIGH_PAIRS, 2)];
  const halves = (shuffle: readonly number[], first: Expression, second: Expression): Expression =>
    b.let(V128, v128.shuffle(shuffle, first, second)).get;
  return [
    halves(LOW_HALVES, low, lowNext),
    halves(HIGH_HALVES, low, lowNext),
    halves(LOW_HALVES, high, highNext),
    halves(HIGH_HALVES, high, highNext),
  ];
}

/** Bytes from one square to the next, where it is read and where it is written. */
interface Steps {
  readonly from: Expression;
  readonly to: Expression;
}

/**
 * Goes through squares of four: so many elements along one side, a few squares abreast, all along the other side. Memory is
 * then read and written in a few streams, which the processor sees coming, and a line of the cache at a time.
 */
function squares(
  b: FunctionBuilder,
  [source, target]: readonly [Expression, Expression],
  [wide, across]: readonly [Expression, Steps],
  [long, along]: readonly [Expression, Steps],
  square: (from: Local, to: Local) => void,
): void {
  const move = (from: Local, to: Local, steps: Steps): void => {
    from.set(i32.add(from.get, steps.from));
    to.set(i32.add(to.get, steps.to));
  };
  const left = b.let(I32, source);
  const top = b.let(I32, target);
  const nextLeft = b.local(I32);
  const nextTop = b.local(I32);
  const i = b.let(I32, i32.const(0));
  advance(b, i, wide, 4 * ABREAST, () => {
    const most = b.let(I32, i32.sub(wide, i.get));
    b.if(i32.gt(most.get, i32.const(4 * ABREAST)), () => most.set(i32.const(4 * ABREAST)));
    const k = b.let(I32, i32.const(0));
    nextLeft.set(left.get);
    nextTop.set(top.get);
    advance(b, k, long, 4, () => {
      const from = b.let(I32, left.get);
      const to = b.let(I32, top.get);
      const j = b.let(I32, i32.const(0));
      advance(b, j, most.get, 4, () => {
        square(from, to);
        move(from, to, across);
      });
      move(left, top, along);
    });
    for (let square = 0; square < ABREAST; square++) move(nextLeft, nextTop, across);
    left.set(nextLeft.get);
    top.set(nextTop.get);
  });
}

const four = (apart: Expression): Expression => i32.shl(apart, i32.const(2));

/** (rows, columns, from, bytes between rows there, to, bytes between rows there): both in fours. */
export function transpose(module: ModuleBuilder): Routine {
  return module.function(null, new Array(6).fill(I32), [], (b) => {
    const [rows, columns, source, sourceApart, target, targetApart] = parameters(b, 6);
    const alongRows: Steps = { from: four(sourceApart), to: i32.const(16) };
    const alongColumns: Steps = { from: i32.const(16), to: four(targetApart) };
    const square = (from: Local, to: Local): void => {
      const at = b.let(I32, to.get);
      for (const line of turned(b, loadFour(b, from.get, sourceApart))) {
        b.do(v128.store([at.get, line]));
        at.set(i32.add(at.get, targetApart));
      }
    };
    b.if(
      i32.lt(rows, columns),
      () => squares(b, [source, target], [rows, alongRows], [columns, alongColumns], square),
      () => squares(b, [source, target], [columns, alongColumns], [rows, alongRows], square),
    );
  });
}

/**
 * (columns, rows, from, bytes between rows there, strip): a strip `stripApart` bytes wide of a matrix of so many rows and
 * columns, with seven rows for each four of the matrix: see `Place`. The matrix may be stored as its transpose.
 */
export function sumFours(module: ModuleBuilder, stripApart: number, isTurned: boolean): Routine {
  return module.function(null, new Array(5).fill(I32), [], (b) => {
    const [columns, rows, source, sourceApart, strip] = parameters(b, 5);
    const across: Steps = { from: isTurned ? four(sourceApart) : i32.const(16), to: i32.const(16) };
    const along: Steps = {
      from: isTurned ? i32.const(16) : four(sourceApart),
      to: i32.const(Place.COUNT * stripApart),
    };
    squares(b, [source, strip], [columns, across], [rows, along], (from, to) => {
      const lines = loadFour(b, from.get, sourceApart);
      const [first, second, third, fourth] = isTurned ? turned(b, lines) : lines;
      const put = (place: number, value: Expression): void => b.do(v128.store([to.get, value], place * stripApart));
      const firstTwo = b.let(V128, f32x4.add(first, second));
      const lastTwo = b.let(V128, f32x4.add(third, fourth));
      put(Place.ALL, f32x4.add(firstTwo.get, lastTwo.get));
      put(Place.FIRST_TWO, firstTwo.get);
      put(Place.FIRST, first);
      put(Place.SECOND, second);
      put(Place.LAST_TWO, lastTwo.get);
      put(Place.THIRD, third);
      put(Place.FOURTH, fourth);
    });
  });
}
