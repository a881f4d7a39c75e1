/** Plans to be run again and again with new inputs, without recording the graph anew. */
import { currentDevice } from '../devices.ts';
import { topological } from '../graph.ts';
import { allocate, type Data, type Node, RESIDENT } from '../node.ts';
import { computeInto } from '../reference.ts';
import { sizeOf } from '../shape.ts';
import { Tensor } from '../tensor.ts';
import { wasmDevice } from '../wasm/device.ts';
import type { ResidentBuffer } from '../wasm/resident.ts';
import { type Program, programOf, type Value } from './program.ts';
import { compileScalars, type ScalarCode } from './scalar-code.ts';
import { ScalarModule } from './scalar-wasm.ts';
import { schedule } from './schedule.ts';
import { WasmPlan } from './wasm-plan.ts';

/** What may be given for an input: a number, the elements in row-major order, or a tensor. */
export type RunInput = number | Tensor | Data;
export type RunOutput = number | Data;

export interface Plan {
  /** Computes the outputs for new values of the inputs, in the order given to `compilePlan`. */
  run(inputs: readonly RunInput[]): RunOutput[];
  /** Lets an output be written to a buffer that stays on the device; `run` then gives a view of the buffer. */
  into(output: number, buffer: ResidentBuffer): void;
}

/** Everything that is not among `inputs` (or resident on the device) is a constant of the plan. */
export function compilePlan(outputs: readonly Node[], inputs: readonly Node[]): Plan {
  const resident = topological(outputs).filter((node) => node.op === RESIDENT);
  const program = programOf(outputs, [...inputs, ...resident]);
  if (program.values.every((value) => value.isScalar)) return scalarPlan(program, inputs.length);
  const device = currentDevice() === 'wasm' ? wasmDevice() : null;
  if (device === null) return new ReferencePlan(outputs, inputs);
  const plan = new WasmPlan(device, program);
  const buffers = resident.map((node) => node.attributes as unknown as ResidentBuffer);
  const sizes = program.spaces.map((space) => space.size);
  const handle: Plan = {
    run: (given) => plan.run([...given.map((value, i) => checked(value, inputs[i])), ...buffers], sizes),
    into: (output, buffer) => plan.into(output, buffer),
  };
  abandoned.register(handle, plan);
  return handle;
}

/** Frees the device memory of plans that nobody can run any more. */
const abandoned = new FinalizationRegistry<WasmPlan>((plan) => plan.release());

function checked(given: RunInput, input: Node): number | Data {
  if (typeof given === 'number') return given;
  const data = given instanceof Tensor ? given.data : given;
  if (data.length !== input.length) {
    throw new RangeError(`A plan's input of ${input.length} elements was given ${data.length}.`);
  }
  return data;
}

/** All scalars, on the current device. */
function scalarPlan(program: Program, inputCount: number): Plan {
  const module = currentDevice() === 'wasm' ? ScalarModule.compile(program, inputCount) : null;
  if (module === null) return new ScalarPlan(program, inputCount);
  const count = program.outputs.length;
  return {
    run(inputs) {
      const out = new Array<number>(count);
      module.run(inputs, out);
      return out;
    },
    into: refuseBuffer,
  };
}

function refuseBuffer(): never {
  throw new TypeError('Only a computed tensor can be directed into a buffer.');
}

/** All scalars: one generated function over an array of slots. */
class ScalarPlan implements Plan {
  private readonly slots: Float64Array;
  private readonly code: readonly ScalarCode[];
  private readonly outputs: readonly (number | null)[];
  private readonly constants: readonly number[];

  constructor(
    program: Program,
    private readonly inputCount: number,
  ) {
    const slots = new Map<Value, number>();
    for (const value of program.values) if (value.source?.kind === 'input') slots.set(value, value.source.index);
    let next = inputCount;
    const slotOf = (value: Value): number => {
      let slot = slots.get(value);
      if (slot === undefined) {
        slot = next++;
        slots.set(value, slot);
      }
      return slot;
    };
    const wanted = new Set(program.outputs);
    const code: ScalarCode[] = [];
    for (const step of schedule(program).steps) {
      if (step.kind !== 'scalars') throw new Error(`A plan of scalars cannot contain ${step.kind} steps.`);
      code.push(...compileScalars(step.members, slotOf, (value) => wanted.has(value)));
    }
    this.code = code;
    this.constants = program.outputs.map((value) =>
      value.source?.kind === 'baked' ? (value.source.data as number) : 0,
    );
    this.outputs = program.outputs.map((value) => (value.source?.kind === 'baked' ? null : slotOf(value)));
    this.slots = new Float64Array(next);
  }

  run(inputs: readonly RunInput[]): number[] {
    const { slots, code, outputs } = this;
    for (let i = 0; i < this.inputCount; i++) slots[i] = inputs[i] as number;
    for (let i = 0; i < code.length; i++) code[i](slots);
    const out = new Array<number>(outputs.length);
    for (let i = 0; i < outputs.length; i++) {
      const slot = outputs[i];
      out[i] = slot === null ? this.constants[i] : slots[slot];
    }
    return out;
  }

  into(): void {
    refuseBuffer();
  }
}

/** Where there is no other device: the graph itself, with other leaves. */
class ReferencePlan implements Plan {
  private readonly targets = new Map<number, ResidentBuffer>();

  constructor(
    private readonly outputs: readonly Node[],
    private readonly inputs: readonly Node[],
  ) {}

  run(given: readonly RunInput[]): RunOutput[] {
    const values = new Map<Node, number | Data>();
    this.inputs.forEach((node, i) => {
      values.set(node, inPrecision(checked(given[i], node), node));
    });
    for (const node of topological(this.outputs)) {
      if (node.op === RESIDENT) values.set(node, (node.attributes as unknown as ResidentBuffer).view().slice());
    }
    computeInto(values, this.outputs);
    const out = this.outputs.map((node) => values.get(node) as RunOutput);
    for (const [i, buffer] of this.targets) {
      buffer.view().set(out[i] as Data);
      out[i] = buffer.view();
    }
    return out;
  }

  into(output: number, buffer: ResidentBuffer): void {
    this.targets.set(output, buffer);
  }
}

/** Data rounded to the precision of the input it is given for. */
function inPrecision(value: number | Data, node: Node): number | Data {
  if (typeof value !== 'number' && (node.dtype === 'f64') === value instanceof Float64Array) return value;
  if (typeof value === 'number' && sizeOf(node.dims) === 1 && node.dims.length === 0) return value;
  const data = allocate(node.dtype, node.length);
  if (typeof value === 'number') data.fill(value);
  else data.set(value);
  return data;
}
