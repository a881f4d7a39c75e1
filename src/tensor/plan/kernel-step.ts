/** A fused group made ready: its kernel, and the tables that tell the kernel sizes and addresses. */
import { bytesPerElement, type Data } from '../node.ts';
import type { Kernel, WasmDevice } from '../wasm/device.ts';
import { PICK } from '../wasm/emit.ts';
import { type Access, type FusedSpec, mathNames, tableLength } from '../wasm/fused.ts';
import type { Job } from '../wasm/threads.ts';
import { accessOf, extentOf, type Loops, loopsOf } from './loops.ts';
import { elementsOf, type Value } from './program.ts';
import { layoutOf } from './row-parts.ts';
import { type FusedGroup, reductionKinds } from './schedule.ts';
import type { Walk } from './walk.ts';

/**
 * From this much work on (a quarter of a millisecond), threads pay. The unit is an addition of float32 numbers; as
 * measured, one of float64 takes three, and a function such as exp twenty.
 */
const SHARE_FROM = 4_000_000;
const DOUBLE = 3;
const FUNCTION = 20;
const LEAST_ELEMENTS = 8192;
/** Pieces per thread: see products. */
const PIECES_PER_THREAD = 2;
/** Columns of a piece are a multiple of this, so that no vector is cut. */
const WHOLE = 16;

/** Kernels that a step calls more often than this are called in a loop. */
const MOST_CALLS = 16;

/** How a kernel is cut into pieces: by rows or by columns, so many in each. */
interface Cut {
  readonly byRows: boolean;
  readonly step: number;
  readonly pieces: number;
}

export class KernelStep {
  readonly kind = 'kernel';
  readonly kernel: Kernel;
  /** One table per round of the loops around the kernel (usually one), or per piece of a round that threads share. */
  readonly tables: number[] = [];
  /** The same as work for threads, where that pays. */
  job: Job | null = null;
  private readonly loops: Loops;
  private readonly stored: readonly Value[];
  private readonly spec: FusedSpec;
  private readonly words: number;
  private cut: Cut | null = null;
  private block: { readonly at: number; readonly bytes: number } | null = null;

  /** `outside`: the values that other steps need. */
  constructor(
    private readonly device: WasmDevice,
    private readonly group: FusedGroup,
    outside: ReadonlySet<Value>,
    /** Whether each run finds out how many lanes there are. */
    readonly isOpen: boolean,
  ) {
    this.loops = loopsOf(group.domain, group.operands, group.reductions, group.tables);
    this.stored = group.members.filter((member) => outside.has(member));
    this.spec = this.specify();
    this.words = tableLength(this.spec);
    this.kernel = device.fused(this.spec);
  }

  /** The number of its lane space. */
  get space(): number {
    return this.group.domain.space;
  }

  /**
   * The word of its table that holds a multiple of the number of lanes. Undefined if each lane has a table of its own: then as many
   * tables are run.
   */
  lengthOfLanes(): { readonly word: number; readonly each: number } | undefined {
    const { axes } = this.loops;
    const at = axes.findIndex((axis) => axis.lanes);
    const inTable = at - axes.length + 2;
    return inTable < 0 ? undefined : { word: this.tables[0] / 4 + inTable, each: axes[at].size };
  }

  /** The values of sums over lanes where there are no lanes. */
  cleared(sizes: readonly number[], addressOf: (value: Value) => number): readonly Cleared[] {
    const { memory } = this.device;
    const sums = this.group.reductions.filter(({ space }) => space < 0);
    return sums.map((reduction) => {
      const view = reduction.isScalar ? memory.f64 : memory.view(reduction.dtype);
      const from = addressOf(reduction) / view.BYTES_PER_ELEMENT;
      const number = NOTHING[reductionKinds.get(reduction.op)!];
      return { view, number, from, to: from + elementsOf(reduction, sizes) };
    });
  }

  private specify(): FusedSpec {
    const { group, loops, stored } = this;
    const numbers = new Map<Value, number>();
    for (const value of [...group.operands, ...group.members]) numbers.set(value, numbers.size);
    const numberOf = (value: Value): number => numbers.get(value) as number;
    return {
      compute: group.compute,
      whole: loops.axes[loops.axes.length - 1].size % (group.compute === 'f64' ? 2 : 4) === 0,
      operands: group.operands.map((operand, i) => ({
        dtype: operand.isScalar ? 'f64' : operand.dtype,
        access: this.accessOf(operand, loops.moves[i]),
        apart: layoutOf(operand).apart,
      })),
      body: group.members.map((member) => ({ op: member.op, args: member.inputs.map(numberOf) })),
      outputs: [
        ...stored.map((member) => ({ ref: numberOf(member), dtype: member.dtype, apart: 1 })),
        ...group.rows.flatMap(({ inputs, dtype }) =>
          inputs.map((part) => ({ ref: numberOf(part), dtype, apart: inputs.length })),
        ),
      ],
      reductions: group.reductions.map((reduction, i) => ({
        kind: reductionKinds.get(reduction.op) as NonNullable<ReturnType<typeof reductionKinds.get>>,
        ref: numberOf(reduction.inputs[0]),
        extent: extentOf(loops.keeps[i]) as NonNullable<ReturnType<typeof extentOf>>,
        dtype: reduction.dtype,
      })),
    };
  }

  private accessOf(operand: Value, moves: readonly boolean[]): Access {
    const { tables, members } = this.group;
    if (tables.includes(operand)) return 'table';
    // Lists of places serve nothing else.
    if (members.some(({ op, inputs }) => op === PICK && inputs[1] === operand)) return 'places';
    return accessOf(operand, moves);
  }

  private lengths(sizes: readonly number[]): number[] {
    const lanes = this.group.domain.space < 0 ? 1 : sizes[this.group.domain.space];
    return this.loops.axes.map((axis) => axis.size * (axis.lanes ? lanes : 1));
  }

  /** Makes room for the tables; must come before the arena is placed. */
  makeTables(sizes: readonly number[]): void {
    const lengths = this.lengths(sizes);
    let rounds = 1;
    for (const length of lengths.slice(0, -2)) rounds *= length;
    this.cut = rounds === 1 && !this.isOpen ? this.cutFor(lengths) : null;
    const count = this.cut?.pieces ?? rounds;
    if (this.tables.length !== count) {
      this.release();
      const bytes = count * this.words * 4;
      const at = this.device.memory.allocate(bytes);
      this.block = { at, bytes };
      this.tables.length = 0;
      for (let i = 0; i < count; i++) this.tables.push(at + i * this.words * 4);
    }
    this.job = this.cut === null ? null : this.jobOf();
  }

  /** How to cut a kernel that is large enough for threads; null if it is not, or adds up along both loops. */
  private cutFor(lengths: readonly number[]): Cut | null {
    const { threads } = this.device;
    const [outer, inner] = lengths.slice(-2);
    if (threads === null || threads.count === 1 || outer * inner < LEAST_ELEMENTS) return null;
    if (outer * inner * weightOf(this.spec) < SHARE_FROM) return null;
    const { keeps } = this.loops;
    // Sums along a loop stay with one thread: added up in another order they would be rounded otherwise.
    const outerFree = keeps.every((kept) => kept[kept.length - 2]);
    const innerFree = keeps.every((kept) => kept[kept.length - 1]);
    const byRows = outerFree && outer >= threads.count;
    if (!byRows && !innerFree) return null;
    const length = byRows ? outer : inner;
    const unit = byRows ? 1 : WHOLE;
    const step = Math.ceil(length / (threads.count * PIECES_PER_THREAD) / unit) * unit;
    return step >= length ? null : { byRows, step, pieces: Math.ceil(length / step) };
  }

  private jobOf(): Job | null {
    const { kernel, device, tables } = this;
    const module = device.sharedKernel(this.spec);
    return (
      module && { module, export: 0, run: kernel as unknown as Job['run'], pieces: tables.map((table) => [table]) }
    );
  }

  writeTables(sizes: readonly number[], addressOf: (value: Value) => number): void {
    const { loops, group, stored, cut } = this;
    const { i32 } = this.device.memory;
    const lengths = this.lengths(sizes);
    const always = lengths.map(() => true);
    const whole = { first: 0, apart: 1 };
    const columns = [
      ...group.operands.map((value, i) => ({ value, moves: loops.moves[i], layout: layoutOf(value) })),
      ...stored.map((value) => ({ value, moves: always, layout: whole })),
      ...group.rows.flatMap((value) =>
        value.inputs.map((_, first) => ({ value, moves: always, layout: { first, apart: value.inputs.length } })),
      ),
      ...group.reductions.map((value, i) => ({ value, moves: loops.keeps[i], layout: whole })),
    ].map(({ value, moves, layout }) => {
      const bytes = value.isScalar ? 8 : bytesPerElement[value.dtype];
      return {
        address: addressOf(value) + layout.first * bytes,
        strides: stridesAlong(lengths, moves, layout.apart * bytes),
      };
    });
    const rank = lengths.length;
    const index = new Array<number>(rank).fill(0);
    const cutAxis = cut === null ? -1 : cut.byRows ? rank - 2 : rank - 1;
    const left = (axis: number): number => {
      if (cut === null || axis !== cutAxis) return lengths[axis];
      return Math.min(cut.step, lengths[axis] - index[axis]);
    };
    for (const table of this.tables) {
      let at = table / 4;
      i32[at++] = left(rank - 2);
      i32[at++] = left(rank - 1);
      for (const { address, strides } of columns) {
        let from = address;
        for (let k = 0; k < rank; k++) from += index[k] * strides[k];
        i32[at++] = from;
        i32[at++] = strides[rank - 2];
      }
      if (cut !== null) index[cutAxis] += cut.step;
      for (let k = rank - 3; k >= 0; k--) {
        if (++index[k] < lengths[k]) break;
        index[k] = 0;
      }
    }
  }

  /** Writes the step into a walk. */
  write(walk: Walk): void {
    const { kernel, tables, job, device } = this;
    if (job !== null) walk.host(() => device.threads!.run(job));
    else if (tables.length <= MOST_CALLS) for (const table of tables) walk.call(kernel, [table]);
    else {
      walk.host(() => {
        for (let k = 0; k < tables.length; k++) kernel(tables[k]);
      });
    }
  }

  release(): void {
    if (this.block !== null) this.device.memory.release(this.block.at, this.block.bytes);
    this.block = null;
  }
}

/** Numbers to be written to a stretch of memory. */
export interface Cleared {
  readonly view: Data;
  readonly number: number;
  readonly from: number;
  readonly to: number;
}

/** The results of reductions of no elements. */
const NOTHING = { sum: 0, prod: 1, max: Number.NEGATIVE_INFINITY, min: Number.POSITIVE_INFINITY };

/** Work per element. */
function weightOf(spec: FusedSpec): number {
  const { operands, outputs, body, compute } = spec;
  const operations = operands.length + outputs.length + body.length + FUNCTION * mathNames(spec).length;
  return operations * (compute === 'f64' ? DOUBLE : 1);
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
