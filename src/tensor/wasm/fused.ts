/**
 * Fused kernels: one pass over memory for a whole group of elementwise operations and the reductions that follow them.
 * A kernel is generated once per structure. It takes the address of a table: [outer, inner, then address and distance
 * in bytes between rows for each operand, output and reduction].
 */
import type { DType, Op } from '../node.ts';
import { Accumulators, combine, type Pointer } from './accumulators.ts';
import { type Constants, type Expression, FunctionBuilder, I32, type Local, ModuleBuilder, V128 } from './assembler.ts';
import { asNumber, callsFunction, type Emitter, emit, emitFactored, PICK, type Register } from './emit.ts';
import { f32x4, f64x2, i32, loadConstant } from './instructions.ts';
import { inlined32 } from './math32.ts';
import { inlined64 } from './math64.ts';
import { VectorAccess } from './vector-access.ts';

/**
 * How often an operand changes: never, with the row, or with every element; or a table, and the places in it that are read,
 * which change with every element.
 */
export type Access = 'scalar' | 'row' | 'each' | 'table' | 'places';
/** What a reduction sums over: everything, each row, or each column. */
export type Extent = 'all' | 'inner' | 'outer';
export type ReductionKind = 'sum' | 'prod' | 'max' | 'min';

/** Numbers in `operands`, `ref` and `args` count operands first, then the operations of the body. */
export interface FusedSpec {
  readonly compute: 'f64' | 'f32';
  /** Whether rows always consist of whole vectors: nothing is written for what would be left over. */
  readonly whole: boolean;
  /** `apart`: how many elements from one to the next, of an operand that changes with every element. */
  readonly operands: readonly { readonly dtype: DType; readonly access: Access; readonly apart: number }[];
  readonly body: readonly { readonly op: Op; readonly args: readonly number[] }[];
  readonly outputs: readonly { readonly ref: number; readonly dtype: DType; readonly apart: number }[];
  readonly reductions: readonly {
    readonly kind: ReductionKind;
    readonly ref: number;
    readonly extent: Extent;
    readonly dtype: DType;
  }[];
}

export function specKey(spec: FusedSpec): string {
  let key = `${spec.compute}${spec.whole ? 'w' : ''}`;
  for (const { dtype, access, apart } of spec.operands) key += `;${dtype}${access}${apart}`;
  for (const { op, args } of spec.body) key += `|${op.id}:${args.join(',')}`;
  for (const { ref, dtype, apart } of spec.outputs) key += `>${ref}${dtype}${apart}`;
  for (const { kind, ref, extent, dtype } of spec.reductions) key += `#${kind}${ref}${extent}${dtype}`;
  return key;
}

/** Words of the table. */
export function tableLength(spec: FusedSpec): number {
  return 2 + 2 * (spec.operands.length + spec.outputs.length + spec.reductions.length);
}

/** Vector sums this many steps long are added up before they join the total, which keeps rounding errors small. */
const BLOCK = 64;

/** How many vectors are computed side by side: several where sums of little else would wait for each other. */
function copiesOf({ compute, operands, outputs, body, reductions }: FusedSpec): number {
  const plain = operands.every(({ access, apart }) => access !== 'table' && access !== 'places' && apart === 1);
  if (compute === 'f64' || !plain || outputs.some(({ apart }) => apart !== 1)) return 1;
  if (body.some(({ op }) => callsFunction(op)) || reductions.some(({ kind }) => kind !== 'sum')) return 1;
  if (reductions.every(({ extent }) => extent === 'outer')) return 1;
  return body.length <= FEW_OPERATIONS && outputs.length === 0 ? 4 : 2;
}

/** So few that a loop for each vector would take as long. */
const FEW_OPERATIONS = 2;

export function generateFused(spec: FusedSpec, constants: Constants | null): ModuleBuilder {
  const names = mathNames(spec);
  const wide = spec.compute === 'f64';
  const suffix = wide ? '64' : '32';
  const module = new ModuleBuilder(
    names.map((name) => ({ name: `${name}${suffix}`, signature: { parameters: [V128], results: [V128] } })),
    constants,
  );
  const calls = spec.body.filter(({ op }) => callsFunction(op)).length;
  module.function('run', [I32], [], (builder) => {
    builder.holdConstants(loadConstant);
    const e: Emitter = {
      builder,
      vector: wide ? f64x2 : f32x4,
      call: (name, operand) => module.callImport(`${name}${suffix}`, operand),
      inlined: calls > MOST_INLINED ? null : wide ? inlined64 : inlined32,
      decays: new Map(),
    };
    new KernelWriter(spec, e).write();
  });
  return module;
}

/** Kernels with more functions than this call them: it would take too long to compile them all in place. */
const MOST_INLINED = 6;

/** The mathematical functions a kernel calls, found by writing it once with a note of every call. */
export function mathNames(spec: FusedSpec): string[] {
  const names = new Set<string>();
  const builder = new FunctionBuilder({ parameters: [I32], results: [] });
  const e: Emitter = {
    builder,
    vector: spec.compute === 'f64' ? f64x2 : f32x4,
    call: (name, operand) => {
      names.add(name);
      return operand;
    },
    inlined: null,
    decays: new Map(),
  };
  const nothing: Register = { get: () => {}, mask: false };
  for (const { op, args } of spec.body) {
    if (op === PICK) continue;
    emit(
      e,
      op,
      args.map(() => nothing),
    );
  }
  return [...names].sort();
}

class KernelWriter {
  private readonly scalars = new Map<number, Register>();
  private rows = new Map<number, Register>();
  private readonly accumulators: Accumulators;
  private readonly access: VectorAccess;
  private readonly copies: number;

  constructor(
    private readonly spec: FusedSpec,
    private readonly e: Emitter,
  ) {
    this.access = new VectorAccess(e);
    this.copies = copiesOf(spec);
    this.accumulators = new Accumulators(spec, e, this.copies);
  }

  write(): void {
    const { spec, e } = this;
    const b = e.builder;
    let word = 0;
    const next = (): Local => b.let(I32, i32.load([b.parameter(0)], 4 * word++));
    const outer = next();
    const inner = next();
    const pointer = (): Pointer => ({ at: next(), step: next() });
    const operands = spec.operands.map(pointer);
    const outputs = spec.outputs.map(pointer);
    const reductions = spec.reductions.map(pointer);
    spec.operands.forEach(({ access }, i) => {
      // In place of the distance between rows, of which it has none.
      const place = i32.add(b.parameter(0), i32.const(4 * (3 + 2 * i)));
      if (access === 'scalar') this.scalars.set(i, this.access.loadScalar(operands[i].at, place));
    });
    const lanes = e.vector.lanes;
    const whole = b.let(I32, i32.and(inner.get, i32.const(-lanes)));
    const together = this.copies * lanes;
    const row = b.let(I32, i32.const(0));
    const stands = (access: Access): boolean => access === 'scalar' || access === 'table';
    const moving = [...operands.filter((_, i) => !stands(spec.operands[i].access)), ...outputs, ...reductions];
    this.accumulators.start('all');
    b.while(i32.lt(row.get, outer.get), () => {
      this.rows = new Map();
      spec.operands.forEach(({ access, dtype }, i) => {
        if (access === 'row') this.rows.set(i, this.access.loadOne(operands[i].at.get, dtype));
      });
      this.accumulators.start('inner');
      const index = b.let(I32, i32.const(0));
      const round = b.local(I32);
      const sums = spec.reductions.some(({ kind, extent }) => kind === 'sum' && extent !== 'outer');
      const pass = (step: number, copies = 1): void => {
        this.body(index, row, operands, outputs, reductions, step, copies);
        index.set(i32.add(index.get, i32.const(step * copies)));
      };
      /** Vectors from `index` to a limit, several at a time as long as there are so many. */
      const passes = (limit: Expression): void => {
        if (this.copies > 1) {
          const last = b.let(I32, i32.sub(limit, i32.const(together)));
          b.while(i32.le(index.get, last.get), () => pass(lanes, this.copies));
        }
        b.while(i32.lt(index.get, limit), () => pass(lanes));
      };
      if (sums) {
        // Blocks of vector steps, each added up on its own.
        b.while(i32.lt(index.get, whole.get), () => {
          round.set(i32.add(index.get, i32.const(BLOCK * lanes)));
          b.if(i32.gt(round.get, whole.get), () => round.set(whole.get));
          passes(round.get);
          this.accumulators.fold();
        });
      } else {
        passes(whole.get);
      }
      if (!spec.whole) {
        b.while(i32.lt(index.get, inner.get), () => pass(1));
        this.accumulators.fold();
      }
      this.accumulators.finish('inner', reductions);
      for (const { at, step } of moving) at.set(i32.add(at.get, step.get));
      row.set(i32.add(row.get, i32.const(1)));
    });
    this.accumulators.finish('all', reductions);
  }

  /** Loads, computes, stores and accumulates `copies` times `step` elements from `index`. */
  private body(
    index: Local,
    row: Local,
    operands: readonly Pointer[],
    outputs: readonly Pointer[],
    reductions: readonly Pointer[],
    step: number,
    copies: number,
  ): void {
    const { spec } = this;
    const b = this.e.builder;
    const bytes4 = b.let(I32, i32.shl(index.get, i32.const(2)));
    const bytes8 = b.let(I32, i32.shl(index.get, i32.const(3)));
    const address = (pointer: Pointer, dtype: DType, apart = 1): Expression => {
      const bytes = (dtype === 'f64' ? bytes8 : bytes4).get;
      return i32.add(pointer.at.get, apart === 1 ? bytes : i32.mul(bytes, i32.const(apart)));
    };
    const parts = Array.from({ length: copies }, (_, copy) => {
      // The single steps at the end of a row are few: they need not be quick.
      const e: Emitter = { ...this.e, inlined: step === 1 ? null : this.e.inlined, decays: new Map() };
      const further = (dtype: DType): number => copy * step * (dtype === 'f64' ? 8 : 4);
      const values: Register[] = spec.operands.map(({ access, dtype, apart }, i) => {
        if (access === 'scalar') return this.scalars.get(i) as Register;
        if (access === 'row') return this.rows.get(i) as Register;
        if (access === 'table') return { get: operands[i].at.get, mask: false };
        if (access === 'places') return this.access.loadPlaces(address(operands[i], dtype), step);
        return step === 1
          ? this.access.loadOne(address(operands[i], dtype, apart), dtype)
          : this.access.loadMany(address(operands[i], dtype, apart), dtype, apart, further(dtype));
      });
      return { e, further, values };
    });
    spec.body.forEach(({ op, args }, k) => {
      const summed = step === 1 ? -1 : this.accumulators.factored.indexOf(spec.operands.length + k);
      for (const { e, values } of parts) {
        if (summed >= 0) {
          const { linear, factor } = emitFactored(e, op, values[args[0]]);
          values.push(linear);
          this.accumulators.multiply(summed, factor);
          continue;
        }
        if (op === PICK) {
          const { dtype } = spec.operands[args[0]];
          values.push(this.access.pick(values[args[0]].get, values[args[1]].get, dtype, step));
          continue;
        }
        values.push(
          emit(
            e,
            op,
            args.map((arg) => values[arg]),
          ),
        );
      }
    });
    parts.forEach(({ e, further, values }, copy) => {
      spec.outputs.forEach(({ ref, dtype, apart }, i) => {
        const at = address(outputs[i], dtype, apart);
        if (apart === 1) b.do(this.access.store(at, values[ref], dtype, step, further(dtype)));
        else this.access.storeApart(at, values[ref], dtype, step, apart);
      });
      spec.reductions.forEach(({ kind, ref, extent, dtype }, i) => {
        const value = b.let(V128, asNumber(e, values[ref])).get;
        if (extent === 'outer') {
          const at =
            copy === 0
              ? address(reductions[i], dtype)
              : i32.add(address(reductions[i], dtype), i32.const(further(dtype)));
          this.accumulateColumn(kind, at, value, dtype, row, step);
        } else this.accumulators.add(i, value, step, copy);
      });
    });
  }

  private accumulateColumn(
    kind: ReductionKind,
    address: Expression,
    value: Expression,
    dtype: DType,
    row: Local,
    step: number,
  ): void {
    const b = this.e.builder;
    const register: Register = { get: value, mask: false };
    b.if(
      i32.eqz(row.get),
      () => b.do(this.access.store(address, register, dtype, step)),
      () => {
        const before = step === 1 ? this.access.loadOne(address, dtype) : this.access.loadMany(address, dtype);
        const total = b.let(V128, combine(this.e.vector, kind, before.get, value));
        b.do(this.access.store(address, { get: total.get, mask: false }, dtype, step));
      },
    );
  }
}
