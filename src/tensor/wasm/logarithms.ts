/** log and log(1 + x) for all arguments, from the logarithm of normal numbers: alike in single and double precision. */
import { type Expression, type FunctionBuilder, type Local, V128 } from './assembler.ts';
import { type FloatVector, v128 } from './instructions.ts';
import type { Elementary, Write } from './unary.ts';

interface Precision {
  readonly leastNormal: number;
  /** A power of two that makes subnormal numbers normal; `ofNormal` takes its logarithm away again. */
  readonly scale: number;
  /** For x below this, log(1 + x) is x itself. */
  readonly least: number;
  /** log x for finite x > 0 that are normal numbers, plus a small correction added before rounding; `tiny` says which were scaled. */
  ofNormal(b: FunctionBuilder, x: Local, correction: Expression | null, tiny: Local | null): Local;
}

/** The functions that hold everywhere, and those that kernels write in place. */
interface Logarithms {
  readonly anyLog: Write;
  readonly anyLog1p: Write;
  readonly log: Elementary;
  readonly log1p: Elementary;
}

export function logarithms(f: FloatVector, { leastNormal, scale, least, ofNormal }: Precision): Logarithms {
  /** log x for finite x > 0, subnormal numbers included. */
  function ofPositive(b: FunctionBuilder, x: Local, correction: Expression | null): Local {
    const tiny = b.let(V128, f.lt(x.get, f.const(leastNormal)));
    const normal = b.let(V128, v128.bitselect(f.mul(x.get, f.const(scale)), x.get, tiny.get));
    return ofNormal(b, normal, correction, tiny);
  }

  /** log's values outside (0, ∞): −∞ at 0, NaN below and at NaN, ∞ at ∞. */
  function special(b: FunctionBuilder, u: Expression, ordinary: Local): Expression {
    const first = b.let(V128, v128.bitselect(f.const(Infinity), ordinary.get, f.eq(u, f.const(Infinity))));
    const second = b.let(V128, v128.bitselect(f.const(-Infinity), first.get, f.eq(u, f.const(0))));
    return v128.bitselect(second.get, f.const(Number.NaN), f.ge(u, f.const(0)));
  }

  /** 1 + x, and what rounding it lost, to first order. */
  function onePlus(b: FunctionBuilder, x: Local): { u: Local; exact: Local } {
    const u = b.let(V128, f.add(f.const(1), x.get));
    const lost = b.let(V128, f.sub(x.get, f.sub(u.get, f.const(1))));
    return { u, exact: b.let(V128, f.div(lost.get, u.get)) };
  }

  return {
    anyLog: (b, x) => special(b, x.get, ofPositive(b, x, null)),
    anyLog1p(b, x) {
      const { u, exact } = onePlus(b, x);
      const found = b.let(V128, special(b, u.get, ofPositive(b, u, exact.get)));
      return v128.bitselect(x.get, found.get, f.lt(f.abs(x.get), f.const(least)));
    },
    log: {
      value: (b, x) => ofNormal(b, x, null, null).get,
      suits: (_b, x) => v128.and(f.ge(x.get, f.const(leastNormal)), f.lt(x.get, f.const(Infinity))),
    },
    log1p: {
      value(b, x) {
        const { u, exact } = onePlus(b, x);
        return ofNormal(b, u, exact.get, null).get;
      },
      suits: (_b, x) => v128.and(f.gt(x.get, f.const(-1)), f.lt(x.get, f.const(Infinity))),
    },
  };
}
