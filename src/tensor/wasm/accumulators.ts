/** How kernels add up, multiply or compare what they compute along a row, or along all of them. */
import { type Expression, type Local, V128 } from './assembler.ts';
import { type Emitter, isFactored } from './emit.ts';
import type { Extent, FusedSpec, ReductionKind } from './fused.ts';
import { type FloatVector, f32, f32x4, f64, f64x2, v128 } from './instructions.ts';
import { inlined32 } from './math32.ts';

/** Where something is in memory, and how far the next row is. */
export interface Pointer {
  readonly at: Local;
  readonly step: Local;
}

interface Accumulator {
  /** One for each of the vectors that are computed side by side. */
  readonly near: readonly Local[];
  readonly far: Local;
  /** For a sum of logarithms: the product whose logarithm it is. */
  readonly product: Local | null;
}

export function combine(vector: FloatVector, kind: ReductionKind, a: Expression, c: Expression): Expression {
  if (kind === 'sum') return vector.add(a, c);
  if (kind === 'prod') return vector.mul(a, c);
  return kind === 'max' ? vector.max(a, c) : vector.min(a, c);
}

export class Accumulators {
  private readonly wide: boolean;
  private readonly held = new Map<number, Accumulator>();
  /**
   * For each reduction, the value that is summed if that is a softplus with no other use, else −1. Its sum is one
   * of numbers and of logarithms, and the latter the logarithm of a product: one for each block of vectors.
   */
  readonly factored: readonly number[];

  constructor(
    private readonly spec: FusedSpec,
    private readonly e: Emitter,
    private readonly copies: number,
  ) {
    this.wide = spec.compute === 'f64';
    this.factored = spec.reductions.map((reduction) => (this.isFactored(reduction) ? reduction.ref : -1));
  }

  /** In single precision alone, where the product has as many digits as the sum would. */
  private isFactored({ kind, extent, ref }: FusedSpec['reductions'][number]): boolean {
    const { body, operands, outputs, reductions } = this.spec;
    if (this.wide || this.e.inlined === null || this.copies > 1 || kind !== 'sum' || extent === 'outer') return false;
    if (ref < operands.length || !isFactored(body[ref - operands.length].op)) return false;
    const uses =
      body.filter(({ args }) => args.includes(ref)).length +
      outputs.filter((output) => output.ref === ref).length +
      reductions.filter((reduction) => reduction.ref === ref).length;
    return uses === 1;
  }

  start(extent: Extent): void {
    const { builder, vector } = this.e;
    this.spec.reductions.forEach(({ kind, extent: own }, i) => {
      if (own !== extent) return;
      const start = { sum: 0, prod: 1, max: -Infinity, min: Infinity }[kind];
      const near = Array.from({ length: this.copies }, () => builder.let(V128, vector.const(start)));
      // Totals of single-precision sums are kept in double precision.
      const far = builder.let(V128, kind === 'sum' ? f64x2.const(0) : vector.const(start));
      const product = this.factored[i] < 0 ? null : builder.let(V128, vector.const(1));
      this.held.set(i, { near, far, product });
    });
  }

  /** Adds `value` to the i-th reduction, or compares it; in single steps, at the end of a row, only the first lane counts. */
  add(i: number, value: Expression, step: number, copy: number): void {
    const { kind } = this.spec.reductions[i];
    const near = (this.held.get(i) as Accumulator).near[copy];
    near.set(combine(this.e.vector, kind, near.get, step === 1 ? this.onlyFirst(kind, value) : value));
  }

  private onlyFirst(kind: ReductionKind, value: Expression): Expression {
    const first = this.wide ? firstLane64 : firstLane32;
    if (kind === 'sum') return v128.and(value, first);
    return kind === 'prod' ? v128.bitselect(value, this.e.vector.const(1), first) : value;
  }

  /** Multiplies the product of the i-th reduction, a sum of logarithms, by a factor. */
  multiply(i: number, factor: Expression): void {
    const product = (this.held.get(i) as Accumulator).product as Local;
    product.set(this.e.vector.mul(product.get, factor));
  }

  /** Adds block sums to the totals. */
  fold(): void {
    const { builder, vector } = this.e;
    this.spec.reductions.forEach(({ kind, extent, ref }, i) => {
      if (kind !== 'sum' || extent === 'outer') return;
      const { near: all, far, product } = this.held.get(i) as Accumulator;
      if (product !== null) {
        const { op } = this.spec.body[ref - this.spec.operands.length];
        const logarithm = inlined32.log.value(builder, product);
        all[0].set(isFactored(op) === 'minus' ? vector.sub(all[0].get, logarithm) : vector.add(all[0].get, logarithm));
        product.set(vector.const(1));
      }
      for (const near of all) {
        if (this.wide) {
          far.set(f64x2.add(far.get, near.get));
        } else {
          const high = v128.shuffle(SWAP_HALVES, near.get, near.get);
          far.set(f64x2.add(far.get, f64x2.add(f64x2.promoteLowF32(near.get), f64x2.promoteLowF32(high))));
        }
        near.set(vector.const(0));
      }
    });
  }

  finish(extent: Extent, pointers: readonly Pointer[]): void {
    const { builder: b, vector } = this.e;
    this.spec.reductions.forEach((reduction, i) => {
      if (reduction.extent !== extent) return;
      const {
        near: [near],
        far,
      } = this.held.get(i) as Accumulator;
      const { at } = pointers[i];
      const { kind, dtype } = reduction;
      if (kind === 'sum') {
        const total = f64.add(f64x2.extract(0, far.get), f64x2.extract(1, far.get));
        b.do(dtype === 'f64' ? f64.store([at.get, total]) : f32.store([at.get, f32.demote(total)]));
        return;
      }
      const half = b.let(V128, combine(vector, kind, near.get, v128.shuffle(SWAP_HALVES, near.get, near.get)));
      const best = this.wide
        ? half
        : b.let(V128, combine(vector, kind, half.get, v128.shuffle(SWAP_PAIRS, half.get, half.get)));
      if (this.wide) {
        const value = f64x2.extract(0, best.get);
        b.do(dtype === 'f64' ? f64.store([at.get, value]) : f32.store([at.get, f32.demote(value)]));
      } else {
        const value = f32x4.extract(0, best.get);
        b.do(dtype === 'f64' ? f64.store([at.get, f64.promote(value)]) : f32.store([at.get, value]));
      }
    });
  }
}

const SWAP_HALVES = [8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7];
const SWAP_PAIRS = [4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11];

const firstLane64: Expression = (code) => writeMask(code, 8);
const firstLane32: Expression = (code) => writeMask(code, 4);

function writeMask(code: Parameters<Expression>[0], bytes: number): void {
  code.byte(0xfd);
  code.unsigned(12);
  for (let i = 0; i < 16; i++) code.byte(i < bytes ? 0xff : 0);
}
