/**
 * log Γ and its derivative for positive arguments, two float64 at once: the argument is raised to 8 or more by the
 * recurrence, where Stirling's series (DLMF 5.11.1, 5.11.2) is exact to rounding. Errors are some 1e-15 of the larger of 1
 * and the value; the host's functions take over for arguments that are not positive.
 */
import { type Expression, F64, type FunctionBuilder, type Local, ModuleBuilder, V128 } from './assembler.ts';
import { f64x2 as f, f32x4, i32, i64x2, v128 } from './instructions.ts';
import { horner } from './polynomials.ts';

const FROM = 8;
const HALF_LOG_2PI = 0.5 * Math.log(2 * Math.PI);

/** B₂ₙ / (2n (2n − 1)): coefficients of y¹⁻²ⁿ in log Γ. */
const STIRLING = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156];
/** B₂ₙ / 2n: coefficients of y⁻²ⁿ in its derivative. */
const STIRLING_SLOPE = [1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12];

type Call = (x: Expression) => Expression;
type Write = (b: FunctionBuilder, x: Local, log: Call) => Expression;

/** Raises y to 8 or more; `visit` sees each factor, with the mask of the lanes it applies to. */
function raise(b: FunctionBuilder, y: Local, visit: (factor: Expression, mask: Local) => void): void {
  for (let i = 0; i < FROM; i++) {
    const low = b.let(V128, f.lt(y.get, f.const(FROM)));
    visit(y.get, low);
    y.set(f.add(y.get, v128.and(low.get, f.const(1))));
  }
}

const lgamma: Write = (b, x, log) => {
  const y = b.let(V128, x.get);
  const product = b.let(V128, f.const(1));
  raise(b, y, (factor, mask) => {
    product.set(f.mul(product.get, v128.bitselect(factor, f.const(1), mask.get)));
  });
  const inverse = b.let(V128, f.div(f.const(1), y.get));
  const square = b.let(V128, f.mul(inverse.get, inverse.get));
  const series = f.mul(inverse.get, horner(f, square.get, STIRLING));
  const main = f.sub(f.mul(f.sub(y.get, f.const(0.5)), log(y.get)), y.get);
  return f.sub(f.add(main, f.add(series, f.const(HALF_LOG_2PI))), log(product.get));
};

const digamma: Write = (b, x, log) => {
  const y = b.let(V128, x.get);
  // Σ 1 / (x + i) as one fraction.
  const top = b.let(V128, f.const(0));
  const bottom = b.let(V128, f.const(1));
  raise(b, y, (factor, mask) => {
    const sum = b.let(V128, f.add(f.mul(top.get, factor), bottom.get));
    top.set(v128.bitselect(sum.get, top.get, mask.get));
    bottom.set(f.mul(bottom.get, v128.bitselect(factor, f.const(1), mask.get)));
  });
  const inverse = b.let(V128, f.div(f.const(1), y.get));
  const square = b.let(V128, f.mul(inverse.get, inverse.get));
  const series = f.mul(square.get, horner(f, square.get, STIRLING_SLOPE));
  const main = f.sub(log(y.get), f.mul(f.const(0.5), inverse.get));
  return f.sub(f.sub(main, series), f.div(top.get, bottom.get));
};

/** Exports lgamma64, lgamma32, digamma64 and digamma32; imports log64 and the functions of one number. */
export function gammaModule(): Uint8Array<ArrayBuffer> {
  const oneNumber = { parameters: [F64], results: [F64] } as const;
  const module = new ModuleBuilder([
    { name: 'log64', signature: { parameters: [V128], results: [V128] } },
    { name: 'lgamma', signature: oneNumber },
    { name: 'digamma', signature: oneNumber },
  ]);
  const log: Call = (x) => module.callImport('log64', x);
  for (const [name, write] of Object.entries({ lgamma, digamma })) {
    const double = module.function(`${name}64`, [V128], [V128], (b) => {
      const x = b.let(V128, b.parameter(0));
      const value = b.let(V128, write(b, x, log));
      const ordinary = v128.and(f.gt(x.get, f.const(1e-300)), f.lt(x.get, f.const(1e300)));
      b.if(i32.eqz(i64x2.allTrue(ordinary)), () => {
        const each = (lane: number): Expression => f.splat(module.callImport(name, f.extract(lane, x.get)));
        value.set(v128.shuffle([0, 1, 2, 3, 4, 5, 6, 7, 24, 25, 26, 27, 28, 29, 30, 31], each(0), each(1)));
      });
      b.do(value.get);
    });
    module.function(`${name}32`, [V128], [V128], (b) => {
      const x = b.parameter(0);
      const high = v128.shuffle([8, 9, 10, 11, 12, 13, 14, 15, 0, 0, 0, 0, 0, 0, 0, 0], x, x);
      const half = (lanes: Expression): Expression => f32x4.demoteF64Zero(double(f.promoteLowF32(lanes)));
      b.do(v128.shuffle([0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23], half(x), half(high)));
    });
  }
  return module.build();
}
