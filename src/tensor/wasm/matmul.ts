/**
 * Matrix products. Large ones are packed into panels and multiplied in register tiles, in the manner of Goto and van de
 * Geijn ("Anatomy of high-performance matrix multiplication", 2008); small ones are done in place.
 */
import { type Expression, type FunctionBuilder, I32, type Local, ModuleBuilder, V128 } from './assembler.ts';
import { i32, v128 } from './instructions.ts';
import { type Precision, ProductWriter, precisions } from './product-writer.ts';
import { SmallProductWriter } from './small-products.ts';

/**
 * Rows of a register tile, and vectors per row. Of 16 registers, compilers leave 14 or 15 to us, and a sum that does not
 * find one halves the speed: eight sums, two vectors of B, one of A and a product fit everywhere, with and without FMA.
 */
export const TILE_ROWS = 4;
const TILE_VECTORS = 2;
/** Steps along the depth that the inner loop of a tile takes in one go. */
const UNROLLED = 4;
/** Block sizes: a panel of B stays in the first-level cache, a block of A in the second. */
const BLOCK_K = 256;
const BLOCK_M = 120;
const BLOCK_N = 512;

/** Columns of a result up to which A is not packed. */
const NARROW = 64;

/** Bytes the packed product needs besides its operands. */
export const WORK_BYTES = 8 * (BLOCK_K * BLOCK_M + BLOCK_K * (BLOCK_N + 8) + 6 * 8);

type Routine = (...operands: Expression[]) => Expression;

/** A block of a result: its size, where its tiles are, and what they are made of. */
interface Block {
  readonly depth: Local;
  readonly columns: Local;
  readonly rows: Local;
  readonly panelsB: Local;
  readonly at: Local;
  readonly rowC: Expression;
  /** Whether tiles are added to what is there. */
  readonly add: Local;
  /** Memory for a tile over the edge. */
  readonly spare: Local;
}

/** The module with `packed`, `rows` and `dots` in both precisions. */
export function matmulModule(fma: boolean): ModuleBuilder {
  const module = new ModuleBuilder();
  for (const precision of precisions) {
    new PackedProductWriter(module, precision, fma).write();
    new SmallProductWriter(module, precision, fma).write();
  }
  return module;
}

class PackedProductWriter extends ProductWriter {
  private readonly width: number;

  constructor(module: ModuleBuilder, p: Precision, fma: boolean) {
    super(module, p, fma);
    this.width = p.vector.lanes * TILE_VECTORS;
  }

  write(): void {
    const kernels = { columns: this.microKernel('columns'), rows: this.microKernel('rows') };
    this.packed(this.packPanels(TILE_ROWS), this.packPanels(this.width), kernels);
  }

  /**
   * (target, source, count, depth, step along count, step along depth): copies into panels of `panel` elements per
   * depth, the last one filled with zeros. Steps are in bytes.
   */
  private packPanels(panel: number) {
    const { p } = this;
    const vectors = panel / p.vector.lanes;
    return this.module.function(null, [I32, I32, I32, I32, I32, I32], [], (b) => {
      const [target, source, count, depth, across, along] = [0, 1, 2, 3, 4, 5].map((i) => b.parameter(i));
      const to = b.let(I32, target);
      this.for(b, count, panel, (first) => {
        const base = b.let(I32, i32.add(source, i32.mul(first.get, across)));
        const left = b.let(I32, i32.sub(count, first.get));
        const from = b.let(I32, base.get);
        const advance = (): void => {
          to.set(i32.add(to.get, i32.const(panel * p.bytes)));
          from.set(i32.add(from.get, along));
        };
        const whole = i32.ge(left.get, i32.const(panel));
        const contiguous = i32.eq(across, i32.const(p.bytes));
        const oneByOne = (): void =>
          this.for(b, depth, 1, () => {
            const at = b.let(I32, from.get);
            for (let i = 0; i < panel; i++) {
              b.do(p.copyOne(i32.add(to.get, i32.const(i * p.bytes)), at.get));
              at.set(i32.add(at.get, across));
            }
            advance();
          });
        b.if(
          whole,
          () => {
            b.if(
              contiguous,
              () =>
                this.for(b, depth, 1, () => {
                  for (let i = 0; i < vectors; i++) b.do(v128.store([to.get, v128.load([from.get], 16 * i)], 16 * i));
                  advance();
                }),
              oneByOne,
            );
          },
          () =>
            this.for(b, depth, 1, () => {
              for (let i = 0; i < panel; i++) {
                const place = i32.add(to.get, i32.const(i * p.bytes));
                b.if(
                  i32.gt(left.get, i32.const(i)),
                  () => b.do(p.copyOne(place, i32.add(from.get, i32.mul(i32.const(i), across)))),
                  () => b.do(p.zero(place)),
                );
              }
              advance();
            }),
        );
      });
    });
  }

  /**
   * (depth, A, bytes that lie between what it reads of A, panel of B, tile of C, bytes per row of C, whether to add to it). Of A the
   * elements of a step along the depth lie side by side, and the bytes are those between steps (`columns`: panels, and transposed
   * matrices where they are); or each row of the tile does, and the bytes are those between rows (`rows`).
   */
  private microKernel(layout: 'columns' | 'rows'): Routine {
    const { p } = this;
    const { vector } = p;
    return this.module.function(null, [I32, I32, I32, I32, I32, I32, I32], [], (b) => {
      const [depth, fromA, apart, panelB, c, row, add] = [0, 1, 2, 3, 4, 5, 6].map((i) => b.parameter(i));
      const sums = Array.from({ length: TILE_ROWS * TILE_VECTORS }, () => b.let(V128, vector.const(0)));
      const rows = [b.let(I32, fromA)];
      for (let i = 1; layout === 'rows' && i < TILE_ROWS; i++) rows.push(b.let(I32, i32.add(rows[i - 1].get, apart)));
      const bAt = b.let(I32, panelB);
      const step = (k: number): void => {
        const columns = Array.from({ length: TILE_VECTORS }, (_, j) =>
          b.let(V128, v128.load([bAt.get], (k * TILE_VECTORS + j) * 16)),
        );
        for (let i = 0; i < TILE_ROWS; i++) {
          const from = layout === 'rows' ? p.splat(rows[i].get, k * p.bytes) : p.splat(rows[0].get, i * p.bytes);
          const element = b.let(V128, from);
          for (let j = 0; j < TILE_VECTORS; j++) {
            const sum = sums[i * TILE_VECTORS + j];
            sum.set(this.madd(element.get, columns[j].get, sum.get));
          }
        }
        if (layout === 'columns') rows[0].set(i32.add(rows[0].get, apart));
      };
      const left = b.let(I32, depth);
      // A branch after each step keeps the steps apart: older compilers would first load the operands of all of them.
      const steps = (k: number): void => {
        step(k);
        if (k + 1 < UNROLLED) {
          b.if(
            i32.gt(left.get, i32.const(k + 1)),
            () => steps(k + 1),
            () => left.set(i32.const(0)),
          );
          return;
        }
        if (layout === 'rows') for (const at of rows) at.set(i32.add(at.get, i32.const(UNROLLED * p.bytes)));
        bAt.set(i32.add(bAt.get, i32.const(UNROLLED * TILE_VECTORS * 16)));
        left.set(i32.sub(left.get, i32.const(UNROLLED)));
      };
      b.while(i32.gt(left.get, i32.const(0)), () => steps(0));
      const to = b.let(I32, c);
      const store = (combine: (sum: Expression, offset: number) => Expression): void => {
        for (let i = 0; i < TILE_ROWS; i++) {
          for (let j = 0; j < TILE_VECTORS; j++) {
            b.do(v128.store([to.get, combine(sums[i * TILE_VECTORS + j].get, 16 * j)], 16 * j));
          }
          to.set(i32.add(to.get, row));
        }
      };
      b.if(
        add,
        () => store((sum, offset) => vector.add(v128.load([to.get], offset), sum)),
        () => store((sum) => sum),
      );
    });
  }

  /**
   * (m, n, k, A, its row and column steps, B, its row and column steps, C, its row step, work memory); in bytes. Where C is narrow, an
   * element of A is used too seldom for a copy of it to pay: A is then read where it is, but for rows that do not fill a tile. One of its
   * steps is a single element.
   */
  private packed(packA: Routine, packB: Routine, micro: Readonly<Record<'columns' | 'rows', Routine>>): void {
    const { p } = this;
    this.module.function(`packed_${p.name}`, new Array(12).fill(I32), [], (b) => {
      const [m, n, k, a, rowA, columnA, bFrom, rowB, columnB, c, rowC, work] = Array.from({ length: 12 }, (_, i) =>
        b.parameter(i),
      );
      const workB = b.let(I32, i32.add(work, i32.const(8 * BLOCK_K * BLOCK_M)));
      const spare = b.let(I32, i32.add(workB.get, i32.const(8 * BLOCK_K * (BLOCK_N + 8))));
      const isNarrow = b.let(I32, i32.le(n, i32.const(NARROW)));
      const panelStep = i32.const(TILE_ROWS * p.bytes);
      this.for(b, k, BLOCK_K, (pc) => {
        const depth = this.least(b, i32.sub(k, pc.get), BLOCK_K);
        const add = b.let(I32, i32.gt(pc.get, i32.const(0)));
        this.for(b, n, BLOCK_N, (jc) => {
          const columns = this.least(b, i32.sub(n, jc.get), BLOCK_N);
          const blockB = i32.add(bFrom, i32.add(i32.mul(pc.get, rowB), i32.mul(jc.get, columnB)));
          b.do(packB(workB.get, blockB, columns.get, depth.get, columnB, rowB));
          const ic = b.let(I32, i32.const(0));
          b.while(i32.lt(ic.get, m), () => {
            const rows = this.least(b, i32.sub(m, ic.get), BLOCK_M);
            const at = b.let(I32, i32.add(c, i32.add(i32.mul(ic.get, rowC), this.bytes(jc.get))));
            const blockA = b.let(I32, i32.add(a, i32.add(i32.mul(ic.get, rowA), i32.mul(pc.get, columnA))));
            const block: Block = { depth, columns, rows, panelsB: workB, at, rowC, add, spare };
            b.if(
              i32.and(isNarrow.get, i32.ge(rows.get, i32.const(TILE_ROWS))),
              () => {
                rows.set(i32.and(rows.get, i32.const(-TILE_ROWS)));
                b.if(
                  i32.eq(columnA, i32.const(p.bytes)),
                  () => this.tiles(b, block, micro.rows, blockA.get, rowA, i32.mul(rowA, i32.const(TILE_ROWS))),
                  () => this.tiles(b, block, micro.columns, blockA.get, columnA, panelStep),
                );
              },
              () => {
                b.do(packA(work, blockA.get, rows.get, depth.get, rowA, columnA));
                this.tiles(b, block, micro.columns, work, panelStep, i32.mul(depth.get, panelStep));
              },
            );
            ic.set(i32.add(ic.get, rows.get));
          });
        });
      });
    });
  }

  /** Tile by tile: those of a panel of B one after the other. Steps of A are those that the kernel takes, and from tile to tile. */
  private tiles(
    b: FunctionBuilder,
    block: Block,
    micro: Routine,
    fromA: Expression,
    stepA: Expression,
    tileA: Expression,
  ): void {
    const { p, width } = this;
    const { depth, columns, rows, panelsB, at, rowC, add, spare } = block;
    const panelB = b.let(I32, panelsB.get);
    this.for(b, columns.get, width, (jr) => {
      const panelA = b.let(I32, fromA);
      const wide = b.let(I32, i32.sub(columns.get, jr.get));
      this.for(b, rows.get, TILE_ROWS, (ir) => {
        const tall = b.let(I32, i32.sub(rows.get, ir.get));
        const place = b.let(I32, i32.add(at.get, i32.add(i32.mul(ir.get, rowC), this.bytes(jr.get))));
        b.if(
          i32.and(i32.ge(tall.get, i32.const(TILE_ROWS)), i32.ge(wide.get, i32.const(width))),
          () => b.do(micro(depth.get, panelA.get, stepA, panelB.get, place.get, rowC, add.get)),
          () => {
            // A tile over the edge is computed aside, and the part inside copied.
            const aside = i32.const(width * p.bytes);
            b.do(micro(depth.get, panelA.get, stepA, panelB.get, spare.get, aside, i32.const(0)));
            const from = b.let(I32, spare.get);
            const rest = this.least(b, tall.get, TILE_ROWS);
            const across = this.least(b, wide.get, width);
            this.for(b, rest.get, 1, () => {
              this.copyPart(b, place, from, across, add);
              place.set(i32.add(place.get, rowC));
              from.set(i32.add(from.get, aside));
            });
          },
        );
        panelA.set(i32.add(panelA.get, tileA));
      });
      panelB.set(i32.add(panelB.get, i32.mul(depth.get, i32.const(width * p.bytes))));
    });
  }

  /** The first elements of a row, vectors first. */
  private copyPart(b: FunctionBuilder, to: Local, from: Local, across: Local, add: Local): void {
    const { p } = this;
    const { lanes } = p.vector;
    const j = b.let(I32, i32.const(0));
    const at = (base: Local): Expression => i32.add(base.get, this.bytes(j.get));
    const copy = (count: number, plain: () => Expression, sum: () => Expression): void => {
      b.while(i32.ge(i32.sub(across.get, j.get), i32.const(count)), () => {
        b.if(
          add.get,
          () => b.do(sum()),
          () => b.do(plain()),
        );
        j.set(i32.add(j.get, i32.const(count)));
      });
    };
    const vectorAt = (base: Local): Expression => v128.load([at(base)]);
    copy(
      lanes,
      () => v128.store([at(to), vectorAt(from)]),
      () => v128.store([at(to), p.vector.add(vectorAt(to), vectorAt(from))]),
    );
    copy(
      1,
      () => p.copyOne(at(to), at(from)),
      () => p.addOne(at(to), at(from)),
    );
  }
}
