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
import { type ExportedFunction, webAssembly } from '../wasm/host.ts';
import { f32, f64, i32, plain } from '../wasm/instructions.ts';
import type { Math64 } from '../wasm/math64.ts';
import type { DeviceMemory } from '../wasm/memory.ts';
import { type MathFunction, scalarMath } from '../wasm/scalar-math.ts';
import type { Value } from './program.ts';
import { inPieces, type ScalarCode } from './scalar-code.ts';

export interface WasmScalarCode {
  readonly code: ScalarCode;
  /** The same as a function of WebAssembly that takes the address of the slots, for other modules to call. */
  readonly run: ExportedFunction;
}

/** From this many operations on, a module of their own pays. */
export const WORTH_WASM = 100;

/** Operations per function: longer ones take the compiler too long. */
export const MOST_OPERATIONS = 2000;

const number = {
  eq: plain(0x61),
  ne: plain(0x62),
  lt: plain(0x63),
  gt: plain(0x64),
  le: plain(0x65),
  ge: plain(0x66),
  abs: plain(0x99),
  neg: plain(0x9a),
  mul: plain(0xa2),
  div: plain(0xa3),
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

/** Operations that are one instruction. Most of a program is: they are written without making expressions first. */
const opcodes: ReadonlyMap<Op, number> = new Map<Op, number>([
  [t.ADD, 0xa0],
  [t.SUB, 0xa1],
  [t.MUL, 0xa2],
  [t.DIV, 0xa3],
  [t.MIN, 0xa4],
  [t.MAX, 0xa5],
  [t.NEG, 0x9a],
  [t.ABS, 0x99],
  [t.CEIL, 0x9b],
  [t.FLOOR, 0x9c],
  [t.TRUNC, 0x9d],
  [t.SQRT, 0x9f],
]);

type Emit = (a: Expression, b: Expression, c: Expression) => Expression;

/** Operands are locals or constants, so that an expression may name one twice. */
const instructions: ReadonlyMap<Op, Emit> = new Map<Op, Emit>([
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
  [t.RECIPROCAL, (a) => number.div(one, a)],
  [t.SQUARE, (a) => number.mul(a, a)],
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

/** Functions that the host's WebAssembly calls without a detour through JavaScript, if it is given these very ones. */
const hostFunctions: ReadonlyMap<Op, (x: number) => number> = new Map([
  [t.EXP, Math.exp],
  [t.LOG, Math.log],
  [t.SIN, Math.sin],
  [t.COS, Math.cos],
]);

/** From this many calls on, functions of our own save more time than it takes to make them. */
const WORTH_FUNCTIONS = 20;

/** What an operation that is no instruction calls. */
export interface CalledFunction {
  readonly ofOne: unknown;
  /** The same on two numbers at once, if there is such a function. */
  readonly ofTwo?: unknown;
  readonly arity: number;
}

/** The operation whose function computes another: log σ(a) is −softplus(−a). */
export const calledFor = (op: Op): Op => (op === t.LOG_SIGMOID ? t.SOFTPLUS : op);

/** The functions that operations need which are no instructions. */
export function calledFunctions(memory: DeviceMemory, members: readonly Value[]): Map<Op, CalledFunction> {
  const called = new Map<Op, CalledFunction>();
  let calls = 0;
  for (const { op: given, inputs } of members) {
    const op = calledFor(given);
    if (opcodes.has(op) || instructions.has(op)) continue;
    calls++;
    if (!called.has(op)) called.set(op, { ofOne: hostFunctions.get(op) ?? op.compute, arity: inputs.length });
  }
  const own = [...functions].filter(([op]) => called.has(op) && (calls >= WORTH_FUNCTIONS || !hostFunctions.has(op)));
  const math = scalarMath(
    memory,
    own.map(([, name]) => name),
  );
  for (const [op, name] of own) called.set(op, { ...(math.get(name) as MathFunction), arity: 1 });
  return called;
}

/** Compiles a block of scalar operations on slots in the given memory; see `compileScalars`. */
export function compileScalarsToWasm(
  memory: DeviceMemory,
  members: readonly Value[],
  slotOf: (value: Value) => number,
  leaves: (value: Value) => boolean,
): WasmScalarCode[] {
  const called = calledFunctions(memory, members);
  const imports: Import[] = [];
  const env: Record<string, unknown> = { memory: memory.memory };
  for (const [op, { ofOne, arity }] of called) {
    imports.push({ name: op.name, signature: { parameters: new Array(arity).fill(F64), results: [F64] } });
    env[op.name] = ofOne;
  }
  const module = new ModuleBuilder(imports);
  const { pieces, leavesPiece } = inPieces(members, MOST_OPERATIONS, leaves);
  pieces.forEach((piece, i) => {
    module.function(`run${i}`, [I32], [], (builder) => void write(module, builder, piece, slotOf, leavesPiece));
  });
  const host = webAssembly as NonNullable<typeof webAssembly>;
  const { exports } = new host.Instance(new host.Module(module.build(memory.shared)), { env });
  return pieces.map((_, i) => {
    const run = exports[`run${i}`];
    return { code: (_slots, address) => void run(address), run };
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
  const { code } = builder;
  const write = (value: Value): Local => {
    const { inputs, op } = value;
    const opcode = opcodes.get(op);
    if (opcode === undefined) {
      const [a, b, c] = inputs.map(read);
      return builder.let(F64, (instructions.get(op) ?? calls(module, op))(a, b, c));
    }
    // Loads of slots are statements, which have to come before anything is on the stack.
    for (let i = 0; i < inputs.length; i++) read(inputs[i]);
    for (let i = 0; i < inputs.length; i++) read(inputs[i])(code);
    code.byte(opcode);
    return builder.keep(F64);
  };
  for (const value of members) {
    const result = write(value);
    locals.set(value, result);
    if (leaves(value)) builder.do(f64.store([base, result.get], 8 * slotOf(value)));
  }
}
