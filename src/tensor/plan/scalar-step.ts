/** Scalars that a plan with tensors computes between its kernels. */
import type { DeviceMemory } from '../wasm/memory.ts';
import type { Value } from './program.ts';
import { compileScalars, interpreted, type ScalarCode } from './scalar-code.ts';
import { asCode, compileScalarsToWasm, WORTH_WASM } from './scalar-wasm.ts';
import type { Walk } from './walk.ts';

/** Code of its own pays from so many runs on. Mostly a walk has taken over by then. */
const COMPILED_AFTER = 32;

export class ScalarStep {
  readonly kind = 'scalars';
  private code: readonly ScalarCode[];
  private runs = 0;

  constructor(
    memory: DeviceMemory,
    private readonly members: readonly Value[],
    private readonly slotOf: (value: Value) => number,
    /** Whether another step needs a value. */
    private readonly leaves: (value: Value) => boolean,
  ) {
    this.code = this.isLong
      ? [asCode(compileScalarsToWasm(memory, members, slotOf, leaves))]
      : [interpreted(members, slotOf, leaves)];
  }

  /** Whether it is a function of WebAssembly by itself. */
  private get isLong(): boolean {
    return this.members.length >= WORTH_WASM;
  }

  perform(slots: Float64Array, address: number): void {
    if (++this.runs === COMPILED_AFTER && !this.isLong)
      this.code = compileScalars(this.members, this.slotOf, this.leaves);
    for (let k = 0; k < this.code.length; k++) this.code[k](slots, address);
  }

  /** Writes it as part of a walk; the slots are where they will be. */
  write(walk: Walk, slots: Float64Array, address: number): void {
    if (this.isLong) walk.host(() => this.perform(slots, address));
    else walk.scalars(this.members, this.slotOf, this.leaves);
  }
}
