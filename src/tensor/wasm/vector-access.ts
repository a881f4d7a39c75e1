/** How kernels read vectors from memory and write them back, in whatever precision and order elements stand there. */
import type { DType } from '../node.ts';
import { type Expression, I32, type Local, V128 } from './assembler.ts';
import { asNumber, type Emitter, type Register } from './emit.ts';
import { f32, f32x4, f64, f64x2, i32, i32x4, v128 } from './instructions.ts';

export class VectorAccess {
  /** Whether the kernel computes in double precision. */
  private readonly wide: boolean;

  constructor(private readonly e: Emitter) {
    this.wide = e.vector === f64x2;
  }

  /**
   * A number that is the same for all. In single precision it is put down at `place` first, and read from there: compilers
   * would move its rounding into loops, where it waits for whatever was in the register before.
   */
  loadScalar(at: Local, place: Expression): Register {
    const { builder } = this.e;
    if (!this.wide) builder.do(f32.store([place, f32.demote(f64.load([at.get]))]));
    const value = this.wide ? v128.load64Splat([at.get]) : v128.load32Splat([place]);
    return { get: builder.let(V128, value).get, mask: false };
  }

  /** One element in every lane. */
  loadOne(address: Expression, dtype: DType): Register {
    return this.loaded(
      this.wide
        ? this.widen(dtype, dtype === 'f64' ? v128.load64Splat([address]) : v128.load32Splat([address]))
        : v128.load32Splat([address]),
      dtype,
    );
  }

  /** `offset`: so many bytes further on. */
  loadMany(address: Expression, dtype: DType, apart = 1, offset = 0): Register {
    if (apart > 1) return this.loadApart(address, dtype, apart);
    const value =
      !this.wide || dtype === 'f64'
        ? v128.load([address], offset)
        : this.widen(dtype, v128.load64Zero([address], offset));
    return this.loaded(value, dtype);
  }

  /** Places in a table, as whole numbers. */
  loadPlaces(address: Expression, step: number): Register {
    const load = step === 1 ? v128.load32Zero : this.wide ? v128.load64Zero : v128.load;
    return { get: this.e.builder.let(V128, load([address])).get, mask: false };
  }

  /** The elements of a table at places. */
  pick(table: Expression, places: Expression, dtype: DType, step: number): Register {
    const { builder, vector } = this.e;
    const double = dtype === 'f64';
    const at = (lane: number): Expression =>
      i32.add(table, i32.shl(i32x4.extract(lane, places), i32.const(double ? 3 : 2)));
    if (step === 1) return this.loadOne(at(0), dtype);
    const held = builder.let(V128, double ? v128.load64Zero([at(0)]) : v128.load32Zero([at(0)]));
    const load = double ? v128.load64Lane : v128.load32Lane;
    for (let lane = 1; lane < vector.lanes; lane++) held.set(load([at(lane), held.get], 0, lane));
    return this.loaded(this.wide ? this.widen(dtype, held.get) : held.get, dtype);
  }

  /** Elements that do not stand side by side, one after the other. */
  private loadApart(given: Expression, dtype: DType, apart: number): Register {
    const { builder, vector } = this.e;
    const address = builder.let(I32, given);
    const double = dtype === 'f64';
    const bytes = (double ? 8 : 4) * apart;
    const held = builder.let(V128, double ? v128.load64Zero([address.get]) : v128.load32Zero([address.get]));
    const load = double ? v128.load64Lane : v128.load32Lane;
    for (let lane = 1; lane < vector.lanes; lane++) held.set(load([address.get, held.get], lane * bytes, lane));
    return this.loaded(this.wide ? this.widen(dtype, held.get) : held.get, dtype);
  }

  private widen(dtype: DType, value: Expression): Expression {
    if (dtype === 'f64') return value;
    return dtype === 'i32' ? f64x2.convertLowI32(value) : f64x2.promoteLowF32(value);
  }

  private loaded(value: Expression, dtype: DType): Register {
    const { builder, vector } = this.e;
    if (dtype !== 'bool') return { get: builder.let(V128, value).get, mask: false };
    return { get: builder.let(V128, vector.ne(value, vector.const(0))).get, mask: true };
  }

  store(address: Expression, register: Register, dtype: DType, step: number, offset = 0): Expression {
    const value = asNumber(this.e, register);
    if (dtype === 'f64')
      return step === 1 ? v128.store64Lane([address, value], offset, 0) : v128.store([address, value], offset);
    const narrow = this.wide ? f32x4.demoteF64Zero(value) : value;
    if (step === 1) return v128.store32Lane([address, narrow], offset, 0);
    return this.wide ? v128.store64Lane([address, narrow], offset, 0) : v128.store([address, narrow], offset);
  }

  /** Stores elements that do not stand side by side. */
  storeApart(given: Expression, register: Register, dtype: DType, step: number, apart: number): void {
    const { builder, vector } = this.e;
    const address = builder.let(I32, given);
    const number = asNumber(this.e, register);
    const double = dtype === 'f64';
    const value = builder.let(V128, !double && this.wide ? f32x4.demoteF64Zero(number) : number);
    const bytes = (double ? 8 : 4) * apart;
    const store = double ? v128.store64Lane : v128.store32Lane;
    for (let lane = 0; lane < Math.min(step, vector.lanes); lane++) {
      builder.do(store([address.get, value.get], lane * bytes, lane));
    }
  }
}
