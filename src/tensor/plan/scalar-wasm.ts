/**
 * Blocks of scalar operations as WebAssembly. The same code in JavaScript keeps every number on the heap until V8 has optimised
 * it, which for long functions takes it a thousand runs; compiled WebAssembly is quick from the first.
 */
import * as t from '../elementwise/table.ts';
import type { Op } from '../node.ts';
import {
  type Bytes,
  type Expression,
  F64,
  type FunctionBuilder,
  GET_LOCAL,
  I32,
  type Import,
  ModuleBuilder,
  SET_LOCAL,
} from '../wasm/assembler.ts';
import { type ExportedFunction, formulaModule, webAssembly } from '../wasm/host.ts';
import { f32, f64, i32, plain, select } from '../wasm/instructions.ts';
import type { Math64 } from '../wasm/math64.ts';
import type { DeviceMemory } from '../wasm/memory.ts';
import { type MathFunction, scalarMath } from '../wasm/scalar-math.ts';
import type { Value } from './program.ts';
import { inPieces, type ScalarCode } from './scalar-code.ts';

/** From this many operations on, a module of their own pays. */
export const WORTH_WASM = 100;

/** Operations per function: longer ones take the compiler too long. */
export const MOST_OPERATIONS = 2000;

const MUL = 0xa2;
const NE = 0x62;
const I64_CONST = 0x42;
const I64_SUB = 0x7d;
const I64_AND = 0x83;
const I64_OF_I32 = 0xad;
const BITS_OF_F64 = 0xbd;
const F64_OF_BITS = 0xbf;

const number = {
  eq: plain(0x61),
  ne: plain(NE),
  lt: plain(0x63),
  gt: plain(0x64),
  le: plain(0x65),
  ge: plain(0x66),
  abs: plain(0x99),
  neg: plain(0x9a),
  mul: plain(MUL),
  div: plain(0xa3),
  max: plain(0xa5),
};
const or = plain(0x72);
const zero = f64.const(0);
const one = f64.const(1);
const truth = (condition: Expression): Expression => f64.convertI32(condition);
/** 0 and NaN count as false. */
const holds = (a: Expression): Expression => number.gt(number.abs(a), zero);

/** Operations that are one instruction. Most of a program is: they are written without making expressions first. */
const opcodes: ReadonlyMap<Op, number> = new Map<Op, number>([
  [t.ADD, 0xa0],
  [t.SUB, 0xa1],
  [t.MUL, MUL],
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

/** The same by number of operation. */
const opcodeOf: (number | undefined)[] = [];
for (const [op, opcode] of opcodes) opcodeOf[op.id] = opcode;

type Emit = (a: Expression, b: Expression, c: Expression) => Expression;

/** Operands are locals or constants, so that an expression may name one twice. */
const instructions: ReadonlyMap<Op, Emit> = new Map<Op, Emit>([
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
  for (let i = 0; i < members.length; i++) {
    const { op: given, inputs } = members[i];
    if (opcodeOf[given.id] !== undefined) continue;
    const op = calledFor(given);
    if (instructions.has(op) || op === t.WEIGH) continue;
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

/** Compiles a block of scalar operations; the function takes the address of the slots in the given memory. */
export function compileScalarsToWasm(
  memory: DeviceMemory,
  members: readonly Value[],
  slotOf: (value: Value) => number,
  leaves: (value: Value) => boolean,
): ExportedFunction {
  const called = calledFunctions(memory, members);
  const imports: Import[] = [];
  const env: Record<string, unknown> = { memory: memory.memory };
  for (const [op, { ofOne, arity }] of called) {
    imports.push({ name: op.name, signature: { parameters: new Array(arity).fill(F64), results: [F64] } });
    env[op.name] = ofOne;
  }
  const module = new ModuleBuilder(imports);
  const { pieces, leavesPiece } = inPieces(members, MOST_OPERATIONS, leaves);
  const calls = pieces.map((piece) =>
    module.function(pieces.length === 1 ? 'run' : null, [I32], [], (builder) => {
      new Writer(module, builder, slotOf).write(piece, leavesPiece);
    }),
  );
  if (pieces.length > 1) {
    module.function('run', [I32], [], (builder) => {
      for (const call of calls) builder.do(call(builder.parameter(0)));
    });
  }
  const host = webAssembly as NonNullable<typeof webAssembly>;
  return new host.Instance(formulaModule(module.build(memory.shared)), { env }).exports.run;
}

/** A function as `compileScalarsToWasm` gives it, as code for plans to run. */
export function asCode(run: ExportedFunction): ScalarCode {
  return (_slots, address) => void run(address);
}

/** A call of an imported function; log σ(a) is −softplus(−a). */
function calls(module: ModuleBuilder, op: Op): Emit {
  if (op === t.LOG_SIGMOID) return (a) => number.neg(module.callImport(t.SOFTPLUS.name, number.neg(a)));
  return (...operands) => module.callImport(op.name, ...operands.filter((operand) => operand !== undefined));
}

/** Expressions nested deeper than this are taken apart. */
const MOST_DEPTH = 40;

/**
 * Writes the code of a piece. What is used once becomes part of the expression that uses it; everything else is kept in locals,
 * of which there are fewer so, and less code for the host to compile.
 */
class Writer {
  private readonly base: Expression;
  private readonly code: Bytes;
  /** By the number of a value: its local, where it has one. */
  private locals = new Int32Array(0);
  /** A local that holds 0, once it is needed. */
  private zero: number | null = null;
  /** Whether it is written where it is used. */
  private nested = new Uint8Array(0);

  constructor(
    private readonly module: ModuleBuilder,
    private readonly builder: FunctionBuilder,
    private readonly slotOf: (value: Value) => number,
  ) {
    this.base = builder.parameter(0);
    this.code = builder.code;
  }

  write(members: readonly Value[], leaves: (value: Value) => boolean): void {
    const { base, builder } = this;
    this.locals = new Int32Array(members[members.length - 1].id + 1);
    this.nest(members, leaves);
    for (let i = 0; i < members.length; i++) {
      const value = members[i];
      if (this.nested[value.id] === 1) continue;
      this.compute(value);
      const local = this.keep(value);
      if (leaves(value))
        builder.do(f64.store([base, (code) => code.indexed(GET_LOCAL, local)], 8 * this.slotOf(value)));
    }
  }

  /** Decides what is written where it is used. */
  private nest(members: readonly Value[], leaves: (value: Value) => boolean): void {
    const { length } = this.locals;
    const uses = new Int32Array(length);
    const depths = new Int32Array(length);
    const nested = new Uint8Array(length);
    // What is computed elsewhere is in slots.
    const isMember = new Uint8Array(length);
    for (let i = 0; i < members.length; i++) {
      const { inputs, id } = members[i];
      isMember[id] = 1;
      for (let k = 0; k < inputs.length; k++) uses[inputs[k].id]++;
    }
    for (let i = 0; i < members.length; i++) {
      const { inputs, op, id } = members[i];
      // Operands that are named twice are kept.
      const kept = opcodeOf[op.id] !== undefined ? 0 : op === t.WEIGH ? 1 : instructions.has(op) ? inputs.length : 0;
      let depth = 0;
      for (let k = kept; k < inputs.length; k++) {
        const input = inputs[k];
        if (isMember[input.id] === 0 || uses[input.id] > 1) continue;
        if (depths[input.id] >= MOST_DEPTH || leaves(input)) continue;
        nested[input.id] = 1;
        depth = Math.max(depth, depths[input.id] + 1);
      }
      depths[id] = depth;
    }
    this.nested = nested;
  }

  /** Leaves what is on the stack in a local of the value. */
  private keep({ id }: Value): number {
    const local = this.builder.localNumber(F64);
    this.code.indexed(SET_LOCAL, local);
    this.locals[id] = local;
    return local;
  }

  /** Leaves a value on the stack. */
  private push(value: Value): void {
    const { id, source } = value;
    if (source?.kind === 'baked') this.code.number(source.data as number);
    else if (this.nested[id] === 1) this.compute(value);
    else this.code.indexed(GET_LOCAL, this.locals[id] || this.load(value));
  }

  /** Reads a slot, once. */
  private load(value: Value): number {
    f64.load([this.base], 8 * this.slotOf(value))(this.code);
    return this.keep(value);
  }

  private compute(value: Value): void {
    const { inputs, op } = value;
    if (op === t.WEIGH) {
      this.weigh(inputs[0], inputs[1]);
      return;
    }
    const opcode = opcodeOf[op.id];
    if (opcode !== undefined) {
      for (let i = 0; i < inputs.length; i++) this.push(inputs[i]);
      this.code.byte(opcode);
      return;
    }
    const [a, b, c] = inputs.map(
      (input): Expression =>
        () =>
          this.push(input),
    );
    (instructions.get(op) ?? calls(this.module, op))(a, b, c)(this.code);
  }
  /**
   * A product that is 0 if its first factor is, else itself: its bits, or none of them. Gradients are full of these, and a
   * `select` of numbers would be a branch to the host.
   */
  private weigh(a: Value, b: Value): void {
    const { code } = this;
    this.push(a);
    this.push(b);
    code.byte(MUL);
    code.byte(BITS_OF_F64);
    code.byte(I64_CONST);
    code.byte(0);
    this.push(a);
    // A local that nobody sets is 0.
    this.zero ??= this.builder.localNumber(F64);
    code.indexed(GET_LOCAL, this.zero);
    code.byte(NE);
    code.byte(I64_OF_I32);
    code.byte(I64_SUB);
    code.byte(I64_AND);
    code.byte(F64_OF_BITS);
  }
}
