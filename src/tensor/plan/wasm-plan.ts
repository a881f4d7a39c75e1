/** A program made ready for the WebAssembly device: kernels, tables of addresses, and an arena laid out by liveness. */
import { badIndices } from '../kernels/indexing.ts';
import { bytesPerElement, type Data } from '../node.ts';
import { PARTITION } from '../partition.ts';
import { sizeOf } from '../shape.ts';
import type { WasmDevice } from '../wasm/device.ts';
import type { ResidentBuffer } from '../wasm/resident.ts';
import type { Threads } from '../wasm/threads.ts';
import { arrange, type Lifetime } from './arena.ts';
import { CallStep } from './call-step.ts';
import { copied } from './copies.ts';
import { GivenInputs, type PlanInput } from './given-inputs.ts';
import { KernelStep } from './kernel-step.ts';
import { findLifetimes, type ValueLifetime } from './lifetimes.ts';
import type { OpenLanes } from './open-calls.ts';
import { OpenKernel } from './open-kernel.ts';
import { PartitionStep } from './partition-step.ts';
import { elementsOf, type Program, type Value } from './program.ts';
import { ScalarStep } from './scalar-step.ts';
import { rootOf, type Schedule, type Step, schedule } from './schedule.ts';
import { Walk } from './walk.ts';

/** What one step does at run time. */
type Run = ScalarStep | KernelStep | CallStep | OpenKernel | PartitionStep;

/** Where an output is found: in a slot, or elements that stay where they are, or that the next run overwrites. */
interface Reading {
  readonly slot: number;
  readonly elements: number | Data | null;
  /** Where there is room for more lanes than there are: how many elements each has. */
  readonly open?: { readonly space: number; readonly each: number; readonly copy: Data };
}

/**
 * A function for all steps is made after so many runs with one layout, sooner where lanes are open, and again where the layout changes,
 * so often at most.
 */
const WALKED_AFTER = 4;
const CLOSED_WALKED_AFTER = 24;
const MOST_WALKS = 8;
/** Fewer steps than this are as quickly called one by one. */
const WORTH_WALKING = 3;

const STAYS = -1;
const IN_ARENA = -2;

export class WasmPlan {
  private readonly runs: Run[] = [];
  private readonly slots = new Map<Value, number>();
  private readonly kernels: KernelStep[] = [];
  private readonly calls: CallStep[] = [];
  private readonly partitions: PartitionStep[] = [];
  private readonly openKernels: OpenKernel[] = [];
  /** Lanes that each run finds anew: for each space how many there are in the run at hand. */
  private readonly lanes: OpenLanes;
  /** Tables of the steps that are calls, one after the other. */
  private callTables = 0;
  private readonly lifetimes: readonly ValueLifetime[];
  private readonly bakedAt = new Map<Value, number>();
  private readonly blocks: { at: number; bytes: number }[] = [];
  private readonly schedule: Schedule;
  private readonly inputs: GivenInputs;
  private readonly outputs: readonly Value[];
  private readonly targets = new Map<Value, ResidentBuffer>();
  private readonly offsets = new Map<Value, number>();
  private slotsAt = 0;
  /** Where the numbers of lanes are, a word for each space. */
  private countsAt = 0;
  /** All steps as one function, once the layout has stood for a while. */
  private walked: (() => void) | null = null;
  private runsAlike = 0;
  private walks = 0;
  private slotView: Float64Array = new Float64Array(0);
  /** The numbers of lanes that the present layout was made for. */
  private laidOut: { base: number; version: number; sizes: number[] } | null = null;
  private arenaBytes = 0;
  /** Where the outputs are found in it. */
  private readings: readonly Reading[] = [];
  /** Numbers that must be 0 after each run. */
  private readonly checks: readonly { readonly slot: number; readonly length: number }[];

  constructor(
    private readonly device: WasmDevice,
    program: Program,
  ) {
    this.outputs = program.outputs;
    const isOpen = program.spaces.map((space) => space.isOpen);
    this.lanes = { counts: new Int32Array(isOpen.length), most: [], isOpen };
    this.schedule = schedule(program);
    const inputs: (Value | undefined)[] = [];
    for (const value of program.values) if (value.source?.kind === 'input') inputs[value.source.index] = value;
    this.inputs = new GivenInputs(inputs);
    const { outside, lifetimes } = findLifetimes(program, this.schedule);
    this.lifetimes = lifetimes;
    this.schedule.steps.forEach((step) => {
      this.prepare(step, outside);
    });
    for (const value of this.outputs) if (rootOf(value).isScalar) this.slotOf(rootOf(value));
    for (const value of inputs) if (value?.isScalar) this.slotOf(value);
    this.checks = (program.checks ?? []).map(({ wrong, length }) => ({ slot: this.slotOf(rootOf(wrong)), length }));
    this.bake(program);
  }

  /** Lets an output be written to a buffer that stays on the device, instead of being handed back. */
  into(output: number, buffer: ResidentBuffer): void {
    if (!this.intoIfPossible(output, buffer)) {
      throw new TypeError(
        'Only a computed tensor of the same precision, which is no other output as well, can be directed into a buffer.',
      );
    }
  }

  intoIfPossible(output: number, buffer: ResidentBuffer): boolean {
    const root = rootOf(this.outputs[output]);
    if (root.source !== null || root.isScalar || root.dtype !== buffer.dtype) return false;
    if (this.outputs.some((other, i) => i !== output && rootOf(other) === root)) return false;
    this.targets.set(root, buffer);
    this.laidOut = null;
    return true;
  }

  /** Frees the plan's tables and constants on the device. */
  release(): void {
    for (const { at, bytes } of this.blocks) this.device.memory.release(at, bytes);
    for (const kernel of this.kernels) kernel.release();
    this.blocks.length = 0;
  }

  /** Runs with the given inputs and numbers of lanes per space; results are handed out as numbers and new arrays. */
  run(inputs: readonly PlanInput[], sizes: readonly number[]): (number | Data)[] {
    this.execute(inputs, sizes);
    const { readings, slotView } = this;
    const out = new Array<number | Data>(readings.length);
    for (let i = 0; i < out.length; i++) {
      const { slot, elements, open } = readings[i];
      if (elements === null) out[i] = slotView[slot];
      else if (slot !== IN_ARENA) out[i] = elements;
      else if (open === undefined) out[i] = (elements as Data).slice();
      else out[i] = copied(elements as Data, open.copy, open.each * this.lanes.counts[open.space]);
    }
    return out;
  }

  /** How many lanes an output had in the last run, where each run finds them anew and there is room for more. */
  lanesOf(output: number): number | undefined {
    const open = this.readings[output]?.open;
    return open && this.lanes.counts[open.space];
  }

  private execute(inputs: readonly PlanInput[], sizes: readonly number[]): void {
    if (this.inputs.bind(inputs)) this.laidOut = null;
    this.layOut(sizes);
    this.inputs.feed(inputs);
    this.perform();
  }

  /**
   * Runs with the inputs of the last run, but for the first ones, if they are numbers; nothing is handed out. False if that
   * cannot be, because memory has moved since.
   */
  again(numbers: readonly number[]): boolean {
    const { laidOut, device } = this;
    const { memory } = device;
    if (laidOut === null || memory.version !== laidOut.version) return false;
    if (memory.scratch(this.arenaBytes) !== laidOut.base) return false;
    this.inputs.feed(numbers);
    this.perform();
    return true;
  }

  /** An output as the last run left it, which the next run overwrites. */
  outputOf(output: number): number | Data {
    const { slot, elements } = this.readings[output];
    return elements === null ? this.slotView[slot] : elements;
  }

  private perform(): void {
    if (this.isWalked()) {
      this.walked!();
      this.check();
      return;
    }
    const { runs, slotView, slotsAt } = this;
    for (let i = 0; i < runs.length; i++) {
      const run = runs[i];
      if (run.kind === 'kernel') {
        const { kernel, tables, job } = run;
        if (job === null) for (let k = 0; k < tables.length; k++) kernel(tables[k]);
        else (this.device.threads as Threads).run(job);
      } else if (run.kind === 'call') {
        run.call();
      } else run.perform(slotView, slotsAt);
    }
    this.check();
  }

  private check(): void {
    const { slotView } = this;
    for (const { slot, length } of this.checks) if (slotView[slot] !== 0) badIndices(slotView[slot], length);
  }

  /** Whether there is a function for all steps; it is made where it will last. */
  private isWalked(): boolean {
    if (this.walked !== null) return true;
    const after = this.openKernels.length > 0 ? WALKED_AFTER : CLOSED_WALKED_AFTER;
    if (++this.runsAlike < after || this.walks === MOST_WALKS || this.runs.length < WORTH_WALKING) return false;
    this.walks++;
    const { slotView, slotsAt } = this;
    const walk = new Walk(this.countsAt, slotsAt);
    for (const run of this.runs) {
      if (run.kind === 'scalars') run.write(walk, slotView, slotsAt);
      else run.write(walk);
    }
    this.walked = walk.build(this.device);
    return true;
  }

  private readingOf(value: Value, sizes: readonly number[]): Reading {
    if (value.source?.kind === 'baked') return { slot: STAYS, elements: value.source.data };
    const root = rootOf(value);
    const target = this.targets.get(root);
    if (target !== undefined) return { slot: STAYS, elements: target.view() };
    if (value.isScalar) return { slot: this.slots.get(root) as number, elements: null };
    const at = this.addressOf(root) / bytesPerElement[value.dtype];
    const heap = this.device.memory.view(value.dtype);
    const { space, shape } = value;
    const elements = heap.subarray(at, at + elementsOf(value, sizes));
    const isOpen = space >= 0 && this.lanes.isOpen[space];
    return {
      slot: IN_ARENA,
      elements,
      open: isOpen ? { space, each: sizeOf(shape), copy: elements.slice() } : undefined,
    };
  }

  private slotOf(value: Value): number {
    let slot = this.slots.get(value);
    if (slot === undefined) {
      slot = this.slots.size;
      this.slots.set(value, slot);
    }
    return slot;
  }

  private prepare(step: Step, outside: ReadonlySet<Value>): void {
    if (step.kind === 'scalars') {
      const slotOf = (value: Value): number => this.slotOf(rootOf(value));
      const leaves = (value: Value): boolean => outside.has(value);
      this.runs.push(new ScalarStep(this.device.memory, step.members, slotOf, leaves));
    } else if (step.kind === 'single' && step.value.op === PARTITION) {
      const run = new PartitionStep(this.device, step.value, this.lanes);
      this.partitions.push(run);
      this.runs.push(run);
    } else if (step.kind === 'single') {
      for (const value of [step.value, ...step.value.inputs]) if (value.isScalar) this.slotOf(rootOf(value));
      const run = new CallStep(this.device, step.value);
      this.calls.push(run);
      this.runs.push(run);
    } else {
      for (const value of [...step.operands, ...step.reductions]) if (value.isScalar) this.slotOf(rootOf(value));
      const run = new KernelStep(this.device, step, outside, this.lanes.isOpen[step.domain.space] ?? false);
      this.kernels.push(run);
      if (run.isOpen) {
        const open = new OpenKernel(run, this.lanes);
        this.openKernels.push(open);
        this.runs.push(open);
      } else this.runs.push(run);
    }
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
    this.countsAt = keep(4 * this.lanes.isOpen.length);
    this.callTables = keep(4 * this.calls.reduce((words, call) => words + call.words, 0));
    for (const step of this.calls) {
      if (step.move === null) continue;
      step.offsetsAt = keep(4 * step.move.offsets.length);
      memory.i32.set(step.move.offsets, step.offsetsAt / 4);
    }
    for (const value of program.values) {
      if (value.source?.kind !== 'baked') continue;
      const { data } = value.source;
      if (typeof data === 'number') {
        const slot = this.slots.get(value);
        if (slot !== undefined) memory.f64[this.slotsAt / 8 + slot] = data;
      } else {
        const at = keep(data.length * bytesPerElement[value.dtype]);
        memory.view(value.dtype).set(data, at / bytesPerElement[value.dtype]);
        this.bakedAt.set(value, at);
      }
    }
  }

  private readonly addresses = (value: Value): number => this.addressOf(value);

  private addressOf(value: Value): number {
    const root = rootOf(value);
    if (root.isScalar) return this.slotsAt + 8 * (this.slots.get(root) as number);
    const fixed = this.bakedAt.get(root) ?? this.targets.get(root)?.address ?? this.inputs.bound.get(root);
    if (fixed !== undefined) return fixed;
    return (this.laidOut as { base: number }).base + (this.offsets.get(root) as number);
  }

  /** Assigns addresses and writes the tables, unless the last layout still holds. */
  private layOut(sizes: readonly number[]): void {
    const { memory } = this.device;
    const before = this.laidOut;
    const sameSizes = before !== null && areSame(before.sizes, sizes);
    const stands = before !== null && sameSizes && memory.scratch(this.arenaBytes) === before.base;
    if (stands && memory.version === before.version) return;
    if (!sameSizes) {
      const moving = this.lifetimes.filter(({ value }) => !this.targets.has(value) && !this.inputs.bound.has(value));
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
      this.device.threads?.reserve();
      for (const kernel of this.kernels) kernel.makeTables(sizes);
    }
    this.checkTargets();
    const base = memory.scratch(this.arenaBytes);
    this.laidOut = { base, version: memory.version, sizes: [...sizes] };
    this.slotView = memory.f64.subarray(this.slotsAt / 8, this.slotsAt / 8 + this.slots.size);
    const { addresses } = this;
    const { lanes } = this;
    lanes.counts = memory.i32.subarray(this.countsAt / 4, this.countsAt / 4 + sizes.length);
    lanes.counts.set(sizes);
    lanes.most = sizes;
    this.walked = null;
    this.runsAlike = 0;
    for (const kernel of this.kernels) kernel.writeTables(sizes, addresses);
    let table = this.callTables;
    for (const step of this.calls) {
      step.prepare(sizes, addresses, table, this.lanes);
      table += 4 * step.words;
    }
    for (const step of this.openKernels) step.prepare(sizes, addresses);
    for (const step of this.partitions) step.prepare(addresses, this.kernels);
    this.inputs.place(memory, addresses);
    this.readings = this.outputs.map((value) => this.readingOf(value, sizes));
  }

  /** A buffer may be updated in place, but not before its old contents have been read for the last time. */
  private checkTargets(): void {
    for (const [root, buffer] of this.targets) {
      const written = this.schedule.stepOf.get(root) as number;
      for (const { value, to } of this.lifetimes) {
        const address = this.inputs.bound.get(value);
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
}

function areSame(a: readonly number[], b: readonly number[]): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
