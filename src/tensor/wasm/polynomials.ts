/** Polynomials in vector code. */
import { type Expression, type FunctionBuilder, type Local, V128 } from './assembler.ts';
import type { FloatVector } from './instructions.ts';

/** c₀ + c₁ x + c₂ x² + … */
export function horner(vector: FloatVector, x: Expression, coefficients: readonly number[]): Expression {
  let sum = vector.const(coefficients[coefficients.length - 1]);
  for (let i = coefficients.length - 2; i >= 0; i--) {
    sum = vector.add(vector.const(coefficients[i]), vector.mul(x, sum));
  }
  return sum;
}

/** The same with even and odd powers apart: two polynomials of half the length, which the processor computes side by side. */
export function evenOdd(
  f: FunctionBuilder,
  vector: FloatVector,
  x: Local,
  coefficients: readonly number[],
): Expression {
  const square = f.let(V128, vector.mul(x.get, x.get));
  const even = coefficients.filter((_, i) => i % 2 === 0);
  const odd = coefficients.filter((_, i) => i % 2 === 1);
  return vector.add(horner(vector, square.get, even), vector.mul(x.get, horner(vector, square.get, odd)));
}
