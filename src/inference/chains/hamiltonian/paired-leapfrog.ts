import { PAIR, type PairedCode, writePairedScalars } from '../../../tensor/plan/paired-scalars.ts';
import type { ScalarParts, ScalarPlan } from '../../../tensor/plan/scalar-plan.ts';
import { Slots } from '../../../tensor/plan/slots.ts';
import { type Expression, I32, V128 } from '../../../tensor/wasm/assembler.ts';
import { type ExportedFunction, formulaModule, webAssembly } from '../../../tensor/wasm/host.ts';
import { f64x2, i32, v128 } from '../../../tensor/wasm/instructions.ts';
import type { DeviceMemory } from '../../../tensor/wasm/memory.ts';

/** A point on its way, and how it is to move. */
interface Traveller {
  readonly z: {
    readonly position: Float64Array;
    readonly momentum: Float64Array;
    readonly gradient: Float64Array;
    logDensity: number;
  };
  readonly inverseMass: Float64Array;
  readonly step: number;
}

/**
 * Leapfrog steps of two points at once, in the lanes of vectors, around a plan that computes a log-density and its gradient.
 * The result is, to the last bit, what `Leapfrog` has for each alone.
 */
export class PairedLeapfrog {
  private readonly travel: ExportedFunction;
  private readonly memory: DeviceMemory;
  private readonly outputs: readonly (number | null)[];
  private readonly constants: readonly number[];
  /** The slots of the plan come first, then momenta, inverse masses and the sizes of steps. */
  private readonly address: number;
  private readonly momenta: number;

  /** The plan is one that `isDensity` holds of. */
  constructor(
    plan: ScalarPlan,
    private readonly dimension: number,
  ) {
    const { memory, constants } = plan.parts as ScalarParts;
    const { outputs } = plan.program;
    const slots = new Slots(plan.program, dimension);
    const wanted = new Set(outputs);
    const code = writePairedScalars(
      memory,
      plan.members,
      (value) => slots.of(value),
      (value) => wanted.has(value),
    );
    this.memory = memory;
    this.constants = constants;
    this.outputs = outputs.map((value) => (value.source?.kind === 'baked' ? null : slots.of(value)));
    this.momenta = slots.count;
    this.address = memory.allocateFor(this, PAIR * (slots.count + 2 * dimension + 1));
    this.travel = this.compile(code);
  }

  /** The arithmetic of `Flow.leapfrog`, in the same order. */
  private compile({ module, env, calls }: PairedCode): ExportedFunction {
    const { dimension, momenta, address, outputs, constants, memory } = this;
    const base = i32.const(0);
    const load = (slot: number): Expression => v128.load([base], address + PAIR * slot);
    const store = (slot: number, value: Expression): Expression => v128.store([base, value], address + PAIR * slot);
    module.function('travel', [I32], [], (b) => {
      const left = b.let(I32, b.parameter(0));
      const step = b.let(V128, load(momenta + 2 * dimension));
      const half = b.let(V128, f64x2.mul(f64x2.const(0.5), step.get));
      const kick = (i: number): void => {
        const slot = outputs[i + 1];
        const slope = slot === null ? f64x2.const(constants[i + 1]) : load(slot);
        b.do(store(momenta + i, f64x2.add(load(momenta + i), f64x2.mul(half.get, slope))));
      };
      b.while(i32.gt(left.get, i32.const(0)), () => {
        for (let i = 0; i < dimension; i++) {
          kick(i);
          const velocity = f64x2.mul(f64x2.mul(step.get, load(momenta + dimension + i)), load(momenta + i));
          b.do(store(i, f64x2.add(load(i), velocity)));
        }
        for (const call of calls) b.do(call(i32.const(address)));
        for (let i = 0; i < dimension; i++) kick(i);
        left.set(i32.sub(left.get, i32.const(1)));
      });
    });
    const host = webAssembly as NonNullable<typeof webAssembly>;
    return new host.Instance(formulaModule(module.build(memory.shared)), { env }).exports.travel;
  }

  /** Moves both points by `count` steps. */
  run(first: Traveller, second: Traveller, count: number): void {
    this.put(first, 0);
    this.put(second, 1);
    this.travel(count);
    this.take(first, 0);
    this.take(second, 1);
  }

  private put({ z, inverseMass, step }: Traveller, lane: number): void {
    const { dimension, outputs } = this;
    const { position, momentum, gradient } = z;
    const slots = this.memory.f64;
    const first = this.address / 8 + lane;
    const momenta = first + 2 * this.momenta;
    for (let i = 0; i < dimension; i++) {
      slots[first + 2 * i] = position[i];
      slots[momenta + 2 * i] = momentum[i];
      slots[momenta + 2 * (dimension + i)] = inverseMass[i];
      const slot = outputs[i + 1];
      if (slot !== null) slots[first + 2 * slot] = gradient[i];
    }
    slots[momenta + 4 * dimension] = step;
  }

  private take({ z }: Traveller, lane: number): void {
    const { dimension, outputs, constants } = this;
    const { position, momentum, gradient } = z;
    const slots = this.memory.f64;
    const first = this.address / 8 + lane;
    const momenta = first + 2 * this.momenta;
    for (let i = 0; i < dimension; i++) {
      position[i] = slots[first + 2 * i];
      momentum[i] = slots[momenta + 2 * i];
      const slot = outputs[i + 1];
      gradient[i] = slot === null ? constants[i + 1] : slots[first + 2 * slot];
    }
    const density = outputs[0];
    z.logDensity = density === null ? constants[0] : slots[first + 2 * density];
  }
}
