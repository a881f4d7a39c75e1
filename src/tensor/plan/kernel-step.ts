/** A fused group made ready: its kernel, and the tables that tell the kernel sizes and addresses. */
import { bytesPerElement } from '../node.ts';
import type { Kernel, WasmDevice } from '../wasm/device.ts';
import { type FusedSpec, tableLength } from '../wasm/fused.ts';
import { accessOf, extentOf, type Loops, loopsOf } from './loops.ts';
import type { Value } from './program.ts';
import { type FusedGroup, reductionKinds } from './schedule.ts';

export class KernelStep {
  readonly kind = 'kernel';
  readonly kernel: Kernel;
  /** One table per round of the loops around the kernel; usually one. */
  readonly tables: number[] = [];
  private readonly loops: Loops;
  private readonly stored: readonly Value[];
  private readonly words: number;
  private block: { readonly at: number; readonly bytes: number } | null = null;

  /** `outside`: the values that other steps need. */
  constructor(
    private readonly device: WasmDevice,
    private readonly group: FusedGroup,
    outside: ReadonlySet<Value>,
  ) {
    this.loops = loopsOf(group.domain, group.operands, group.reductions);
    this.stored = group.members.filter((member) => outside.has(member));
    const spec = this.spec();
    this.words = tableLength(spec);
    this.kernel = device.fused(spec);
  }

  private spec(): FusedSpec {
    const { group, loops, stored } = this;
    const numbers = new Map<Value, number>();
    for (const value of [...group.operands, ...group.members]) numbers.set(value, numbers.size);
    const numberOf = (value: Value): number => numbers.get(value) as number;
    return {
      compute: group.compute,
      operands: group.operands.map((operand, i) => ({
        dtype: operand.isScalar ? 'f64' : operand.dtype,
        access: accessOf(operand, loops.moves[i]),
      })),
      body: group.members.map((member) => ({ op: member.op, args: member.inputs.map(numberOf) })),
      outputs: stored.map((member) => ({ ref: numberOf(member), dtype: member.dtype })),
      reductions: group.reductions.map((reduction, i) => ({
        kind: reductionKinds.get(reduction.op) as NonNullable<ReturnType<typeof reductionKinds.get>>,
        ref: numberOf(reduction.inputs[0]),
        extent: extentOf(loops.keeps[i]) as NonNullable<ReturnType<typeof extentOf>>,
        dtype: reduction.dtype,
      })),
    };
  }

  private lengths(sizes: readonly number[]): number[] {
    const lanes = this.group.domain.space < 0 ? 1 : sizes[this.group.domain.space];
    return this.loops.axes.map((axis) => axis.size * (axis.lanes ? lanes : 1));
  }

  /** Makes room for the tables; must come before the arena is placed. */
  makeTables(sizes: readonly number[]): void {
    let rounds = 1;
    for (const length of this.lengths(sizes).slice(0, -2)) rounds *= length;
    if (this.tables.length === rounds) return;
    this.release();
    const bytes = rounds * this.words * 4;
    const at = this.device.memory.allocate(bytes);
    this.block = { at, bytes };
    this.tables.length = 0;
    for (let i = 0; i < rounds; i++) this.tables.push(at + i * this.words * 4);
  }

  writeTables(sizes: readonly number[], addressOf: (value: Value) => number): void {
    const { loops, group, stored } = this;
    const { i32 } = this.device.memory;
    const lengths = this.lengths(sizes);
    const always = lengths.map(() => true);
    const columns = [
      ...group.operands.map((value, i) => ({ value, moves: loops.moves[i] })),
      ...stored.map((value) => ({ value, moves: always })),
      ...group.reductions.map((value, i) => ({ value, moves: loops.keeps[i] })),
    ].map(({ value, moves }) => ({
      address: addressOf(value),
      strides: stridesAlong(lengths, moves, value.isScalar ? 8 : bytesPerElement[value.dtype]),
    }));
    const rank = lengths.length;
    const index = new Array<number>(rank - 2).fill(0);
    for (const table of this.tables) {
      let at = table / 4;
      i32[at++] = lengths[rank - 2];
      i32[at++] = lengths[rank - 1];
      for (const { address, strides } of columns) {
        let from = address;
        for (let k = 0; k < rank - 2; k++) from += index[k] * strides[k];
        i32[at++] = from;
        i32[at++] = strides[rank - 2];
      }
      for (let k = rank - 3; k >= 0; k--) {
        if (++index[k] < lengths[k]) break;
        index[k] = 0;
      }
    }
  }

  release(): void {
    if (this.block !== null) this.device.memory.release(this.block.at, this.block.bytes);
    this.block = null;
  }
}

/** Bytes between neighbours along each loop: 0 where the operand stands still. */
function stridesAlong(lengths: readonly number[], moves: readonly boolean[], bytes: number): number[] {
  const strides = new Array<number>(lengths.length).fill(0);
  let step = bytes;
  for (let i = lengths.length - 1; i >= 0; i--) {
    if (!moves[i]) continue;
    strides[i] = step;
    step *= lengths[i];
  }
  return strides;
}
