/** Scores, as kernels compute them: to the last bit what the families' own definitions do. */
import { HALF_LOG_2PI } from '../../tensor/constants.ts';
import type { Expression, FunctionBuilder, ValueType } from '../../tensor/wasm/assembler.ts';
import type { f64, f64x2 } from '../../tensor/wasm/instructions.ts';

/** Of a finite number, or two, by a Gaussian. */
export function gaussianScore(
  b: FunctionBuilder,
  f: typeof f64 | typeof f64x2,
  type: ValueType,
  x: Expression,
  mu: Expression,
  sigma: Expression,
  logSigma: Expression,
): Expression {
  const z = b.let(type, f.div(f.sub(x, mu), sigma));
  const square = f.mul(f.mul(f.const(-0.5), z.get), z.get);
  return f.sub(f.sub(square, logSigma), f.const(HALF_LOG_2PI));
}
