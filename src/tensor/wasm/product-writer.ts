/** What writers of matrix products share: the two precisions, and loops in bytes. */
import { type Expression, type FunctionBuilder, I32, type Local, type ModuleBuilder } from './assembler.ts';
import { type FloatVector, f32, f32x4, f64, f64x2, i32, v128 } from './instructions.ts';

export interface Precision {
  readonly name: string;
  readonly vector: FloatVector;
  /** Bytes per element, and their logarithm. */
  readonly bytes: number;
  readonly shift: number;
  readonly splat: (address: Expression, offset?: number) => Expression;
  readonly copyOne: (to: Expression, from: Expression) => Expression;
  readonly addOne: (to: Expression, from: Expression) => Expression;
  readonly storeLane: (address: Expression, value: Expression) => Expression;
  readonly zero: (to: Expression) => Expression;
}

export const precisions: readonly Precision[] = [
  {
    name: 'f64',
    vector: f64x2,
    bytes: 8,
    shift: 3,
    splat: (address, offset = 0) => v128.load64Splat([address], offset),
    copyOne: (to, from) => f64.store([to, f64.load([from])]),
    addOne: (to, from) => f64.store([to, f64.add(f64.load([to]), f64.load([from]))]),
    storeLane: (address, value) => v128.store64Lane([address, value], 0, 0),
    zero: (to) => f64.store([to, f64.const(0)]),
  },
  {
    name: 'f32',
    vector: f32x4,
    bytes: 4,
    shift: 2,
    splat: (address, offset = 0) => v128.load32Splat([address], offset),
    copyOne: (to, from) => f32.store([to, f32.load([from])]),
    addOne: (to, from) => f32.store([to, f32.add(f32.load([to]), f32.load([from]))]),
    storeLane: (address, value) => v128.store32Lane([address, value], 0, 0),
    zero: (to) => i32.store([to, i32.const(0)]),
  },
];

export class ProductWriter {
  constructor(
    protected readonly module: ModuleBuilder,
    protected readonly p: Precision,
    private readonly fma: boolean,
  ) {}

  protected madd(a: Expression, b: Expression, sum: Expression): Expression {
    const { vector } = this.p;
    return this.fma ? vector.relaxedMadd(a, b, sum) : vector.add(sum, vector.mul(a, b));
  }

  protected bytes(count: Expression): Expression {
    return i32.shl(count, i32.const(this.p.shift));
  }

  /** for (let index = 0; index < limit; index += step). */
  protected for(b: FunctionBuilder, limit: Expression, step: number, body: (index: Local) => void): void {
    const index = b.let(I32, i32.const(0));
    b.while(i32.lt(index.get, limit), () => {
      body(index);
      index.set(i32.add(index.get, i32.const(step)));
    });
  }

  protected least(b: FunctionBuilder, a: Expression, limit: number): Local {
    const out = b.let(I32, a);
    b.if(i32.gt(out.get, i32.const(limit)), () => out.set(i32.const(limit)));
    return out;
  }
}
