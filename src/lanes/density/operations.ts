/**
 * What a recorded density is made of: operations on numbers, each as JavaScript computes it and as WebAssembly does, which
 * is the same to the last bit. Truth values are 0 and 1.
 */
import type { Expression } from '../../tensor/wasm/assembler.ts';
import { f64 as basic, i32, plain, select } from '../../tensor/wasm/instructions.ts';

/** An operation on up to three numbers. */
export interface Operation {
  compute(a: number, b: number, c: number): number;
  /** Leaves its value on the stack. */
  write(a: Expression, b: Expression, c: Expression): Expression;
}

const f64 = {
  ...basic,
  sub: plain(0xa1),
  div: plain(0xa3),
  neg: plain(0x9a),
  abs: plain(0x99),
  sqrt: plain(0x9f),
  floor: plain(0x9c),
  ceil: plain(0x9b),
  trunc: plain(0x9d),
  min: plain(0xa4),
  max: plain(0xa5),
};
const reinterpreted = plain(0xbd);
const sameBits = plain(0x51);

const truth = (condition: Expression): Expression => f64.convertI32(condition);
const isNot0 = (x: Expression): Expression => i32.eqz(f64.eq(x, f64.const(0)));
const compared = (holds: boolean): number => (holds ? 1 : 0);

function operation(compute: Operation['compute'], write: Operation['write']): Operation {
  return { compute, write };
}

export const operations = {
  add: operation((a, b) => a + b, (a, b) => f64.add(a, b)), // biome-ignore format: one row each
  sub: operation((a, b) => a - b, (a, b) => f64.sub(a, b)), // biome-ignore format: one row each
  mul: operation((a, b) => a * b, (a, b) => f64.mul(a, b)), // biome-ignore format: one row each
  div: operation((a, b) => a / b, (a, b) => f64.div(a, b)), // biome-ignore format: one row each
  neg: operation((a) => -a, (a) => f64.neg(a)), // biome-ignore format: one row each
  abs: operation(Math.abs, (a) => f64.abs(a)),
  sqrt: operation(Math.sqrt, (a) => f64.sqrt(a)),
  floor: operation(Math.floor, (a) => f64.floor(a)),
  ceil: operation(Math.ceil, (a) => f64.ceil(a)),
  trunc: operation(Math.trunc, (a) => f64.trunc(a)),
  min: operation((a, b) => Math.min(a, b), (a, b) => f64.min(a, b)), // biome-ignore format: one row each
  max: operation((a, b) => Math.max(a, b), (a, b) => f64.max(a, b)), // biome-ignore format: one row each
  lt: operation((a, b) => compared(a < b), (a, b) => truth(f64.lt(a, b))), // biome-ignore format: one row each
  le: operation((a, b) => compared(a <= b), (a, b) => truth(f64.le(a, b))), // biome-ignore format: one row each
  gt: operation((a, b) => compared(a > b), (a, b) => truth(f64.gt(a, b))), // biome-ignore format: one row each
  ge: operation((a, b) => compared(a >= b), (a, b) => truth(f64.ge(a, b))), // biome-ignore format: one row each
  eq: operation((a, b) => compared(a === b), (a, b) => truth(f64.eq(a, b))), // biome-ignore format: one row each
  /** Of truth values. */
  not: operation((a) => compared(a === 0), (a) => truth(f64.eq(a, f64.const(0)))), // biome-ignore format: one row each
  /** Neither 0 nor NaN. */
  truthy: operation(
    (a) => compared(a < 0 || a > 0),
    (a) => truth(f64.gt(f64.abs(a), f64.const(0))),
  ),
  finite: operation(
    (a) => compared(Number.isFinite(a)),
    (a) => truth(f64.lt(f64.abs(a), f64.const(Infinity))),
  ),
  /** Whether they are the same number, of which there are two zeros. */
  same: operation(
    (a, b) => compared(Object.is(a, b)),
    (a, b) => truth(sameBits(reinterpreted(a), reinterpreted(b))),
  ),
  /** The second if the first is true, else the third. */
  select: operation(
    (a, b, c) => (a !== 0 ? b : c),
    (a, b, c) => select(b, c, isNot0(a)),
  ),
} satisfies Record<string, Operation>;
