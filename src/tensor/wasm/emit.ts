/** Vector code of the elementwise operations. Those not listed run in the reference loops of the host. */
import * as t from '../elementwise/table.ts';
import type { Op } from '../node.ts';
import { type Expression, type FunctionBuilder, V128 } from './assembler.ts';
import { type FloatVector, f32x4, f64x2, v128 } from './instructions.ts';

/** A value in a register. Truth values are masks: all bits set, or none. */
export interface Register {
  readonly get: Expression;
  readonly mask: boolean;
}

export interface Emitter {
  readonly builder: FunctionBuilder;
  readonly vector: FloatVector;
  /** Calls a function of the mathematical module, by its name without the precision. */
  call(name: string, operand: Expression): Expression;
}

type Emit = (e: Emitter, a: Expression, b: Expression, c: Expression) => Expression;

/** As a number: a truth value is 1 or 0. */
export function asNumber(e: Emitter, register: Register): Expression {
  return register.mask ? v128.and(register.get, e.vector.const(1)) : register.get;
}

/** 0 and NaN count as false. */
export function asMask({ vector }: Emitter, register: Register): Expression {
  return register.mask ? register.get : vector.gt(vector.abs(register.get), vector.const(0));
}

const map =
  (name: string): Emit =>
  (e, a) =>
    e.call(name, a);

/** On numbers. All operands are locals, so an expression may name one twice. */
const numeric: ReadonlyMap<Op, Emit> = new Map<Op, Emit>([
  [t.ADD, (e, a, b) => e.vector.add(a, b)],
  [t.SUB, (e, a, b) => e.vector.sub(a, b)],
  [t.MUL, (e, a, b) => e.vector.mul(a, b)],
  [t.DIV, (e, a, b) => e.vector.div(a, b)],
  [t.MIN, (e, a, b) => e.vector.min(a, b)],
  [t.MAX, (e, a, b) => e.vector.max(a, b)],
  [t.WEIGH, (e, a, b) => v128.andNot(e.vector.mul(a, b), e.vector.eq(a, e.vector.const(0)))],
  [t.NEG, (e, a) => e.vector.neg(a)],
  [t.ABS, (e, a) => e.vector.abs(a)],
  [
    t.SIGN,
    ({ vector }, a) => {
      const one = vector.const(1);
      const zero = vector.const(0);
      const positive = v128.and(vector.gt(a, zero), one);
      const negative = v128.and(vector.lt(a, zero), one);
      return v128.bitselect(vector.sub(positive, negative), a, vector.eq(a, a));
    },
  ],
  [t.FLOOR, (e, a) => e.vector.floor(a)],
  [t.CEIL, (e, a) => e.vector.ceil(a)],
  [t.TRUNC, (e, a) => e.vector.trunc(a)],
  [
    t.ROUND,
    // Halves go up, as Math.round has it.
    ({ vector, builder }, a) => {
      const down = builder.let(V128, vector.floor(a));
      const up = vector.ge(vector.sub(a, down.get), vector.const(0.5));
      return vector.add(down.get, v128.and(up, vector.const(1)));
    },
  ],
  [t.RECIPROCAL, (e, a) => e.vector.div(e.vector.const(1), a)],
  [t.SQUARE, (e, a) => e.vector.mul(a, a)],
  [t.SQRT, (e, a) => e.vector.sqrt(a)],
  [t.RELU, (e, a) => e.vector.max(a, e.vector.const(0))],
  [t.EXP, map('exp')],
  [t.EXPM1, map('expm1')],
  [t.LOG, map('log')],
  [t.LOG1P, map('log1p')],
  [t.SIN, map('sin')],
  [t.COS, map('cos')],
  [t.TANH, map('tanh')],
  [t.SIGMOID, map('sigmoid')],
  [t.SOFTPLUS, map('softplus')],
  [t.LOG_SIGMOID, (e, a) => e.vector.neg(e.call('softplus', e.vector.neg(a)))],
  [t.TO_F32, (e, a) => (e.vector === f64x2 ? f64x2.promoteLowF32(f32x4.demoteF64Zero(a)) : a)],
  [t.TO_F64, (_e, a) => a],
]);

/** From numbers to masks. */
const relations: ReadonlyMap<Op, Emit> = new Map<Op, Emit>([
  [t.LT, (e, a, b) => e.vector.lt(a, b)],
  [t.LE, (e, a, b) => e.vector.le(a, b)],
  [t.GT, (e, a, b) => e.vector.gt(a, b)],
  [t.GE, (e, a, b) => e.vector.ge(a, b)],
  [t.EQ, (e, a, b) => e.vector.eq(a, b)],
  [t.NE, (e, a, b) => e.vector.ne(a, b)],
]);

/** From masks to masks. */
const logical: ReadonlyMap<Op, Emit> = new Map<Op, Emit>([
  [t.AND, (_e, a, b) => v128.and(a, b)],
  [t.OR, (_e, a, b) => v128.or(a, b)],
  [t.NOT, (_e, a) => v128.not(a)],
]);

const copies: ReadonlySet<Op> = new Set([t.EXPAND, t.STOP]);

export function hasVectorCode(op: Op): boolean {
  return numeric.has(op) || relations.has(op) || logical.has(op) || copies.has(op) || op === t.SELECT;
}

const NOTHING: Expression = () => {};

/** Writes the code of one operation; gives the register its value is in. */
export function emit(e: Emitter, op: Op, operands: readonly Register[]): Register {
  if (copies.has(op)) return operands[0];
  const hold = (value: Expression, mask: boolean): Register => ({ get: e.builder.let(V128, value).get, mask });
  if (op === t.SELECT) {
    const [condition, a, b] = operands;
    const mask = a.mask && b.mask;
    const side = (register: Register): Expression => (mask ? register.get : asNumber(e, register));
    return hold(v128.bitselect(side(a), side(b), asMask(e, condition)), mask);
  }
  const onMasks = logical.get(op);
  if (onMasks !== undefined) {
    const [a, b] = operands.map((register) => asMask(e, register));
    return hold(onMasks(e, a, b ?? NOTHING, NOTHING), true);
  }
  const [a, b, c] = operands.map((register) =>
    register.mask ? e.builder.let(V128, asNumber(e, register)).get : register.get,
  );
  const relation = relations.get(op);
  if (relation !== undefined) return hold(relation(e, a, b ?? NOTHING, NOTHING), true);
  const write = numeric.get(op) as Emit;
  return hold(write(e, a, b ?? NOTHING, c ?? NOTHING), false);
}
