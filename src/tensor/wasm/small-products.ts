/** Matrix products that are too small to be packed: done in place, a row or an element of the result at a time. */
import { type Expression, I32, type Local, V128 } from './assembler.ts';
import { i32, v128 } from './instructions.ts';
import { ProductWriter } from './product-writer.ts';

const SWAP_HALVES = [8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7];
const SWAP_PAIRS = [4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11];

/** Writes `rows` and `dots`. */
export class SmallProductWriter extends ProductWriter {
  write(): void {
    this.rows();
    this.dots();
  }

  /** (m, n, k, A, its row and column steps, B, its row step, C): B has contiguous rows. */
  private rows(): void {
    const { p } = this;
    const { vector } = p;
    this.module.function(`rows_${p.name}`, new Array(9).fill(I32), [], (b) => {
      const [m, n, k, a, rowA, columnA, bFrom, rowB, c] = Array.from({ length: 9 }, (_, i) => b.parameter(i));
      const rowC = b.let(I32, this.bytes(n));
      const row = b.let(I32, a);
      const to = b.let(I32, c);
      this.for(b, m, 1, () => {
        const j = b.let(I32, i32.const(0));
        const columns = (
          vectors: number,
          load: (at: Expression, i: number) => Expression,
          store: (sums: Local[]) => void,
        ): void => {
          const sums = Array.from({ length: vectors }, () => b.let(V128, vector.const(0)));
          const at = b.let(I32, i32.add(bFrom, this.bytes(j.get)));
          const element = b.let(I32, row.get);
          this.for(b, k, 1, () => {
            const value = b.let(V128, p.splat(element.get));
            for (let i = 0; i < vectors; i++) sums[i].set(this.madd(value.get, load(at.get, i), sums[i].get));
            at.set(i32.add(at.get, rowB));
            element.set(i32.add(element.get, columnA));
          });
          store(sums);
        };
        const place = (): Expression => i32.add(to.get, this.bytes(j.get));
        const many = (vectors: number): void => {
          const count = vectors * vector.lanes;
          b.while(i32.ge(i32.sub(n, j.get), i32.const(count)), () => {
            columns(
              vectors,
              (at, i) => v128.load([at], 16 * i),
              (sums) => {
                for (let i = 0; i < vectors; i++) b.do(v128.store([place(), sums[i].get], 16 * i));
              },
            );
            j.set(i32.add(j.get, i32.const(count)));
          });
        };
        many(4);
        many(1);
        b.while(i32.lt(j.get, n), () => {
          columns(
            1,
            (at) => p.splat(at),
            (sums) => b.do(p.storeLane(place(), sums[0].get)),
          );
          j.set(i32.add(j.get, i32.const(1)));
        });
        row.set(i32.add(row.get, rowA));
        to.set(i32.add(to.get, rowC.get));
      });
    });
  }

  /** (m, n, k, A, its row step, B, its column step, C): rows of A and columns of B are contiguous. */
  private dots(): void {
    const { p } = this;
    const { vector } = p;
    const lanes = vector.lanes;
    this.module.function(`dots_${p.name}`, new Array(8).fill(I32), [], (b) => {
      const [m, n, k, a, rowA, bFrom, columnB, c] = Array.from({ length: 8 }, (_, i) => b.parameter(i));
      const row = b.let(I32, a);
      const to = b.let(I32, c);
      const whole = b.let(I32, this.bytes(i32.and(k, i32.const(-lanes))));
      const end = b.let(I32, this.bytes(k));
      this.for(b, m, 1, () => {
        const column = b.let(I32, bFrom);
        this.for(b, n, 1, () => {
          const sum = b.let(V128, vector.const(0));
          const tail = b.let(V128, vector.const(0));
          const at = b.let(I32, i32.const(0));
          b.while(i32.lt(at.get, whole.get), () => {
            sum.set(
              this.madd(v128.load([i32.add(row.get, at.get)]), v128.load([i32.add(column.get, at.get)]), sum.get),
            );
            at.set(i32.add(at.get, i32.const(16)));
          });
          b.while(i32.lt(at.get, end.get), () => {
            tail.set(this.madd(p.splat(i32.add(row.get, at.get)), p.splat(i32.add(column.get, at.get)), tail.get));
            at.set(i32.add(at.get, i32.const(p.bytes)));
          });
          const half = b.let(V128, vector.add(sum.get, v128.shuffle(SWAP_HALVES, sum.get, sum.get)));
          const total =
            lanes === 2 ? half : b.let(V128, vector.add(half.get, v128.shuffle(SWAP_PAIRS, half.get, half.get)));
          b.do(p.storeLane(to.get, vector.add(total.get, tail.get)));
          column.set(i32.add(column.get, columnB));
          to.set(i32.add(to.get, i32.const(p.bytes)));
        });
        row.set(i32.add(row.get, rowA));
      });
    });
  }
}
