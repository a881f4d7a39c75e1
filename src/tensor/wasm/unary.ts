/**
 * How kernels compute elementary functions: most arguments take a few instructions, and the others have code of their own.
 */
import { type Expression, type FunctionBuilder, type Local, V128 } from './assembler.ts';
import { type FloatVector, i32, i32x4, v128 } from './instructions.ts';

export type Call = (x: Expression) => Expression;
export type Write = (b: FunctionBuilder, x: Local) => Expression;

export interface Elementary {
  /** The value, for the arguments that `suits` says, or for all. */
  readonly value: Write;
  /** Where `value` is right: a mask. */
  readonly suits?: Write;
}

/** Writes the function where it is used; `rest` computes it for arguments that the quick way does not suit. */
export function inline({ value, suits }: Elementary, rest: Call): Write {
  return (b, x) => {
    const result = b.let(V128, value(b, x));
    if (suits !== undefined) {
      const right = b.let(V128, suits(b, x));
      // The rest only where it has to be: what one lane holds must not depend on the others.
      b.if(i32.ne(i32x4.bitmask(right.get), i32.const(0b1111)), () =>
        result.set(v128.bitselect(result.get, rest(x.get), right.get)),
      );
    }
    return result.get;
  };
}

/** 1 / (1 + e⁻ˣ), with all digits where it is tiny; `decay` is e^−|x|. */
export function sigmoid(vector: FloatVector, x: Expression, decay: Expression): Expression {
  const one = vector.const(1);
  return vector.div(v128.bitselect(decay, one, vector.lt(x, vector.const(0))), vector.add(one, decay));
}

/** log(1 + eˣ), given log(1 + e^−|x|). */
export function softplus(vector: FloatVector, x: Expression, log1pDecay: Expression): Expression {
  return vector.add(log1pDecay, vector.quickMax(x, vector.const(0)));
}

/** The names under which kernels find functions to write in place; `decay` is eˣ for x ≤ 0. */
export type Inlined = Readonly<Record<'exp' | 'decay' | 'expm1' | 'log' | 'log1p' | 'log1pUpTo1' | 'tanh', Elementary>>;
