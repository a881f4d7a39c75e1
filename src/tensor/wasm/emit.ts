/** Vector code of the elementwise operations. Those not listed run in the reference loops in JavaScript. */
import * as t from '../elementwise/table.ts';
import { Op } from '../node.ts';
import { type Expression, type FunctionBuilder, V128 } from './assembler.ts';
import { type FloatVector, f32x4, f64x2, v128 } from './instructions.ts';
import { type Inlined, inline, sigmoid, softplus } from './unary.ts';

/** (table, places) → the elements of the table at the places. Only plans have it, and only kernels compute it. */
export const PICK = new Op('pick', 'elementwise');

/** A value in a register. Truth values are masks: all bits set, or none. */
export interface Register {
  readonly get: Expression;
  readonly mask: boolean;
  /** The value that this is the negative of, if it is known to be one. */
  readonly negated?: Register;
}

export interface Emitter {
  readonly builder: FunctionBuilder;
  readonly vector: FloatVector;
  /** Calls a function of the mathematical module, by its name without the precision. */
  call(name: string, operand: Expression): Expression;
  /** Functions to be written in place; null where code is to be short. */
  readonly inlined: Inlined | null;
  /** e^−|x| of the values it was needed of so far: functions of a value and of its negative share it. */
  readonly decays: Map<Register, Expression>;
}

type Emit = (e: Emitter, a: Expression, b: Expression, c: Expression) => Expression;

/** As a number: a truth value is 1 or 0. */
export function asNumber(e: Emitter, register: Register): Expression {
  return register.mask ? v128.and(register.get, e.vector.const(1)) : register.get;
}

/** 0 and NaN count as false. */
function asMask({ vector }: Emitter, register: Register): Expression {
  return register.mask ? register.get : vector.gt(vector.abs(register.get), vector.const(0));
}

/** A function of the mathematical module. */
const map =
  (name: string): Emit =>
  (e, a) =>
    e.call(name, a);

/** The same, in place if it may be. */
const mapInline =
  (name: keyof Inlined): Emit =>
  (e, a) =>
    e.inlined === null
      ? e.call(name, a)
      : inline(e.inlined[name], (x) => e.call(name, x))(e.builder, e.builder.let(V128, a));

/** e^−|x|. */
function decayOf(e: Emitter, inlined: Inlined, x: Register): Expression {
  const root = x.negated ?? x;
  let decay = e.decays.get(root);
  if (decay === undefined) {
    const negative = e.builder.let(V128, v128.or(root.get, e.vector.const(-0)));
    decay = e.builder.let(V128, inlined.decay.value(e.builder, negative)).get;
    e.decays.set(root, decay);
  }
  return decay;
}

/** Functions that are made of e^−|x|, given it and how to find log(1 + it). */
const decaying: ReadonlyMap<
  Op,
  (vector: FloatVector, x: Expression, decay: Expression, log1p: () => Expression) => Expression
> = new Map([
  [t.SIGMOID, (vector, x, decay) => sigmoid(vector, x, decay)],
  [t.SOFTPLUS, (vector, x, _decay, log1p) => softplus(vector, x, log1p())],
  [t.LOG_SIGMOID, (vector, x, _decay, log1p) => vector.sub(vector.quickMin(x, vector.const(-0)), log1p())],
]);

/** Whether the operation is made of e^−|x|: kernels compute that once for all such functions of x and of −x. */
export function isMadeOfDecay(op: Op): boolean {
  return decaying.has(op);
}

/** Whether a logarithm of 1 + e^−|x| is part of the operation: added to a number or taken from it. */
export function isFactored(op: Op): 'plus' | 'minus' | null {
  return op === t.SOFTPLUS ? 'plus' : op === t.LOG_SIGMOID ? 'minus' : null;
}

/** The number, and the argument of the logarithm, which is from 1 to 2. */
export function emitFactored(e: Emitter, op: Op, operand: Register): { linear: Register; factor: Expression } {
  const { builder, vector } = e;
  const x: Register = operand.mask ? { get: builder.let(V128, asNumber(e, operand)).get, mask: false } : operand;
  const linear = op === t.SOFTPLUS ? vector.quickMax(x.get, vector.const(0)) : vector.quickMin(x.get, vector.const(-0));
  return {
    linear: { get: builder.let(V128, linear).get, mask: false },
    factor: vector.add(vector.const(1), decayOf(e, e.inlined as Inlined, x)),
  };
}

/** On numbers. All operands are locals, so an expression may name one twice. */
const numeric: ReadonlyMap<Op, Emit> = new Map<Op, Emit>([
  [t.ADD, (e, a, b) => e.vector.add(a, b)],
  [t.SUB, (e, a, b) => e.vector.sub(a, b)],
  [t.MUL, (e, a, b) => e.vector.mul(a, b)],
  [t.DIV, (e, a, b) => e.vector.div(a, b)],
  [t.MIN, (e, a, b) => e.vector.min(a, b)],
  [t.MAX, (e, a, b) => e.vector.max(a, b)],
  [t.WEIGH, (e, a, b) => v128.andNot(e.vector.mul(a, b), e.vector.eq(a, e.vector.const(0)))],
  [t.NEG, (e, a) => v128.xor(a, e.vector.const(-0))],
  [t.ABS, (e, a) => e.vector.abs(a)],
  [
    t.SIGN,
    ({ vector }, a) => {
      const one = vector.const(1);
      const zero = vector.const(0);
      const positive = v128.and(vector.gt(a, zero), one);
      const negative = v128.and(vector.lt(a, zero), one);
      // Zeros, which have a sign, and NaN stay what they are.
      return v128.bitselect(vector.sub(positive, negative), a, v128.or(vector.gt(a, zero), vector.lt(a, zero)));
    },
  ],
  [t.FLOOR, (e, a) => e.vector.floor(a)],
  [t.CEIL, (e, a) => e.vector.ceil(a)],
  [t.TRUNC, (e, a) => e.vector.trunc(a)],
  [
    t.ROUND,
    // Halves go up, as Math.round has it, and the sign stays, also that of zero.
    ({ vector, builder }, a) => {
      const down = builder.let(V128, vector.floor(a));
      const up = vector.ge(vector.sub(a, down.get), vector.const(0.5));
      const rounded = vector.add(down.get, v128.and(up, vector.const(1)));
      return v128.or(rounded, v128.and(a, vector.const(-0)));
    },
  ],
  [t.RECIPROCAL, (e, a) => e.vector.div(e.vector.const(1), a)],
  [t.SQUARE, (e, a) => e.vector.mul(a, a)],
  [t.SQRT, (e, a) => e.vector.sqrt(a)],
  [t.RELU, (e, a) => e.vector.max(a, e.vector.const(0))],
  [t.EXP, mapInline('exp')],
  [t.EXPM1, mapInline('expm1')],
  [t.LOG, mapInline('log')],
  [t.LOG1P, mapInline('log1p')],
  [t.SIN, map('sin')],
  [t.COS, map('cos')],
  [t.TANH, mapInline('tanh')],
  [t.SIGMOID, map('sigmoid')],
  [t.SOFTPLUS, map('softplus')],
  [t.LOG_SIGMOID, (e, a) => e.vector.neg(e.call('softplus', e.vector.neg(a)))],
  [t.TO_F32, (e, a) => (e.vector === f64x2 ? f64x2.promoteLowF32(f32x4.demoteF64Zero(a)) : a)],
  [t.TO_F64, (_e, a) => a],
]);

const FUNCTIONS: ReadonlySet<Op> = new Set([t.EXP, t.EXPM1, t.LOG, t.LOG1P, t.TANH, ...decaying.keys()]);

/** Whether the operation is a function that can be written in place. */
export function callsFunction(op: Op): boolean {
  return FUNCTIONS.has(op);
}

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
    // The same value with either sign: only the sign is selected.
    if (b.negated === a) return hold(v128.xor(a.get, v128.andNot(e.vector.const(-0), asMask(e, condition))), false);
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
  const ofDecay = decaying.get(op);
  if (ofDecay !== undefined && e.inlined !== null) {
    const { inlined, builder } = e;
    const x: Register = operands[0].mask ? { get: a, mask: false } : operands[0];
    const decay = decayOf(e, inlined, x);
    return hold(
      ofDecay(e.vector, a, decay, () => inlined.log1pUpTo1.value(builder, builder.let(V128, decay))),
      false,
    );
  }
  const relation = relations.get(op);
  if (relation !== undefined) return hold(relation(e, a, b ?? NOTHING, NOTHING), true);
  const write = numeric.get(op) as Emit;
  const result = hold(write(e, a, b ?? NOTHING, c ?? NOTHING), false);
  return op === t.NEG && !operands[0].mask ? { ...result, negated: operands[0].negated ?? operands[0] } : result;
}
