/**
 * Plans of scalars as WebAssembly. The same code in JavaScript keeps every number on the heap until V8 has optimised
 * it, which for long functions takes it a thousand runs; compiled WebAssembly is quick from the first.
 */
import * as t from '../elementwise/table.ts';
import type { Op } from '../node.ts';
import {
  type Expression,
  F64,
  type FunctionBuilder,
  type Import,
  type Local,
  ModuleBuilder,
} from '../wasm/assembler.ts';
import { type ExportedFunction, webAssembly } from '../wasm/host.ts';
import { f32, f64, i32, plain } from '../wasm/instructions.ts';
import { DeviceMemory } from '../wasm/memory.ts';
import type { Program, Value } from './program.ts';

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
const holds = (a: Expression): Expression => number.ne(a, zero);

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
  [t.NOT, (a) => truth(number.eq(a, zero))],
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

/** Functions that the engine knows by themselves and calls directly. */
const natives = new Map<Op, (x: number) => number>([
  [t.EXP, Math.exp],
  [t.LOG, Math.log],
  [t.SIN, Math.sin],
  [t.COS, Math.cos],
  [t.TAN, Math.tan],
  [t.ASIN, Math.asin],
  [t.ACOS, Math.acos],
  [t.ATAN, Math.atan],
]);

let memory: DeviceMemory | null = null;

const blocks = new FinalizationRegistry<{ at: number; bytes: number }>(({ at, bytes }) => memory?.release(at, bytes));

/** A compiled plan: inputs are written to and outputs read from consecutive places of a memory. */
export class ScalarModule {
  private readonly memory: DeviceMemory;
  private readonly chunks: readonly ExportedFunction[];
  private readonly first: number;

  private constructor(
    program: Program,
    private readonly inputCount: number,
  ) {
    memory ??= new DeviceMemory();
    this.memory = memory;
    const writer = new Writer(program, inputCount);
    const bytes = 8 * writer.slots;
    const at = memory.allocate(bytes);
    blocks.register(this, { at, bytes });
    this.first = at / 8;
    this.chunks = writer.instantiate(memory, at);
  }

  /** Null where the host has no WebAssembly. */
  static compile(program: Program, inputCount: number): ScalarModule | null {
    return webAssembly === undefined ? null : new ScalarModule(program, inputCount);
  }

  run(inputs: readonly unknown[], out: number[]): void {
    const { memory, first, inputCount, chunks } = this;
    const numbers = memory.f64;
    for (let i = 0; i < inputCount; i++) numbers[first + i] = inputs[i] as number;
    for (let i = 0; i < chunks.length; i++) chunks[i]();
    const from = first + inputCount;
    for (let i = 0; i < out.length; i++) out[i] = numbers[from + i];
  }
}

/** Inputs, then outputs, then values that a later function needs, each in its slot. */
class Writer {
  slots: number;
  private readonly operations: readonly Value[];
  private readonly slotOf = new Map<Value, number>();
  private readonly imports = new Map<Op, Import>();

  constructor(
    private readonly program: Program,
    inputCount: number,
  ) {
    const { values, outputs } = program;
    this.slots = inputCount + outputs.length;
    this.operations = values.filter((value) => value.source === null);
    for (const value of values) if (value.source?.kind === 'input') this.slotOf.set(value, value.source.index);
    const chunkOf = new Map<Value, number>();
    this.operations.forEach((value, i) => {
      chunkOf.set(value, Math.floor(i / MOST_OPERATIONS));
      if (!instructions.has(value.op)) this.import(value);
      for (const input of value.inputs) {
        if (input.source === null && chunkOf.get(input) !== chunkOf.get(value)) this.share(input);
      }
    });
    // Outputs may be inputs or constants, so that all of them are copied at the end, by the last function.
    for (const value of outputs) {
      if (value.source === null && chunkOf.get(value) !== this.lastChunk) this.share(value);
    }
    this.firstOutput = inputCount;
  }

  private readonly firstOutput: number;

  private get lastChunk(): number {
    return Math.max(0, Math.ceil(this.operations.length / MOST_OPERATIONS) - 1);
  }

  private share(value: Value): void {
    if (!this.slotOf.has(value)) this.slotOf.set(value, this.slots++);
  }

  private import({ op, inputs }: Value): void {
    if (this.imports.has(op)) return;
    this.imports.set(op, { name: op.name, signature: { parameters: inputs.map(() => F64), results: [F64] } });
  }

  instantiate(memory: DeviceMemory, at: number): ExportedFunction[] {
    const module = new ModuleBuilder([...this.imports.values()]);
    const names: string[] = [];
    for (let chunk = 0; chunk <= this.lastChunk; chunk++) {
      names.push(`run${chunk}`);
      module.function(`run${chunk}`, [], [], (builder) => void this.writeChunk(module, builder, chunk, at));
    }
    const env: Record<string, unknown> = { memory: memory.memory };
    for (const [op, { name }] of this.imports) env[name] = natives.get(op) ?? op.compute;
    const host = webAssembly as NonNullable<typeof webAssembly>;
    const { exports } = new host.Instance(new host.Module(module.build()), { env });
    return names.map((name) => exports[name]);
  }

  private writeChunk(module: ModuleBuilder, builder: FunctionBuilder, chunk: number, at: number): void {
    const locals = new Map<Value, Local>();
    const slot = (k: number): number => at + 8 * k;
    const read = (value: Value): Expression => {
      if (value.source?.kind === 'baked') return f64.const(value.source.data as number);
      let local = locals.get(value);
      if (local === undefined) {
        local = builder.let(F64, f64.load([i32.const(0)], slot(this.slotOf.get(value) as number)));
        locals.set(value, local);
      }
      return local.get;
    };
    const store = (k: number, value: Expression): void => builder.do(f64.store([i32.const(0), value], slot(k)));
    const from = chunk * MOST_OPERATIONS;
    for (const value of this.operations.slice(from, from + MOST_OPERATIONS)) {
      const operands = value.inputs.map(read);
      const emit = instructions.get(value.op);
      const [a, b, c] = operands;
      const result = emit === undefined ? module.callImport(value.op.name, ...operands) : emit(a, b, c);
      locals.set(value, builder.let(F64, result));
      const shared = this.slotOf.get(value);
      if (shared !== undefined) store(shared, read(value));
    }
    if (chunk !== this.lastChunk) return;
    this.program.outputs.forEach((value, i) => void store(this.firstOutput + i, read(value)));
  }
}
