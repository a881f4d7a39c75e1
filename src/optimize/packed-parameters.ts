/**
 * The parameters of an optimisation, packed into buffers on the device: one pack for those in double precision, one for
 * those of networks. A compiled step reads and writes them in place. The table of parameters is brought up to date when
 * it is read.
 */
import { WaymarkError } from '../runtime/errors.ts';
import type { ParameterTable } from '../runtime/parameters.ts';
import { allocate, type Data, type DType } from '../tensor/node.ts';
import type { UpdateRule } from '../tensor/optimisers.ts';
import { Tensor } from '../tensor/tensor.ts';
import type { ResidentBuffer } from '../tensor/wasm/resident.ts';
import { ParameterPack, type Stretch } from './parameter-pack.ts';
import type { Memory } from './update-rules.ts';

interface Place extends Stretch {
  readonly pack: ParameterPack;
  readonly dims: readonly number[];
  /** What the table held when table and buffer last agreed. */
  tensor: Tensor;
}

/** Parameters whose gradients come together, and the precision they come in. */
export interface ParameterGroup {
  readonly names: readonly string[];
  readonly precision: 'f64' | 'f32';
}

/** Gradients in the precision that their parameters are kept in. */
export type Gradients = ReadonlyMap<string, Float64Array | Float32Array>;

export class PackedParameters {
  private readonly places = new Map<string, Place>();
  private readonly packs = new Map<DType, ParameterPack>();
  /** Of parameters that were withdrawn, for when they are declared again. */
  private readonly freePlaces = new Map<string, Place>();
  private groups: readonly ParameterGroup[] = [];
  private version = -1;
  private readonly catchUp = (): void => this.store();
  /** Counts how often buffers were replaced by longer ones. */
  moves = 0;

  constructor(
    private readonly table: ParameterTable,
    private readonly rule: UpdateRule,
    private readonly weightDecay: number,
  ) {}

  /** Whether the parameter has its place. */
  has(name: string): boolean {
    return this.places.has(name);
  }

  /** Whether there is such a parameter, with its place or without. */
  isDeclared(name: string): boolean {
    return this.table.has(name);
  }

  /** Removes parameters that were declared for a step which was not made: the program may not have them. */
  withdraw(names: readonly string[]): void {
    for (const name of names) {
      const place = this.places.get(name);
      if (place !== undefined) this.freePlaces.set(name, place);
      this.places.delete(name);
      this.table.remove(name);
    }
    this.groups = [];
  }

  /** How many parameters are declared. */
  get declared(): number {
    return this.table.size;
  }

  /** Removes those beyond this number, if only executions that were given up have met them. */
  withdrawSince(declared: number, isMet = (_name: string): boolean => false): void {
    if (this.declared > declared) this.withdraw([...this.table.names()].slice(declared).filter((name) => !isMet(name)));
  }

  /** The values of parameters as they stand one after the other; undefined if they do not. */
  valuesOf(group: ParameterGroup): ResidentBuffer | undefined {
    return this.part(group, (pack) => pack.values);
  }

  gradientsOf(group: ParameterGroup): ResidentBuffer | undefined {
    return this.part(group, (pack) => pack.gradients);
  }

  /** Multiplies the gradients of all parameters of a precision by a number. */
  scaleGradients(precision: ParameterGroup['precision'], by: number): void {
    this.packs.get(precision)?.scaleGradients(by);
  }

  /** Where the gradient of one parameter is to be written. */
  gradientOf(name: string): Data {
    const { pack, start, length } = this.places.get(name)!;
    return pack.gradients.view().subarray(start, start + length);
  }

  /** Copies of the values, in the order of the names. */
  copyOf({ names, precision }: ParameterGroup): Data {
    const places = names.map((name) => this.places.get(name)!);
    const out = allocate(
      precision,
      places.reduce((length, place) => length + place.length, 0),
    );
    let at = 0;
    for (const { pack, start, length } of places) {
      out.set(pack.values.view().subarray(start, start + length), at);
      at += length;
    }
    return out;
  }

  /** The parameters that the step at hand has gradients of. */
  get met(): readonly ParameterGroup[] {
    return this.groups;
  }

  /** Says which parameters the step at hand has gradients of. */
  meet(groups: readonly ParameterGroup[]): void {
    if (groups === this.groups) return;
    for (const { names, precision } of groups) {
      for (const name of names) if (!this.places.has(name)) this.place(name, precision);
    }
    this.groups = groups;
    const met = groups.flatMap(({ names }) => names.map((name) => this.places.get(name)!));
    for (const pack of this.packs.values()) pack.meet(met.filter((place) => place.pack === pack));
  }

  /** Takes over gradients that were computed elsewhere. */
  take(gradients: Gradients): void {
    const groups = new Map<'f64' | 'f32', string[]>();
    for (const [name, gradient] of gradients) {
      const precision = gradient instanceof Float32Array ? 'f32' : 'f64';
      const names = groups.get(precision);
      if (names === undefined) groups.set(precision, [name]);
      else names.push(name);
    }
    this.meet(Array.from(groups, ([precision, names]) => ({ precision, names })));
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
    let squared = 0;
    for (const pack of this.packs.values()) squared += pack.squaredNorm();
    return Math.sqrt(squared);
  }

  /** Moves the parameters against their gradients times `scale`. `step` counts from 0. */
  move(step: number, stepSize: number, scale: number): void {
    for (const pack of this.packs.values()) pack.move(step, stepSize, scale);
    this.table.isBehind(this.catchUp);
  }

  /** A number that differs where parameters differ, but for chance. */
  hash(): number {
    let hash = 0;
    for (const name of [...this.places.keys()].sort()) {
      const { pack, start, length } = this.places.get(name)!;
      const values = pack.values.view().slice(start, start + length);
      for (const word of new Int32Array(values.buffer)) hash = (Math.imul(hash, 31) + word) | 0;
    }
    return hash;
  }

  /** A parameter whose gradient is not finite, if there is one. */
  culprit(): string | undefined {
    for (const { names } of this.groups) {
      for (const name of names) if (!this.gradientOf(name).every(Number.isFinite)) return name;
    }
    return undefined;
  }

  /** Takes over what others have put into the table. */
  load(): void {
    if (this.version === this.table.version) return;
    for (const [name, place] of this.places) {
      const tensor = this.table.get(name);
      if (tensor === undefined || tensor === place.tensor) continue;
      place.pack.values.view().set(tensor.data, place.start);
      place.tensor = tensor;
    }
    this.version = this.table.version;
  }

  /** Brings the table up to date. Tensors are never changed in place, since others may hold them. */
  store(): void {
    for (const [name, place] of this.places) {
      const { pack, start, length, dims } = place;
      place.tensor = new Tensor(dims, Float64Array.from(pack.values.view().subarray(start, start + length)));
      this.table.set(name, place.tensor);
    }
    this.version = this.table.version;
  }

  /** What the optimiser remembers of each parameter, in the precision the parameter is kept in. */
  memories(): Map<string, Memory> {
    return new Map(
      [...this.places].map(([name, { pack, start, length }]) => [
        name,
        pack.memory.map((buffer) => buffer.view().slice(start, start + length) as Memory[number]),
      ]),
    );
  }

  /** The parameters are in the table already. */
  restore(memories: ReadonlyMap<string, Memory>): void {
    for (const [name, memory] of memories) {
      if (memory.length !== this.rule.states) {
        throw new WaymarkError(
          `The checkpoint has ${memory.length} arrays that the optimiser remembers of '${name}', and it needs ${this.rule.states}. ` +
            'It is not one that this optimisation wrote: delete it to start anew.',
        );
      }
      this.place(name, memory[0] instanceof Float32Array ? 'f32' : 'f64');
      const { pack, start } = this.places.get(name)!;
      memory.forEach((numbers, i) => {
        pack.memory[i].view().set(numbers, start);
      });
    }
  }

  private part(
    { names, precision }: ParameterGroup,
    bufferOf: (pack: ParameterPack) => ResidentBuffer,
  ): ResidentBuffer | undefined {
    const { pack, start } = this.places.get(names[0])!;
    if (pack.precision !== precision) return undefined;
    let end = start;
    for (const name of names) {
      const place = this.places.get(name)!;
      if (place.pack !== pack || place.start !== end) return undefined;
      end += place.length;
    }
    return bufferOf(pack).part(start, end - start);
  }

  private place(name: string, precision: 'f64' | 'f32'): void {
    const tensor = this.table.valueBeside(this.catchUp, name)!;
    const pack = this.pack(precision);
    const free = this.freePlaces.get(name);
    if (free?.pack === pack && free.length === tensor.data.length) {
      pack.values.view().set(tensor.data, free.start);
      this.places.set(name, { ...free, dims: tensor.dims, tensor });
    } else this.places.set(name, { ...pack.place(tensor.data), pack, dims: tensor.dims, tensor });
    this.freePlaces.delete(name);
  }

  private pack(precision: 'f64' | 'f32'): ParameterPack {
    let pack = this.packs.get(precision);
    if (pack === undefined) {
      pack = new ParameterPack(precision, this.rule, this.weightDecay, () => this.moves++);
      this.packs.set(precision, pack);
    }
    return pack;
  }
}
