/**
 * Blocks of scalar operations on two points at once: each value is a vector of two numbers. Each lane holds, to the last bit,
 * what `scalar-wasm.ts` computes for its point alone.
 */
import type { Op } from '../node.ts';
import {
  type Expression,
  F64,
  type FunctionBuilder,
  I32,
  type Import,
  ModuleBuilder,
  V128,
} from '../wasm/assembler.ts';
import { asNumber, type Emitter, emit, type Register } from '../wasm/emit.ts';
import { f64x2, v128 } from '../wasm/instructions.ts';
import type { DeviceMemory } from '../wasm/memory.ts';
import type { Value } from './program.ts';
import { inPieces } from './scalar-code.ts';
import { calledFunctions, MOST_OPERATIONS } from './scalar-wasm.ts';
import { calledFor } from './scalar-writer.ts';

/** Bytes of a slot. */
export const PAIR = 16;

/** Code for a block, as a piece of a module that the caller finishes. */
export interface PairedCode {
  readonly module: ModuleBuilder;
  /** What the module imports. */
  readonly env: Record<string, unknown>;
  /** Compute the block in slots at an address, one after the other. */
  readonly calls: readonly ((address: Expression) => Expression)[];
}

/** Writes the code of a block. `slotOf` gives the slot of values that cross its border. */
export function writePairedScalars(
  memory: DeviceMemory,
  members: readonly Value[],
  slotOf: (value: Value) => number,
  leaves: (value: Value) => boolean,
): PairedCode {
  const called = calledFunctions(memory, members);
  const imports: Import[] = [];
  const env: Record<string, unknown> = { memory: memory.memory };
  const oneByOne = new Set<Op>();
  for (const [op, { ofOne, ofTwo, arity }] of called) {
    const type = ofTwo === undefined ? F64 : V128;
    imports.push({ name: op.name, signature: { parameters: new Array(arity).fill(type), results: [type] } });
    env[op.name] = ofTwo ?? ofOne;
    if (ofTwo === undefined) oneByOne.add(op);
  }
  const module = new ModuleBuilder(imports);
  const { pieces, leavesPiece } = inPieces(members, MOST_OPERATIONS, leaves);
  const calls = pieces.map((piece) =>
    module.function(null, [I32], [], (builder) => {
      new Writer(module, builder, slotOf, oneByOne).write(piece, leavesPiece);
    }),
  );
  return { module, env, calls };
}

class Writer {
  private readonly base: Expression;
  private readonly registers = new Map<Value, Register>();
  private readonly emitter: Emitter;

  constructor(
    private readonly module: ModuleBuilder,
    private readonly builder: FunctionBuilder,
    private readonly slotOf: (value: Value) => number,
    /** Operations whose function takes one number at a time. */
    private readonly oneByOne: ReadonlySet<Op>,
  ) {
    this.base = builder.parameter(0);
    const call = (name: string, operand: Expression): Expression => module.callImport(name, operand);
    this.emitter = { builder, vector: f64x2, call, inlined: null, decays: new Map() };
  }

  write(members: readonly Value[], leaves: (value: Value) => boolean): void {
    const { builder, base, emitter, registers } = this;
    for (const value of members) {
      const { op, inputs } = value;
      const operands = inputs.map((input) => this.read(input));
      const result = this.oneByOne.has(calledFor(op)) ? this.callEach(op, operands) : emit(emitter, op, operands);
      registers.set(value, result);
      if (leaves(value)) builder.do(v128.store([base, asNumber(emitter, result)], PAIR * this.slotOf(value)));
    }
  }

  private read(value: Value): Register {
    let register = this.registers.get(value);
    if (register === undefined) {
      const { builder, base } = this;
      const get =
        value.source?.kind === 'baked'
          ? f64x2.const(value.source.data as number)
          : builder.let(V128, v128.load([base], PAIR * this.slotOf(value))).get;
      register = { get, mask: false };
      this.registers.set(value, register);
    }
    return register;
  }

  private callEach(op: Op, operands: readonly Register[]): Register {
    const { builder, emitter } = this;
    const numbers = operands.map((register) => builder.let(V128, asNumber(emitter, register)).get);
    const each = (lane: number): Expression =>
      this.module.callImport(op.name, ...numbers.map((number) => f64x2.extract(lane, number)));
    return { get: builder.let(V128, f64x2.replace(1, f64x2.splat(each(0)), each(1))).get, mask: false };
  }
}
