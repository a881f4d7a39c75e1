/**
 * Writes numbers that are computed from each other as WebAssembly: plans of scalars (`scalar-wasm.ts`) and recordings on a tape
 * (`lanes/density/module.ts`). What is used once becomes part of the expression that uses it; everything else is kept in locals, of
 * which there are fewer so, and less code for V8 to compile. Two points at a time are vectors, and are written by what writes
 * kernels (`paired-scalars.ts`).
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
  SET_LOCAL,
} from '../wasm/assembler.ts';
import { f32, f64 } from '../wasm/instructions.ts';

/** An operation as the writer sees it: one that is no instruction is an import of this name. */
export type ScalarOp = Pick<Op, 'id' | 'name'>;

/** A number, by its place among those that are computed. */
export interface ScalarValue<V> {
  readonly id: number;
  readonly op: ScalarOp;
  readonly inputs: readonly V[];
  /** Of numbers that are not computed. */
  readonly source: { readonly kind: 'input' } | { readonly kind: 'baked'; readonly data: unknown } | null;
}

const MUL = 0xa2;
const NE = 0x62;
const GT = 0x64;
const ABS = 0x99;
const NEG = 0x9a;
const SELECT = 0x1b;
const I32_EQZ = 0x45;
const I32_AND = 0x71;
const I32_OR = 0x72;
const F64_OF_I32 = 0xb7;
const I64_CONST = 0x42;
const I64_SUB = 0x7d;
const I64_AND = 0x83;
const I64_OF_I32 = 0xad;
const BITS_OF_F64 = 0xbd;
const F64_OF_BITS = 0xbf;

/** Operations that are one instruction, by number of operation. */
const opcodeOf: (number | undefined)[] = [];
for (const [op, opcode] of [
  [t.ADD, 0xa0],
  [t.SUB, 0xa1],
  [t.MUL, MUL],
  [t.DIV, 0xa3],
  [t.MIN, 0xa4],
  [t.MAX, 0xa5],
  [t.NEG, NEG],
  [t.ABS, ABS],
  [t.CEIL, 0x9b],
  [t.FLOOR, 0x9c],
  [t.TRUNC, 0x9d],
  [t.SQRT, 0x9f],
] as const) {
  opcodeOf[op.id] = opcode;
}

/** The same for those that give a truth value. */
const relationOf: (number | undefined)[] = [];
for (const [op, opcode] of [
  [t.EQ, 0x61],
  [t.NE, NE],
  [t.LT, 0x63],
  [t.GT, GT],
  [t.LE, 0x65],
  [t.GE, 0x66],
] as const) {
  relationOf[op.id] = opcode;
}

const isDecision = (op: ScalarOp): boolean =>
  relationOf[op.id] !== undefined || op === t.AND || op === t.OR || op === t.NOT;

/** Operations of a few instructions. */
const composed: ReadonlyMap<ScalarOp, (a: Expression) => Expression> = new Map([
  [t.RECIPROCAL, (a: Expression) => f64.div(f64.const(1), a)],
  [t.SQUARE, (a: Expression) => f64.mul(a, a)],
  [t.RELU, (a: Expression) => f64.max(a, f64.const(0))],
  [t.TO_F32, (a: Expression) => f64.promote(f32.demote(a))],
  [t.TO_F64, (a: Expression) => a],
  [t.EXPAND, (a: Expression) => a],
  [t.STOP, (a: Expression) => a],
]);

/** Whether an operation is written as instructions; any other is a call. */
export function isWritten(op: ScalarOp): boolean {
  if (opcodeOf[op.id] !== undefined) return true;
  return isDecision(op) || op === t.SELECT || op === t.WEIGH || composed.has(op);
}

/** The operation whose function computes another: log σ(a) is −softplus(−a). */
export const calledFor = <O extends ScalarOp>(op: O): O | Op => (op === (t.LOG_SIGMOID as ScalarOp) ? t.SOFTPLUS : op);

/** Expressions nested deeper than this are taken apart. */
const MOST_DEPTH = 40;

/** Where numbers are read and left: by their slot, at the address that the function is given first. */
interface Slotted<V> {
  slotOf(value: V): number;
  /** The address of inputs, if it is another. */
  readonly inputs?: Expression;
}

export class ScalarWriter<V extends ScalarValue<V>> {
  private readonly base: Expression;
  private readonly code: Bytes;
  /** By the number of a value: its local, where it has one. */
  private locals = new Int32Array(0);
  /** A local that holds 0, once it is needed. */
  private zero: number | null = null;
  /** By the number of a value: whether it is written where it is used. */
  private nested = new Uint8Array(0);
  /** Whether the local is an integer. */
  private decided = new Uint8Array(0);

  constructor(
    private readonly builder: FunctionBuilder,
    private readonly slots: Slotted<V>,
    /** A call of the import with this name, its operands on the stack. */
    private readonly call: (name: string) => Expression,
  ) {
    this.base = builder.parameter(0);
    this.code = builder.code;
  }

  /** Computes the members, in order; `leave` is called for those that are needed outside. */
  write(
    members: readonly V[],
    wanted: (value: V) => boolean,
    leave: (value: V) => void = (value) => this.store(value, this.slots.slotOf(value)),
  ): void {
    if (members.length === 0) return;
    this.locals = new Int32Array(members[members.length - 1].id + 1);
    this.decided = new Uint8Array(this.locals.length);
    this.nest(members, wanted);
    for (let i = 0; i < members.length; i++) {
      const value = members[i];
      if (this.nested[value.id] === 1) continue;
      if (isDecision(value.op)) {
        this.decide(value);
        this.keep(value, I32);
        this.decided[value.id] = 1;
      } else {
        this.compute(value);
        this.keep(value, F64);
      }
      if (wanted(value)) leave(value);
    }
  }

  /** Leaves a value in a slot. */
  store(value: V, slot: number): void {
    this.builder.do(f64.store([this.base, () => this.push(value)], 8 * slot));
  }

  /** Decides which values are written where they are used. */
  private nest(members: readonly V[], wanted: (value: V) => boolean): void {
    const { length } = this.locals;
    const uses = new Int32Array(length);
    const depths = new Int32Array(length);
    const nested = new Uint8Array(length);
    // Values that other functions compute are in slots.
    const isMember = new Uint8Array(length);
    for (let i = 0; i < members.length; i++) {
      const { inputs, id } = members[i];
      isMember[id] = 1;
      for (let k = 0; k < inputs.length; k++) uses[inputs[k].id]++;
    }
    for (let i = 0; i < members.length; i++) {
      const { inputs, op, id } = members[i];
      // Operands that an expression names twice are kept in locals.
      const kept = op === t.WEIGH || op === t.SQUARE ? 1 : 0;
      let depth = 0;
      for (let k = kept; k < inputs.length; k++) {
        const input = inputs[k];
        if (isMember[input.id] === 0 || uses[input.id] > 1) continue;
        if (depths[input.id] >= MOST_DEPTH || wanted(input)) continue;
        nested[input.id] = 1;
        depth = Math.max(depth, depths[input.id] + 1);
      }
      depths[id] = depth;
    }
    this.nested = nested;
  }

  /** Leaves what is on the stack in a local of the value. */
  private keep({ id }: V, type: typeof F64 | typeof I32): number {
    const local = this.builder.localNumber(type);
    this.code.indexed(SET_LOCAL, local);
    this.locals[id] = local;
    return local;
  }

  /** Leaves a value on the stack. */
  private push(value: V): void {
    const { id, source } = value;
    if (source?.kind === 'baked') this.code.number(source.data as number);
    else if (this.nested[id] === 1) this.compute(value);
    else this.code.indexed(GET_LOCAL, this.locals[id] || this.load(value));
    if (this.decided[id] === 1) this.code.byte(F64_OF_I32);
  }

  /** Reads a slot, once. */
  private load(value: V): number {
    const { inputs = this.base } = this.slots;
    const from = value.source?.kind === 'input' ? inputs : this.base;
    f64.load([from], 8 * this.slots.slotOf(value))(this.code);
    return this.keep(value, F64);
  }

  private compute(value: V): void {
    const { inputs, op } = value;
    const { code } = this;
    const opcode = opcodeOf[op.id];
    if (opcode !== undefined) {
      for (let i = 0; i < inputs.length; i++) this.push(inputs[i]);
      code.byte(opcode);
    } else if (op === t.WEIGH) this.weigh(inputs[0], inputs[1]);
    else if (op === t.SELECT) {
      this.push(inputs[1]);
      this.push(inputs[2]);
      this.condition(inputs[0]);
      code.byte(SELECT);
    } else if (isDecision(op)) {
      this.decide(value);
      code.byte(F64_OF_I32);
    } else this.callOrCompose(value);
  }

  private callOrCompose({ op, inputs }: V): void {
    const { code } = this;
    const written = composed.get(op);
    if (written !== undefined) {
      written(() => this.push(inputs[0]))(code);
      return;
    }
    const negated = calledFor(op) !== op;
    for (const input of inputs) this.push(input);
    if (negated) code.byte(NEG);
    this.call(calledFor(op).name)(code);
    if (negated) code.byte(NEG);
  }

  /** Leaves on the stack whether a value holds, as an integer: 0 and NaN count as false. */
  private condition(value: V): void {
    if (this.decided[value.id] === 1) {
      this.code.indexed(GET_LOCAL, this.locals[value.id]);
      return;
    }
    if (this.nested[value.id] === 1 && isDecision(value.op)) {
      this.decide(value);
      return;
    }
    this.push(value);
    this.code.byte(ABS);
    this.code.number(0);
    this.code.byte(GT);
  }

  /** The same for a truth value that is computed here. */
  private decide({ op, inputs }: V): void {
    const { code } = this;
    const relation = relationOf[op.id];
    if (relation !== undefined) {
      this.push(inputs[0]);
      this.push(inputs[1]);
      code.byte(relation);
      return;
    }
    for (const input of inputs) this.condition(input);
    code.byte(op === t.AND ? I32_AND : op === t.OR ? I32_OR : I32_EQZ);
  }

  /**
   * A product that is 0 if its first factor is, else itself: its bits, or none of them. Gradients are full of these, and a
   * `select` of numbers would be a branch to V8.
   */
  private weigh(a: V, b: V): void {
    const { code } = this;
    this.push(a);
    this.push(b);
    code.byte(MUL);
    code.byte(BITS_OF_F64);
    code.byte(I64_CONST);
    code.byte(0);
    this.push(a);
    // A local that is never set is 0.
    this.zero ??= this.builder.localNumber(F64);
    code.indexed(GET_LOCAL, this.zero);
    code.byte(NE);
    code.byte(I64_OF_I32);
    code.byte(I64_SUB);
    code.byte(I64_AND);
    code.byte(F64_OF_BITS);
  }
}
