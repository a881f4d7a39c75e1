/**
 * Blocks of scalar operations as WebAssembly. The same code in JavaScript keeps every number on the heap until V8 has optimised
 * it, which for long functions takes it a thousand runs; compiled WebAssembly is quick from the first.
 */
import * as t from '../elementwise/table.ts';
import type { Op } from '../node.ts';
import {
  type Expression,
  F64,
  type FunctionBuilder,
  I32,
  type Import,
  type Local,
  ModuleBuilder,
} from '../wasm/assembler.ts';
import { webAssembly } from '../wasm/host.ts';
import { f32, f64, i32, plain } from '../wasm/instructions.ts';
import type { Math64 } from '../wasm/math64.ts';
import type { DeviceMemory } from '../wasm/memory.ts';
import { scalarMath } from '../wasm/scalar-math.ts';
import type { Value } from './program.ts';
import { inPieces, type ScalarCode } from './scalar-code.ts';

/** From this many operations on, a module of their own pays. */
export const WORTH_WASM = 100;

/** Operations per function: longer ones take the compiler too long. */
const MOST_OPERATIONS = 2000;

const number = {
  eq: plain(0x61),
  ne: plain(0x62),
  lt: plain(0x63),
  gt: plain(0x64),
  le: plain(0x65),
  ge: plain(0x66),
  abs: plain(0x99),
  neg: plain(0x9a),
  ceil: plain(0x9b),
  floor: plain(0x9c),
  trunc: plain(0x9d),
  sqrt: plain(0x9f),
  add: plain(0xa0),
  sub: plain(0xa1),
  mul: plain(0xa2),
  div: plain(0xa3),
  min: plain(0xa4),
  max: plain(0xa5),
};
const or = plain(0x72);
/** The first where the third is not 0, else the second. */
const select = plain(0x1b);
const zero = f64.const(0);
const one = f64.const(1);
const truth = (condition: Expression): Expression => f64.convertI32(condition);
/** 0 and NaN count as false. */
const holds = (a: Expression): Expression => number.gt(number.abs(a), zero);

type Emit = (a: Expression, b: Expression, c: Expression) => Expression;

/** Operands are locals or constants, so that an expression may name one twice. */
const instructions: ReadonlyMap<Op, Emit> = new Map<Op, Emit>([
  [t.ADD, (a, b) => number.add(a, b)],
  [t.SUB, (a, b) => number.sub(a, b)],
  [t.MUL, (a, b) => number.mul(a, b)],
  [t.DIV, (a, b) => number.div(a, b)],
  [t.MIN, (a, b) => number.min(a, b)],
  [t.MAX, (a, b) => number.max(a, b)],
  [t.WEIGH, (a, b) => select(zero, number.mul(a, b), number.eq(a, zero))],
  [t.LT, (a, b) => truth(number.lt(a, b))],
  [t.LE, (a, b) => truth(number.le(a, b))],
  [t.GT, (a, b) => truth(number.gt(a, b))],
  [t.GE, (a, b) => truth(number.ge(a, b))],
  [t.EQ, (a, b) => truth(number.eq(a, b))],
  [t.NE, (a, b) => truth(number.ne(a, b))],
  [t.AND, (a, b) => truth(i32.and(holds(a), holds(b)))],
  [t.OR, (a, b) => truth(or(holds(a), holds(b)))],
  [t.NOT, (a) => truth(i32.eqz(holds(a)))],
  [t.SELECT, (a, b, c) => select(b, c, holds(a))],
  [t.NEG, (a) => number.neg(a)],
  [t.ABS, (a) => number.abs(a)],
  [t.FLOOR, (a) => number.floor(a)],
  [t.CEIL, (a) => number.ceil(a)],
  [t.TRUNC, (a) => number.trunc(a)],
  [t.RECIPROCAL, (a) => number.div(one, a)],
  [t.SQUARE, (a) => number.mul(a, a)],
  [t.SQRT, (a) => number.sqrt(a)],
  [t.RELU, (a) => number.max(a, zero)],
  [t.TO_F32, (a) => f64.promote(f32.demote(a))],
  [t.TO_F64, (a) => a],
  [t.EXPAND, (a) => a],
  [t.STOP, (a) => a],
]);

/** Functions there is code for; all others are JavaScript's. */
const functions: ReadonlyMap<Op, Math64> = new Map<Op, Math64>([
  [t.EXP, 'exp'],
  [t.EXPM1, 'expm1'],
  [t.LOG, 'log'],
  [t.LOG1P, 'log1p'],
  [t.TANH, 'tanh'],
  [t.SIGMOID, 'sigmoid'],
  [t.SOFTPLUS, 'softplus'],
  [t.SIN, 'sin'],
  [t.COS, 'cos'],
]);

/** Compiles a block of scalar operations on slots in the given memory; see `compileScalars`. */
export function compileScalarsToWasm(
  memory: DeviceMemory,
  members: readonly Value[],
  slotOf: (value: Value) => number,
  leaves: (value: Value) => boolean,
): ScalarCode[] {
  const imports = new Map<Op, Import>();
  for (const { op, inputs } of members) {
    const called = op === t.LOG_SIGMOID ? t.SOFTPLUS : op;
    if (instructions.has(called) || imports.has(called)) continue;
    imports.set(called, { name: called.name, signature: { parameters: inputs.map(() => F64), results: [F64] } });
  }
  const module = new ModuleBuilder([...imports.values()]);
  const { pieces, leavesPiece } = inPieces(members, MOST_OPERATIONS, leaves);
  pieces.forEach((piece, i) => {
    module.function(`run${i}`, [I32], [], (builder) => void write(module, builder, piece, slotOf, leavesPiece));
  });
  const env: Record<string, unknown> = { memory: memory.memory };
  for (const [op, { name }] of imports) env[name] = op.compute;
  const called = [...functions].filter(([op]) => imports.has(op));
  const math = scalarMath(
    memory,
    called.map(([, name]) => name),
  );
  for (const [op, name] of called) env[op.name] = math.get(name);
  const host = webAssembly as NonNullable<typeof webAssembly>;
  const { exports } = new host.Instance(new host.Module(module.build(memory.shared)), { env });
  return pieces.map((_, i) => {
    const run = exports[`run${i}`];
    return (_slots, address) => void run(address);
  });
}

/** A call of an imported function; log σ(a) is −softplus(−a). */
function calls(module: ModuleBuilder, op: Op): Emit {
  if (op === t.LOG_SIGMOID) return (a) => number.neg(module.callImport(t.SOFTPLUS.name, number.neg(a)));
  return (...operands) => module.callImport(op.name, ...operands.filter((operand) => operand !== undefined));
}

function write(
  module: ModuleBuilder,
  builder: FunctionBuilder,
  members: readonly Value[],
  slotOf: (value: Value) => number,
  leaves: (value: Value) => boolean,
): void {
  const base = builder.parameter(0);
  const locals = new Map<Value, Local>();
  const read = (value: Value): Expression => {
    if (value.source?.kind === 'baked') return f64.const(value.source.data as number);
    let local = locals.get(value);
    if (local === undefined) {
      local = builder.let(F64, f64.load([base], 8 * slotOf(value)));
      locals.set(value, local);
    }
    return local.get;
  };
  for (const value of members) {
    const operands = value.inputs.map(read);
    const [a, b, c] = operands;
    const emit = instructions.get(value.op) ?? calls(module, value.op);
    const result = builder.let(F64, emit(a, b, c));
    locals.set(value, result);
    if (leaves(value)) builder.do(f64.store([base, result.get], 8 * slotOf(value)));
  }
}
