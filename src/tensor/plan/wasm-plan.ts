/** A program made ready for the WebAssembly device: kernels, tables of addresses, and an arena laid out by liveness. */
import { elementwiseLoop } from '../elementwise/loops.ts';
import { bytesPerElement, type Data, type DType, type Operand } from '../node.ts';
import { sizeOf } from '../shape.ts';
import type { Kernel, WasmDevice } from '../wasm/device.ts';
import { type FusedSpec, tableLength } from '../wasm/fused.ts';
import { ResidentBuffer } from '../wasm/resident.ts';
import { type Accelerated, accelerators, type Place, TABLE_WORDS } from '../wasm/singles.ts';
import { arrange, type Lifetime } from './arena.ts';
import { accessOf, extentOf, type Loops, loopsOf } from './loops.ts';
import type { Program, Value } from './program.ts';
import { compileScalars, type ScalarCode } from './scalar-code.ts';
import { type FusedGroup, reductionKinds, rootOf, type Schedule, type Step, schedule } from './schedule.ts';

export type PlanInput = number | Data | ResidentBuffer;

/** What one step does at run time. */
type Run =
  | { readonly kind: 'scalars'; readonly code: readonly ScalarCode[] }
  | { readonly kind: 'kernel'; readonly kernel: Kernel; readonly tables: number[] }
  | { readonly kind: 'call'; call: Accelerated };

interface PreparedGroup {
  readonly group: FusedGroup;
  readonly loops: Loops;
  readonly stored: readonly Value[];
  readonly words: number;
  /** Start of its tables within the block of tables, if there is one per kernel; re-made when loops need more. */
  readonly run: { readonly kind: 'kernel'; readonly kernel: Kernel; readonly tables: number[] };
  extra: { at: number; bytes: number } | null;
}

export class WasmPlan {
  private readonly runs: Run[] = [];
  private readonly slots = new Map<Value, number>();
  private readonly groups: PreparedGroup[] = [];
  private readonly singles: { value: Value; run: { kind: 'call'; call: Accelerated } }[] = [];
  /** Tables of the single steps, one after the other. */
  private singleTables = 0;
  private readonly lifetimes: { value: Value; from: number; to: number }[] = [];
  private readonly bakedAt = new Map<Value, number>();
  private readonly blocks: { at: number; bytes: number }[] = [];
  private readonly schedule: Schedule;
  private readonly inputs: (Value | undefined)[] = [];
  private readonly outputs: readonly Value[];
  private readonly targets = new Map<Value, ResidentBuffer>();
  private readonly bound = new Map<Value, number>();
  private readonly offsets = new Map<Value, number>();
  private slotsAt = 0;
  private slotView: Float64Array = new Float64Array(0);
  /** What the present layout was made for. */
  private laidOut: { base: number; version: number; sizes: number[] } | null = null;
  private arenaBytes = 0;

  constructor(
    private readonly device: WasmDevice,
    program: Program,
  ) {
    this.outputs = program.outputs;
    this.schedule = schedule(program);
    for (const value of program.values) if (value.source?.kind === 'input') this.inputs[value.source.index] = value;
    const outside = this.findLifetimes(program);
    this.schedule.steps.forEach((step) => {
      this.prepare(step, outside);
    });
    for (const value of this.outputs) if (rootOf(value).isScalar) this.slotOf(rootOf(value));
    for (const value of this.inputs) if (value?.isScalar) this.slotOf(value);
    this.bake(program);
  }

  /** Lets an output be written to a buffer that stays on the device, instead of being handed back. */
  into(output: number, buffer: ResidentBuffer): void {
    const root = rootOf(this.outputs[output]);
    if (root.source !== null || root.isScalar || root.dtype !== buffer.dtype) {
      throw new TypeError('Only a computed tensor of the same precision can be directed into a buffer.');
    }
    this.targets.set(root, buffer);
    this.laidOut = null;
  }

  /** Frees the plan's tables and constants on the device. */
  release(): void {
    for (const { at, bytes } of this.blocks) this.device.memory.release(at, bytes);
    for (const { extra } of this.groups) if (extra !== null) this.device.memory.release(extra.at, extra.bytes);
    this.blocks.length = 0;
  }

  /** Runs with the given inputs and numbers of lanes per space; results are handed out as numbers and new arrays. */
  run(inputs: readonly PlanInput[], sizes: readonly number[]): (number | Data)[] {
    this.execute(inputs, sizes);
    return this.outputs.map((value) => this.read(value, sizes));
  }

  private execute(inputs: readonly PlanInput[], sizes: readonly number[]): void {
    this.bind(inputs);
    this.layOut(sizes);
    this.feed(inputs);
    const { runs, slotView } = this;
    for (let i = 0; i < runs.length; i++) {
      const run = runs[i];
      if (run.kind === 'kernel') {
        const { kernel, tables } = run;
        for (let k = 0; k < tables.length; k++) kernel(tables[k]);
      } else if (run.kind === 'call') {
        run.call();
      } else {
        for (let k = 0; k < run.code.length; k++) run.code[k](slotView);
      }
    }
  }

  private bind(inputs: readonly PlanInput[]): void {
    for (let i = 0; i < inputs.length; i++) {
      const given = inputs[i];
      const value = this.inputs[i];
      if (!(given instanceof ResidentBuffer) || value === undefined) continue;
      if (this.bound.get(value) !== given.address) {
        this.bound.set(value, given.address);
        this.laidOut = null;
      }
    }
  }

  private feed(inputs: readonly PlanInput[]): void {
    const { memory } = this.device;
    for (let i = 0; i < inputs.length; i++) {
      const given = inputs[i];
      const value = this.inputs[i];
      if (value === undefined || given instanceof ResidentBuffer) continue;
      if (value.isScalar) {
        this.slotView[this.slots.get(value) as number] = typeof given === 'number' ? given : given[0];
      } else {
        const heap = heapOf(memory, value.dtype);
        const at = this.addressOf(value) / bytesPerElement[value.dtype];
        if (typeof given === 'number') heap[at] = given;
        else heap.set(given, at);
      }
    }
  }

  private read(value: Value, sizes: readonly number[]): number | Data {
    if (value.source?.kind === 'baked') return value.source.data;
    const root = rootOf(value);
    const target = this.targets.get(root);
    if (target !== undefined) return target.view();
    if (value.isScalar) return this.slotView[this.slots.get(root) as number];
    const heap = heapOf(this.device.memory, value.dtype);
    const at = this.addressOf(root) / bytesPerElement[value.dtype];
    return heap.slice(at, at + elementsOf(value, sizes));
  }

  private slotOf(value: Value): number {
    let slot = this.slots.get(value);
    if (slot === undefined) {
      slot = this.slots.size;
      this.slots.set(value, slot);
    }
    return slot;
  }

  /** Which values must be in memory, and from which step to which. Gives those that leave the step they are made in. */
  private findLifetimes(program: Program): ReadonlySet<Value> {
    const { steps, stepOf } = this.schedule;
    const outside = new Set<Value>();
    const last = new Map<Value, number>();
    const use = (value: Value, step: number): void => {
      const root = rootOf(value);
      last.set(root, Math.max(last.get(root) ?? -1, step));
      if (root !== value || stepOf.get(root) !== step || !isRegister(steps[step], root)) outside.add(root);
    };
    for (const value of program.values) {
      if (value.source !== null || rootOf(value) !== value) continue;
      const step = stepOf.get(value) as number;
      for (const input of value.inputs) use(input, step);
      const at = steps[step];
      if (at.kind === 'single' || (at.kind === 'fused' && at.reductions.includes(value))) outside.add(value);
    }
    for (const value of this.outputs) {
      const root = rootOf(value);
      last.set(root, Number.POSITIVE_INFINITY);
      outside.add(root);
    }
    for (const value of program.values) {
      if (value.isScalar || rootOf(value) !== value || value.source?.kind === 'baked') continue;
      if (value.source === null && !outside.has(value)) continue;
      const from = stepOf.get(value) as number;
      this.lifetimes.push({ value, from, to: Math.max(from, last.get(value) ?? from) });
    }
    return outside;
  }

  private prepare(step: Step, outside: ReadonlySet<Value>): void {
    if (step.kind === 'scalars') {
      const code = compileScalars(
        step.members,
        (value) => this.slotOf(rootOf(value)),
        (value) => outside.has(value),
      );
      this.runs.push({ kind: 'scalars', code });
    } else if (step.kind === 'single') {
      for (const value of [step.value, ...step.value.inputs]) if (value.isScalar) this.slotOf(rootOf(value));
      const run = { kind: 'call' as const, call: () => {} };
      this.singles.push({ value: step.value, run });
      this.runs.push(run);
    } else {
      this.prepareGroup(step, outside);
    }
  }

  private prepareGroup(group: FusedGroup, outside: ReadonlySet<Value>): void {
    const loops = loopsOf(group.domain, group.operands, group.reductions);
    for (const operand of group.operands) if (operand.isScalar) this.slotOf(rootOf(operand));
    for (const reduction of group.reductions) if (reduction.isScalar) this.slotOf(reduction);
    const numbers = new Map<Value, number>();
    group.operands.forEach((operand, i) => {
      numbers.set(operand, i);
    });
    group.members.forEach((member, i) => {
      numbers.set(member, group.operands.length + i);
    });
    const stored = group.members.filter((member) => outside.has(member));
    const spec: FusedSpec = {
      compute: group.compute,
      operands: group.operands.map((operand, i) => ({
        dtype: operand.isScalar ? 'f64' : operand.dtype,
        access: accessOf(operand, loops.moves[i]),
      })),
      body: group.members.map((member) => ({
        op: member.op,
        args: member.inputs.map((input) => numbers.get(input) as number),
      })),
      outputs: stored.map((member) => ({ ref: numbers.get(member) as number, dtype: member.dtype })),
      reductions: group.reductions.map((reduction, i) => ({
        kind: reductionKinds.get(reduction.op) as 'sum',
        ref: numbers.get(reduction.inputs[0]) as number,
        extent: extentOf(loops.keeps[i]) as 'all',
        dtype: reduction.dtype,
      })),
    };
    const run = { kind: 'kernel' as const, kernel: this.device.fused(spec), tables: [] };
    this.groups.push({ group, loops, stored, words: tableLength(spec), run, extra: null });
    this.runs.push(run);
  }

  /** Puts constants and scalar slots into device memory. */
  private bake(program: Program): void {
    const { memory } = this.device;
    const keep = (bytes: number): number => {
      const at = memory.allocate(bytes);
      this.blocks.push({ at, bytes });
      return at;
    };
    this.slotsAt = keep(8 * this.slots.size);
    this.singleTables = keep(4 * TABLE_WORDS * this.singles.length);
    for (const value of program.values) {
      if (value.source?.kind !== 'baked') continue;
      const { data } = value.source;
      if (typeof data === 'number') {
        const slot = this.slots.get(value);
        if (slot !== undefined) memory.f64[this.slotsAt / 8 + slot] = data;
      } else {
        const at = keep(data.length * bytesPerElement[value.dtype]);
        heapOf(memory, value.dtype).set(data, at / bytesPerElement[value.dtype]);
        this.bakedAt.set(value, at);
      }
    }
  }

  private addressOf(value: Value): number {
    const root = rootOf(value);
    if (root.isScalar) return this.slotsAt + 8 * (this.slots.get(root) as number);
    const fixed = this.bakedAt.get(root) ?? this.targets.get(root)?.address ?? this.bound.get(root);
    if (fixed !== undefined) return fixed;
    return (this.laidOut as { base: number }).base + (this.offsets.get(root) as number);
  }

  /** Assigns addresses and writes the tables, unless the last layout still holds. */
  private layOut(sizes: readonly number[]): void {
    const { memory } = this.device;
    const before = this.laidOut;
    const sameSizes = before?.sizes.every((size, i) => size === sizes[i]) ?? false;
    if (
      before !== null &&
      sameSizes &&
      memory.scratch(this.arenaBytes) === before.base &&
      memory.version === before.version
    )
      return;
    if (!sameSizes) {
      const moving = this.lifetimes.filter(({ value }) => !this.targets.has(value) && !this.bound.has(value));
      const arena = arrange(
        moving.map(
          ({ value, from, to }): Lifetime => ({
            bytes: elementsOf(value, sizes) * bytesPerElement[value.dtype],
            from,
            to,
          }),
        ),
      );
      this.offsets.clear();
      moving.forEach(({ value }, i) => {
        this.offsets.set(value, arena.offsets[i]);
      });
      this.arenaBytes = arena.bytes;
      for (const group of this.groups) this.makeTables(group, sizes);
    }
    this.checkTargets();
    const base = memory.scratch(this.arenaBytes);
    this.laidOut = { base, version: memory.version, sizes: [...sizes] };
    this.slotView = memory.f64.subarray(this.slotsAt / 8, this.slotsAt / 8 + this.slots.size);
    for (const group of this.groups) this.writeTables(group, sizes);
    this.singles.forEach(({ value, run }, i) => {
      run.call = this.singleCall(value, sizes, this.singleTables + 4 * TABLE_WORDS * i);
    });
  }

  /** A buffer may be updated in place, but not before its old contents have been read for the last time. */
  private checkTargets(): void {
    for (const [root, buffer] of this.targets) {
      const written = this.schedule.stepOf.get(root) as number;
      for (const { value, to } of this.lifetimes) {
        const address = this.bound.get(value);
        if (address === undefined || to <= written) continue;
        const overlaps =
          address < buffer.address + buffer.length * bytesPerElement[buffer.dtype] && buffer.address <= address;
        if (overlaps)
          throw new Error(
            'A plan would overwrite a buffer that it still reads from: give the output a buffer of its own.',
          );
      }
    }
  }

  /** Space for one table per round of the loops around the kernel. */
  private makeTables(prepared: PreparedGroup, sizes: readonly number[]): void {
    const { loops, group, run, words } = prepared;
    let rounds = 1;
    for (const axis of loops.axes.slice(0, -2)) rounds *= axis.size * (axis.lanes ? sizes[group.domain.space] : 1);
    if (run.tables.length === rounds) return;
    const { memory } = this.device;
    if (prepared.extra !== null) memory.release(prepared.extra.at, prepared.extra.bytes);
    const bytes = rounds * words * 4;
    const at = memory.allocate(bytes);
    prepared.extra = { at, bytes };
    run.tables.length = 0;
    for (let i = 0; i < rounds; i++) run.tables.push(at + i * words * 4);
  }

  private writeTables(prepared: PreparedGroup, sizes: readonly number[]): void {
    const { loops, group, stored, run } = prepared;
    const { i32 } = this.device.memory;
    const lengths = loops.axes.map(({ size, lanes }) => size * (lanes ? sizes[group.domain.space] : 1));
    const always = lengths.map(() => true);
    const columns = [
      ...group.operands.map((value, i) => ({ value, moves: loops.moves[i] })),
      ...stored.map((value) => ({ value, moves: always })),
      ...group.reductions.map((value, i) => ({ value, moves: loops.keeps[i] })),
    ].map(({ value, moves }) => ({
      address: this.addressOf(value),
      strides: stridesAlong(lengths, moves, value.isScalar ? 8 : bytesPerElement[value.dtype]),
    }));
    const rank = lengths.length;
    const index = new Array<number>(rank - 2).fill(0);
    for (const table of run.tables) {
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

  private singleCall(value: Value, sizes: readonly number[], table: number): Accelerated {
    const places = [value, ...value.inputs].map((one): Place => {
      const dims = one.space < 0 ? one.shape : [sizes[one.space], ...one.shape];
      return { address: this.addressOf(one), dtype: one.isScalar ? 'f64' : one.dtype, dims, lanes: one.space >= 0 };
    });
    const [out, ...inputs] = places;
    const fast = accelerators.get(value.op)?.(this.device, out, inputs, value.attributes, table);
    if (fast !== undefined && fast !== null) return fast;
    const { memory } = this.device;
    const [target, ...sources] = places.map((place): Operand => {
      const from = place.address / bytesPerElement[place.dtype];
      return {
        data: heapOf(memory, place.dtype).subarray(from, from + sizeOf(place.dims)),
        dims: place.dims,
        lanes: place.lanes,
      };
    });
    const { op, attributes } = value;
    if (op.kind === 'elementwise') return () => elementwiseLoop(op, target, sources);
    if (op.kind === 'view') return () => target.data.set(sources[0].data);
    const kernel = op.kernel as NonNullable<typeof op.kernel>;
    return () => kernel(target, sources, attributes);
  }
}

function isRegister(step: Step, value: Value): boolean {
  return step.kind !== 'single' && step.members.includes(value);
}

function elementsOf(value: Value, sizes: readonly number[]): number {
  return sizeOf(value.shape) * (value.space < 0 ? 1 : sizes[value.space]);
}

function heapOf(memory: WasmDevice['memory'], dtype: DType): Data {
  return dtype === 'f64' ? memory.f64 : dtype === 'i32' ? memory.i32 : memory.f32;
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
