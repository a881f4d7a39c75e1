import { currentDevice } from '../devices.ts';
import { type ExportedFunction, webAssembly } from '../wasm/host.ts';
import { DeviceMemory } from '../wasm/memory.ts';
import type { Plan, RunInput } from './compile.ts';
import type { Program, Value } from './program.ts';
import { compileScalars, type ScalarCode } from './scalar-code.ts';
import { asCode, compileScalarsToWasm, WORTH_WASM } from './scalar-wasm.ts';
import { Slots } from './slots.ts';

/** A megabyte: memory of which much is set aside makes the garbage collector run more often. */
const INITIAL_PAGES = 16;

/** The slots of plans that are WebAssembly. Apart from that of the device, which need not be started for scalars. */
let shared: DeviceMemory | null = null;

/** A plan of scalars seen from outside: its slots, which start with the inputs, and the function that computes the others. */
export interface ScalarParts {
  readonly memory: DeviceMemory;
  readonly address: number;
  /** Takes the address of the slots. */
  readonly compute: ExportedFunction;
  readonly outputs: readonly (number | null)[];
  readonly constants: readonly number[];
}

/** A plan without any tensor: generated code over an array of slots. */
export class ScalarPlan implements Plan {
  /** Where the slots are, unless they are an array of their own. */
  private readonly memory: DeviceMemory | null = null;
  private readonly address: number = 0;
  private readonly own: Float64Array;
  private readonly code: readonly ScalarCode[];
  /** The code, if it is WebAssembly. */
  private readonly wasm: ExportedFunction | null = null;
  /** What is computed, in order. */
  readonly members: readonly Value[];
  /** The slots of outputs; null for constants. */
  private readonly outputs: readonly (number | null)[];
  private readonly constants: readonly number[];

  constructor(
    readonly program: Program,
    private readonly inputCount: number,
  ) {
    const slots = new Slots(program, inputCount);
    const slotOf = (value: Value): number => slots.of(value);
    const wanted = new Set(program.outputs);
    const leaves = (value: Value): boolean => wanted.has(value);
    if (currentDevice() === 'wasm' && webAssembly !== undefined && program.values.length >= WORTH_WASM) {
      shared ??= new DeviceMemory(INITIAL_PAGES);
      this.memory = shared;
    }
    const { memory } = this;
    this.members = program.values.filter(isComputed);
    if (memory === null) {
      this.code = compileScalars(this.members, slotOf, leaves);
    } else {
      this.wasm = compileScalarsToWasm(memory, this.members, slotOf, leaves);
      this.code = [asCode(this.wasm)];
    }
    this.constants = program.outputs.map((value) =>
      value.source?.kind === 'baked' ? (value.source.data as number) : 0,
    );
    this.outputs = program.outputs.map((value) => (value.source?.kind === 'baked' ? null : slotOf(value)));
    if (memory === null) {
      this.own = new Float64Array(slots.count);
    } else {
      this.own = new Float64Array(0);
      this.address = memory.allocateFor(this, 8 * slots.count);
    }
  }

  run(inputs: readonly RunInput[]): number[] {
    const { code, outputs, memory, address } = this;
    const slots = memory === null ? this.own : memory.f64;
    const first = address / 8;
    for (let i = 0; i < this.inputCount; i++) slots[first + i] = inputs[i] as number;
    for (let i = 0; i < code.length; i++) code[i](slots, address);
    const out = new Array<number>(outputs.length);
    for (let i = 0; i < outputs.length; i++) {
      const slot = outputs[i];
      out[i] = slot === null ? this.constants[i] : slots[first + slot];
    }
    return out;
  }

  intoIfPossible(): boolean {
    return false;
  }

  /** What other modules need to run this plan themselves; null if it is not WebAssembly. */
  get parts(): ScalarParts | null {
    const { memory, address, wasm, outputs, constants } = this;
    return memory === null || wasm === null ? null : { memory, address, compute: wasm, outputs, constants };
  }

  into(): void {
    throw new TypeError('Only a computed tensor can be directed into a buffer.');
  }
}

function isComputed({ source, op }: Value): boolean {
  if (source !== null) return false;
  if (op.kind !== 'elementwise') throw new Error(`A plan of scalars cannot contain ${op.name}.`);
  return true;
}
