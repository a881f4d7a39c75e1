/**
 * Matrix products that are too small to be packed: they are computed where they lie. Where the result has few columns, as in
 * networks with few units, some rows are computed together, so that loops cost little and sums need not wait for each other.
 * The order of the terms of an element does not depend on that.
 */
import { type Expression, type FunctionBuilder, I32, type Local, V128 } from './assembler.ts';
import { i32, v128 } from './instructions.ts';
import { ProductWriter } from './product-writer.ts';

/** Rows of a narrow result that are done together. */
const ROWS = 4;
/** Vectors of a row that are done together. */
const VECTORS = 4;

const SWAP_HALVES = [8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7];
const SWAP_PAIRS = [4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11];
/** Of two vectors: the lower halves, and the upper ones. */
const LOWER = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
const UPPER = [8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31];
/** Of two vectors of four: every other lane. */
const EVEN = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27];
const ODD = [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31];

/** How the columns of B that are done together are read, and those of C written. */
interface Columns {
  readonly vectors: number;
  load(at: Expression, i: number): Expression;
  store(b: FunctionBuilder, to: Expression, value: Expression, i: number): void;
}

/** Writes `rows` and `dots`. */
export class SmallProductWriter extends ProductWriter {
  write(): void {
    this.rows();
    this.dots();
  }

  /** (m, n, k, A, its row and column steps, B, its row step, C): B has contiguous rows. */
  private rows(): void {
    const { lanes } = this.p.vector;
    this.module.function(`rows_${this.p.name}`, new Array(9).fill(I32), [], (b) => {
      const [m, n, k, a, rowA, columnA, bFrom, rowB, c] = Array.from({ length: 9 }, (_, i) => b.parameter(i));
      const rowC = b.let(I32, this.bytes(n));
      const row = b.let(I32, a);
      const to = b.let(I32, c);
      const left = b.let(I32, m);
      const j = b.let(I32, i32.const(0));
      const some = (count: number, { vectors, load, store }: Columns): void => {
        const sums = Array.from({ length: count * vectors }, () => b.let(V128, this.p.vector.const(0)));
        const at = b.let(I32, i32.add(bFrom, this.bytes(j.get)));
        const elements = firsts(b, count, row.get, rowA);
        this.for(b, k, 1, () => {
          const columns = Array.from({ length: vectors }, (_, i) => b.let(V128, load(at.get, i)));
          elements.forEach((element, r) => {
            const value = b.let(V128, this.p.splat(element.get));
            columns.forEach((column, i) => {
              const sum = sums[r * vectors + i];
              sum.set(this.madd(value.get, column.get, sum.get));
            });
            element.set(i32.add(element.get, columnA));
          });
          at.set(i32.add(at.get, rowB));
        });
        firsts(b, count, i32.add(to.get, this.bytes(j.get)), rowC.get).forEach((place, r) => {
          for (let i = 0; i < vectors; i++) store(b, place.get, sums[r * vectors + i].get, i);
        });
      };
      const block = (count: number, widths: readonly number[]): void =>
        b.while(i32.ge(left.get, i32.const(count)), () => {
          j.set(i32.const(0));
          for (const vectors of widths) {
            const width = i32.const(vectors * lanes);
            b.while(i32.ge(i32.sub(n, j.get), width), () => {
              some(count, whole(vectors));
              j.set(i32.add(j.get, width));
            });
          }
          for (let rest = 1; rest < lanes; rest++) {
            b.if(i32.eq(i32.sub(n, j.get), i32.const(rest)), () => some(count, this.part(rest)));
          }
          row.set(i32.add(row.get, i32.mul(rowA, i32.const(count))));
          to.set(i32.add(to.get, i32.mul(rowC.get, i32.const(count))));
          left.set(i32.sub(left.get, i32.const(count)));
        });
      b.if(i32.lt(n, i32.const(VECTORS * lanes)), () => block(ROWS, [1]));
      block(1, [VECTORS, 1]);
    });
  }

  /** Fewer columns than a vector has lanes; nothing beyond them is read or written. */
  private part(columns: number): Columns {
    const { splat, storeLane } = this.p;
    if (columns === 1) return { vectors: 1, load: (at) => splat(at), store: (b, to, sum) => b.do(storeLane(to, sum)) };
    const two = (at: Expression): Expression => v128.load64Zero([at]);
    return {
      vectors: 1,
      load: (at) => (columns === 2 ? two(at) : v128.load32Lane([at, two(at)], 8, 2)),
      store: (b, to, sum) => {
        b.do(v128.store64Lane([to, sum], 0, 0));
        if (columns === 3) b.do(v128.store32Lane([to, sum], 8, 2));
      },
    };
  }

  /** (m, n, k, A, its row step, B, its column step, C): rows of A and columns of B are contiguous. */
  private dots(): void {
    const { p } = this;
    const { lanes } = p.vector;
    this.module.function(`dots_${p.name}`, new Array(8).fill(I32), [], (b) => {
      const [m, n, k, a, rowA, bFrom, columnB, c] = Array.from({ length: 8 }, (_, i) => b.parameter(i));
      const row = b.let(I32, a);
      const to = b.let(I32, c);
      const whole = b.let(I32, this.bytes(i32.and(k, i32.const(-lanes))));
      const end = b.let(I32, this.bytes(k));
      const some = (count: number, column: Local): void => {
        const columns = firsts(b, count, column.get, columnB);
        const sums = columns.map(() => b.let(V128, p.vector.const(0)));
        const tails = b.let(V128, p.vector.const(0));
        const at = b.let(I32, i32.const(0));
        b.while(i32.lt(at.get, whole.get), () => {
          const values = b.let(V128, v128.load([i32.add(row.get, at.get)]));
          columns.forEach((from, i) => {
            sums[i].set(this.madd(values.get, v128.load([i32.add(from.get, at.get)]), sums[i].get));
          });
          at.set(i32.add(at.get, i32.const(16)));
        });
        b.while(i32.lt(at.get, end.get), () => {
          const addresses = columns.map((from) => i32.add(from.get, at.get));
          tails.set(this.madd(p.splat(i32.add(row.get, at.get)), this.gathered(addresses), tails.get));
          at.set(i32.add(at.get, i32.const(p.bytes)));
        });
        const result = p.vector.add(this.totals(b, sums), tails.get);
        if (count === lanes) b.do(v128.store([to.get, result]));
        else if (count === 2) b.do(v128.store64Lane([to.get, result], 0, 0));
        else b.do(p.storeLane(to.get, result));
        to.set(i32.add(to.get, i32.const(count * p.bytes)));
        column.set(i32.add(column.get, i32.mul(columnB, i32.const(count))));
      };
      this.for(b, m, 1, () => {
        const column = b.let(I32, bFrom);
        const left = b.let(I32, n);
        for (const count of lanes === 2 ? [2, 1] : [4, 2, 1]) {
          b.while(i32.ge(left.get, i32.const(count)), () => {
            some(count, column);
            left.set(i32.sub(left.get, i32.const(count)));
          });
        }
        row.set(i32.add(row.get, rowA));
      });
    });
  }

  /** A number from each address, as the first lanes of a vector. */
  private gathered([first, ...others]: readonly Expression[]): Expression {
    if (others.length === 0) return this.p.splat(first);
    const isDouble = this.p.vector.lanes === 2;
    const loadLane = isDouble ? v128.load64Lane : v128.load32Lane;
    const start = (isDouble ? v128.load64Zero : v128.load32Zero)([first]);
    return others.reduce((vector, at, i) => loadLane([at, vector], 0, i + 1), start);
  }

  /** The sum of the lanes of each, as the first lanes of a vector. Pairs that are half a vector apart are added first. */
  private totals(b: FunctionBuilder, sums: readonly Local[]): Expression {
    const { add, lanes } = this.p.vector;
    const [first, second] = sums;
    if (second === undefined) {
      const half = b.let(V128, add(first.get, v128.shuffle(SWAP_HALVES, first.get, first.get)));
      return lanes === 2 ? half.get : add(half.get, v128.shuffle(SWAP_PAIRS, half.get, half.get));
    }
    const halves = (x: Local, y: Local): Local =>
      b.let(V128, add(v128.shuffle(LOWER, x.get, y.get), v128.shuffle(UPPER, x.get, y.get)));
    const ofTwo = halves(first, second);
    if (lanes === 2) return ofTwo.get;
    const others = sums.length === 2 ? ofTwo : halves(sums[2], sums[3]);
    return add(v128.shuffle(EVEN, ofTwo.get, others.get), v128.shuffle(ODD, ofTwo.get, others.get));
  }
}

/** So many addresses that are a step apart. */
function firsts(b: FunctionBuilder, count: number, from: Expression, step: Expression): Local[] {
  const all = [b.let(I32, from)];
  while (all.length < count) all.push(b.let(I32, i32.add(all[all.length - 1].get, step)));
  return all;
}

const whole = (vectors: number): Columns => ({
  vectors,
  load: (at, i) => v128.load([at], 16 * i),
  store: (b, to, value, i) => b.do(v128.store([to, value], 16 * i)),
});
