import { F64, I32, ModuleBuilder } from '../wasm/assembler.ts';
import { type ExportedFunction, webAssembly } from '../wasm/host.ts';
import { f64, i32 } from '../wasm/instructions.ts';
import type { DeviceMemory } from '../wasm/memory.ts';
import type { Plan } from './compile.ts';
import { type ScalarParts, ScalarPlan } from './scalar-plan.ts';

/** Beyond this many dimensions the density takes so much longer than the steps that nothing is won. */
const MOST_DIMENSIONS = 200;

const blocks = new FinalizationRegistry<{ memory: DeviceMemory; at: number; bytes: number }>(({ memory, at, bytes }) =>
  memory.release(at, bytes),
);

/** Whether a plan is WebAssembly that computes, from numbers, a log-density and its gradient. */
export function isDensity(plan: Plan, dimension: number): plan is ScalarPlan {
  if (!(plan instanceof ScalarPlan)) return false;
  const outputs = plan.parts?.outputs;
  // A derivative that is itself a coordinate would change as the coordinate moves.
  return outputs?.length === dimension + 1 && outputs.every((slot) => slot === null || slot >= dimension);
}

/**
 * Leapfrog steps as WebAssembly, around a plan that computes a log-density of numbers and then its gradient. A trajectory
 * is one call, where otherwise each of its steps would go through functions that the host has yet to optimise.
 */
export class Leapfrog {
  private readonly travel: ExportedFunction;
  private readonly parts: ScalarParts;
  /** Where momenta are, and after them the inverse masses. */
  private readonly momenta: number;

  private constructor(
    /** Kept, because its slots are freed with it. */
    readonly plan: ScalarPlan,
    private readonly dimension: number,
  ) {
    this.parts = plan.parts as ScalarParts;
    const { memory } = this.parts;
    const bytes = 16 * dimension;
    this.momenta = memory.allocate(bytes);
    blocks.register(this, { memory, at: this.momenta, bytes });
    this.travel = this.compile();
  }

  /** Null where the plan is no WebAssembly, or has other outputs than a density and its gradient. */
  static around(plan: Plan, dimension: number): Leapfrog | null {
    return dimension <= MOST_DIMENSIONS && isDensity(plan, dimension) ? new Leapfrog(plan, dimension) : null;
  }

  /** The arithmetic of `Flow.leapfrog`, in the same order. */
  private compile(): ExportedFunction {
    const { parts, dimension, momenta } = this;
    const { address, outputs, constants, functions, memory } = parts;
    const imports = functions.map(
      (_, i) => ({ name: `run${i}`, signature: { parameters: [I32], results: [] } }) as const,
    );
    const module = new ModuleBuilder(imports);
    module.function('travel', [I32, F64], [], (b) => {
      const left = b.let(I32, b.parameter(0));
      const step = b.parameter(1);
      const half = b.let(F64, f64.mul(f64.const(0.5), step));
      const zero = i32.const(0);
      const slope = (i: number) => {
        const slot = outputs[i + 1];
        return slot === null ? f64.const(constants[i + 1]) : f64.load([zero], address + 8 * slot);
      };
      const kick = (i: number): void => {
        const at = momenta + 8 * i;
        b.do(f64.store([zero, f64.add(f64.load([zero], at), f64.mul(half.get, slope(i)))], at));
      };
      b.while(i32.gt(left.get, i32.const(0)), () => {
        for (let i = 0; i < dimension; i++) {
          kick(i);
          const velocity = f64.mul(
            f64.mul(step, f64.load([zero], momenta + 8 * (dimension + i))),
            f64.load([zero], momenta + 8 * i),
          );
          b.do(f64.store([zero, f64.add(f64.load([zero], address + 8 * i), velocity)], address + 8 * i));
        }
        for (const { name } of imports) b.do(module.callImport(name, i32.const(address)));
        for (let i = 0; i < dimension; i++) kick(i);
        left.set(i32.sub(left.get, i32.const(1)));
      });
    });
    const env: Record<string, unknown> = { memory: memory.memory };
    functions.forEach((run, i) => {
      env[`run${i}`] = run;
    });
    const host = webAssembly as NonNullable<typeof webAssembly>;
    return new host.Instance(new host.Module(module.build(memory.shared)), { env }).exports.travel;
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
    const { memory, address, outputs, constants } = this.parts;
    const { dimension } = this;
    const slots = memory.f64;
    const first = address / 8;
    const momenta = this.momenta / 8;
    for (let i = 0; i < dimension; i++) {
      slots[first + i] = position[i];
      slots[momenta + i] = momentum[i];
      slots[momenta + dimension + i] = inverseMass[i];
      const slot = outputs[i + 1];
      if (slot !== null) slots[first + slot] = gradient[i];
    }
    this.travel(count, step);
    for (let i = 0; i < dimension; i++) {
      position[i] = slots[first + i];
      momentum[i] = slots[momenta + i];
      const slot = outputs[i + 1];
      gradient[i] = slot === null ? constants[i + 1] : slots[first + slot];
    }
    const density = outputs[0];
    return density === null ? constants[0] : slots[first + density];
  }
}
