import type { Plan } from '../../../tensor/plan/compile.ts';
import { type ScalarParts, ScalarPlan } from '../../../tensor/plan/scalar-plan.ts';
import { builtFormulas, type ExportedFunction, webAssembly } from '../../../tensor/wasm/host.ts';
import type { DeviceMemory } from '../../../tensor/wasm/memory.ts';
import built from './trajectory-module.ts?bytes';
import { TABLE } from './trajectory-table.ts';

/** Whether a plan is WebAssembly that computes, from numbers, a log-density and its gradient. */
export function isDensity(plan: Plan, dimension: number): plan is ScalarPlan {
  if (!(plan instanceof ScalarPlan)) return false;
  const outputs = plan.parts?.outputs;
  // A derivative that is itself a coordinate would change as the coordinate moves.
  return outputs?.length === dimension + 1 && outputs.every((slot) => slot === null || slot >= dimension);
}

let compiled: object | undefined;

/**
 * Leapfrog steps as WebAssembly, around a plan that computes a log-density of numbers and then its gradient. A trajectory
 * is one call, where otherwise each of its steps would go through functions that V8 has yet to optimise.
 */
export class Leapfrog {
  readonly memory: DeviceMemory;
  /** The functions of `trajectory-module.ts`. */
  readonly functions: Readonly<Record<string, ExportedFunction>>;
  /** The table of what they work on. */
  readonly table: number;
  /** Of float64, as all that follow: the position, momenta, and inverse masses. */
  private readonly positions: number;
  private readonly momenta: number;
  private readonly masses: number;
  /** The log-density and its derivatives. */
  private readonly outputs: readonly number[];

  private constructor(
    /** Kept, because its slots are freed with it. */
    readonly plan: ScalarPlan,
    readonly dimension: number,
  ) {
    const { memory, address, outputs, constants, compute } = plan.parts as ScalarParts;
    this.memory = memory;
    // Rows of numbers, one after the other: momenta, inverse masses, outputs that are constants; then words.
    const numbers = 3 * dimension + 1;
    const words = Object.keys(TABLE).length + dimension + 1;
    const start = this.allocate(8 * numbers + 4 * words);
    this.positions = address / 8;
    this.momenta = start / 8;
    this.masses = this.momenta + dimension;
    const spare = this.masses + dimension;
    this.outputs = outputs.map((slot, i) => {
      if (slot !== null) return this.positions + slot;
      memory.f64[spare + i] = constants[i];
      return spare + i;
    });
    this.table = start + 8 * numbers;
    const table = this.table + 4 * Object.keys(TABLE).length;
    this.tell('dimension', dimension);
    this.tell('slots', address);
    this.tell('momenta', 8 * this.momenta);
    this.tell('inverseMasses', 8 * this.masses);
    this.tell('outputs', table);
    for (let i = 0; i <= dimension; i++) memory.i32[table / 4 + i] = 8 * this.outputs[i];
    const host = webAssembly as NonNullable<typeof webAssembly>;
    compiled ??= builtFormulas(built);
    const env = { memory: memory.memory, compute, log: Math.log, exp: Math.exp };
    this.functions = new host.Instance(compiled, { env }).exports;
  }

  /** Null where the plan is no WebAssembly, or has other outputs than a density and its gradient. */
  static around(plan: Plan, dimension: number): Leapfrog | null {
    return isDensity(plan, dimension) ? new Leapfrog(plan, dimension) : null;
  }

  /** Memory that is freed with this. */
  allocate(bytes: number): number {
    return this.memory.allocateFor(this, bytes);
  }

  /** Writes a word of the table. */
  tell(name: keyof typeof TABLE, value: number): void {
    this.memory.i32[this.table / 4 + TABLE[name]] = value;
  }

  setMasses(inverseMass: Float64Array): void {
    this.memory.f64.set(inverseMass, this.masses);
  }

  /** Moves position, momentum and gradient by `count` steps; gives the log-density there. */
  run(
    position: Float64Array,
    momentum: Float64Array,
    gradient: Float64Array,
    inverseMass: Float64Array,
    step: number,
    count: number,
  ): number {
    const { dimension, positions, momenta, masses, outputs } = this;
    const slots = this.memory.f64;
    for (let i = 0; i < dimension; i++) {
      slots[positions + i] = position[i];
      slots[momenta + i] = momentum[i];
      slots[masses + i] = inverseMass[i];
      slots[outputs[i + 1]] = gradient[i];
    }
    this.functions.travel(count, step, this.table);
    for (let i = 0; i < dimension; i++) {
      position[i] = slots[positions + i];
      momentum[i] = slots[momenta + i];
      gradient[i] = slots[outputs[i + 1]];
    }
    return slots[outputs[0]];
  }
}
