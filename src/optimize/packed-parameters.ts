/**
 * The parameters of an optimisation, one after the other in buffers on the device, with their gradients and what the
 * optimiser remembers: a step moves all of them in one pass, and a compiled step reads and writes them in place. The
 * table of parameters is brought up to date when somebody looks into it.
 */
import type { ParameterTable } from '../runtime/parameters.ts';
import { input } from '../tensor/leaves.ts';
import type { Data, Node } from '../tensor/node.ts';
import { add, gt, mul, select, square, sum } from '../tensor/ops.ts';
import type { UpdateRule } from '../tensor/optimisers.ts';
import { compilePlan, type Plan } from '../tensor/plan/compile.ts';
import { Tensor } from '../tensor/tensor.ts';
import { type ResidentBuffer, residentBuffer } from '../tensor/wasm/resident.ts';
import type { Memory } from './update-rules.ts';

interface Place {
  readonly start: number;
  readonly length: number;
  readonly dims: readonly number[];
  /** What the table held when table and buffer last agreed. */
  tensor: Tensor;
}

type Gradients = ReadonlyMap<string, Float64Array>;

export class PackedParameters {
  private readonly places = new Map<string, Place>();
  private used = 0;
  private values = residentBuffer(FIRST_LENGTH);
  private gradients = residentBuffer(FIRST_LENGTH);
  /** 1 for the parameters met in the step at hand, else 0. */
  private mask = residentBuffer(FIRST_LENGTH);
  private memory: readonly ResidentBuffer[];
  private plans = new Map<string, Plan>();
  private groups: readonly (readonly string[])[] = [];
  private allMet = false;
  private version = -1;
  /** Counts how often the buffers were replaced by longer ones. */
  moves = 0;

  constructor(
    private readonly table: ParameterTable,
    private readonly rule: UpdateRule,
    private readonly weightDecay: number,
  ) {
    this.memory = Array.from({ length: rule.states }, () => residentBuffer(FIRST_LENGTH));
  }

  /** The values of parameters as they stand one after the other; undefined if they do not. */
  valuesOf(names: readonly string[]): ResidentBuffer | undefined {
    return this.part(this.values, names);
  }

  gradientsOf(names: readonly string[]): ResidentBuffer | undefined {
    return this.part(this.gradients, names);
  }

  /** Where the gradient of one parameter is to be written. */
  gradientOf(name: string): Float64Array {
    const { start, length } = this.places.get(name)!;
    return this.gradients.view().subarray(start, start + length) as Float64Array;
  }

  /** Copies of the values, in the order of the names. */
  copyOf(names: readonly string[]): Float64Array {
    const parts = names.map((name) => this.places.get(name)!);
    const out = new Float64Array(parts.reduce((length, place) => length + place.length, 0));
    const values = this.values.view();
    let at = 0;
    for (const { start, length } of parts) {
      out.set(values.subarray(start, start + length), at);
      at += length;
    }
    return out;
  }

  /** The names of the parameters that the step at hand has gradients of, in groups. */
  get met(): readonly (readonly string[])[] {
    return this.groups;
  }

  /** Says which parameters the step at hand has gradients of. */
  meet(groups: readonly (readonly string[])[]): void {
    if (groups === this.groups) return;
    for (const names of groups) for (const name of names) if (!this.places.has(name)) this.place(name);
    const count = groups.reduce((sum, names) => sum + names.length, 0);
    this.allMet = count === this.places.size;
    this.groups = groups;
    if (this.allMet) return;
    const mask = this.mask.view().fill(0);
    for (const names of groups) {
      for (const name of names) {
        const { start, length } = this.places.get(name)!;
        mask.fill(1, start, start + length);
      }
    }
  }

  /** Takes over gradients that were computed elsewhere. */
  take(gradients: Gradients): void {
    this.meet([[...gradients.keys()]]);
    this.load();
    for (const [name, gradient] of gradients) this.gradientOf(name).set(gradient);
  }

  /** Takes over the gradient of parameters, one after the other; a number stands for all elements. */
  put(names: readonly string[], gradient: number | Data): void {
    let at = 0;
    for (const name of names) {
      const own = this.gradientOf(name);
      if (typeof gradient === 'number') own.fill(gradient);
      else for (let i = 0; i < own.length; i++) own[i] = gradient[at + i];
      at += own.length;
    }
  }

  /** The norm of the gradient, weight decay included. Not finite if some element is not. */
  norm(): number {
    const plan = this.plan('norm', () => compilePlan([sum(square(this.pull())) as Node], []));
    return Math.sqrt(Number(plan.run([])[0]));
  }

  /** Moves the parameters against their gradients times `scale`. `step` counts from 0. */
  move(step: number, stepSize: number, scale: number): void {
    this.plan(scale === 1 ? 'move' : 'scaled', () => this.movement(scale !== 1)).run([step + 1, stepSize, scale]);
    this.table.isBehind(() => this.store());
  }

  /** A parameter whose gradient is not finite, if there is one. */
  culprit(): string | undefined {
    for (const names of this.groups) {
      for (const name of names) if (!this.gradientOf(name).every(Number.isFinite)) return name;
    }
    return undefined;
  }

  /** Takes over what others have put into the table. */
  load(): void {
    if (this.version === this.table.version) return;
    const values = this.values.view();
    for (const [name, place] of this.places) {
      const tensor = this.table.get(name);
      if (tensor === undefined || tensor === place.tensor) continue;
      values.set(tensor.data, place.start);
      place.tensor = tensor;
    }
    this.version = this.table.version;
  }

  /** Brings the table up to date. Tensors are never changed in place, since others may hold them. */
  store(): void {
    const values = this.values.view() as Float64Array;
    for (const [name, place] of this.places) {
      const { start, length, dims } = place;
      place.tensor = new Tensor(dims, values.slice(start, start + length));
      this.table.set(name, place.tensor);
    }
    this.version = this.table.version;
  }

  /** What the optimiser remembers of each parameter. */
  memories(): Map<string, Memory> {
    const views = this.memory.map((buffer) => buffer.view() as Float64Array);
    return new Map(
      [...this.places].map(([name, { start, length }]) => [
        name,
        views.map((view) => view.slice(start, start + length)),
      ]),
    );
  }

  /** The parameters are in the table already. */
  restore(memories: ReadonlyMap<string, Memory>): void {
    this.meet([[...memories.keys()]]);
    for (const [name, memory] of memories) {
      const { start } = this.places.get(name)!;
      memory.forEach((numbers, i) => {
        this.memory[i].view().set(numbers, start);
      });
    }
  }

  private part(buffer: ResidentBuffer, names: readonly string[]): ResidentBuffer | undefined {
    const { start } = this.places.get(names[0])!;
    let end = start;
    for (const name of names) {
      const place = this.places.get(name)!;
      if (place.start !== end) return undefined;
      end += place.length;
    }
    return buffer.part(start, end - start);
  }

  private place(name: string): void {
    const tensor = this.table.get(name)!;
    const { length, dims } = tensor;
    if (this.used + length > this.values.length) this.grow(this.used + length);
    this.places.set(name, { start: this.used, length, dims, tensor });
    this.values.view().set(tensor.data, this.used);
    this.used += length;
  }

  private grow(least: number): void {
    const longer = (buffer: ResidentBuffer): ResidentBuffer => {
      const copy = residentBuffer(Math.max(least, 2 * buffer.length));
      copy.view().set(buffer.view());
      return copy;
    };
    this.values = longer(this.values);
    this.gradients = longer(this.gradients);
    this.mask = longer(this.mask);
    this.memory = this.memory.map(longer);
    this.plans.clear();
    this.moves++;
  }

  private plan(kind: string, make: () => Plan): Plan {
    const key = this.allMet ? kind : `${kind} met`;
    let plan = this.plans.get(key);
    if (plan === undefined) {
      plan = make();
      this.plans.set(key, plan);
    }
    return plan;
  }

  private node(buffer: ResidentBuffer): Node {
    return buffer.node([buffer.length]);
  }

  private isMet(): Node {
    return gt(this.node(this.mask), 0) as Node;
  }

  /** The gradient with weight decay. */
  private pull(): Node {
    const gradient = this.node(this.gradients);
    const { weightDecay } = this;
    const pull = weightDecay === 0 ? gradient : (add(gradient, mul(weightDecay, this.node(this.values))) as Node);
    return this.allMet ? pull : (select(this.isMet(), pull, 0) as Node);
  }

  private movement(scaled: boolean): Plan {
    const [step, stepSize, scale] = [input(), input(), input()];
    const before = [this.values, ...this.memory].map((buffer) => this.node(buffer));
    const [parameter, ...state] = before;
    const gradient = scaled ? (mul(scale, this.pull()) as Node) : this.pull();
    const after = this.rule.update({ parameter, gradient, state, step, stepSize });
    const moved = [after.parameter, ...after.state] as Node[];
    const outputs = this.allMet ? moved : moved.map((now, i) => select(this.isMet(), now, before[i]) as Node);
    const plan = compilePlan(outputs, [step, stepSize, scale]);
    [this.values, ...this.memory].forEach((buffer, i) => {
      plan.into(i, buffer);
    });
    return plan;
  }
}

const FIRST_LENGTH = 64;
