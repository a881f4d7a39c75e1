/** Plans to be run again and again with new inputs, without recording the graph anew. */
import { currentDevice } from '../devices.ts';
import { topological } from '../graph.ts';
import { allocate, type Data, type Node, RESIDENT } from '../node.ts';
import { computeAll } from '../reference.ts';
import { sizeOf } from '../shape.ts';
import { Tensor } from '../tensor.ts';
import { wasmDevice } from '../wasm/device.ts';
import { ResidentBuffer } from '../wasm/resident.ts';
import type { PlanInput } from './given-inputs.ts';
import { withKnownIndices } from './known-indices.ts';
import { withPicksThrough } from './picks-through.ts';
import { openLanes, programOf } from './program.ts';
import { ScalarPlan } from './scalar-plan.ts';
import { scalarProgramOf } from './scalar-program.ts';
import { withShortRows } from './short-rows.ts';
import { withSumsTogether } from './sums-together.ts';
import { withoutUnitAxes } from './unit-axes.ts';
import { WasmPlan } from './wasm-plan.ts';

/** What may be given for an input: a number, the elements in row-major order, a tensor, or a buffer on the device. */
export type RunInput = number | Tensor | Data | ResidentBuffer;
export type RunOutput = number | Data;

export interface Plan {
  /** Computes the outputs for new values of the inputs, in the order given to `compilePlan`. */
  run(inputs: readonly RunInput[]): RunOutput[];
  /** Lets an output be written to a buffer that stays on the device; `run` then gives a view of the buffer. */
  into(output: number, buffer: ResidentBuffer): void;
  /** The same if it is possible: the output is computed, as a tensor, and is not another output as well. */
  intoIfPossible(output: number, buffer: ResidentBuffer): boolean;
  /**
   * Computes the outputs for other values of the first inputs, which are numbers, and the same buffers as in the last run. False if that is
   * not possible now: then `run` has to be called. Absent where it never is.
   */
  again?(numbers: readonly number[]): boolean;
  /** An output after `again`, in place: the next run overwrites it. */
  outputOf?(output: number): RunOutput;
  /** How many lanes an output had in the last run, where each run finds them anew; the output then has room for more. */
  lanesOf?(output: number): number | undefined;
}

/** Everything that is not among `inputs` (or resident on the device) is a constant of the plan. */
export function compilePlan(outputs: readonly Node[], inputs: readonly Node[]): Plan {
  const order = topological(outputs);
  const numbers = scalarProgramOf(order, outputs, inputs);
  if (numbers !== null) return new ScalarPlan(numbers, inputs.length);
  const resident = order.filter((node) => node.op === RESIDENT);
  const program = withSumsTogether(
    withoutUnitAxes(withShortRows(withPicksThrough(withKnownIndices(programOf(outputs, [...inputs, ...resident]))))),
  );
  if (program.values.every((value) => value.isScalar)) return new ScalarPlan(program, inputs.length);
  const device = currentDevice() === 'wasm' ? wasmDevice() : null;
  if (device === null) {
    if (program.spaces.some(({ isOpen }) => isOpen)) throw openLanes;
    return new ReferencePlan(outputs, inputs);
  }
  const plan = new WasmPlan(device, program);
  const buffers = resident.map((node) => node.attributes as unknown as ResidentBuffer);
  // The lanes of a side are at most as many as the lanes around it.
  const sizes = program.spaces.map((space) => space.closed.size);
  const all: PlanInput[] = [...inputs.map(() => 0), ...buffers];
  const handle: Plan = {
    run(given) {
      for (let i = 0; i < given.length; i++) all[i] = checked(given[i], inputs[i]);
      return plan.run(all, sizes);
    },
    into: (output, buffer) => plan.into(output, buffer),
    intoIfPossible: (output, buffer) => plan.intoIfPossible(output, buffer),
    lanesOf: (output) => plan.lanesOf(output),
    again: (numbers) => plan.again(numbers),
    outputOf: (output) => plan.outputOf(output),
  };
  abandoned.register(handle, plan);
  return handle;
}

/** Frees the device memory of plans that cannot be run any more. */
const abandoned = new FinalizationRegistry<WasmPlan>((plan) => plan.release());

function checked(given: RunInput, input: Node): number | Data | ResidentBuffer {
  if (typeof given === 'number') return given;
  const data = given instanceof Tensor ? given.data : given;
  if (data.length !== input.length) {
    throw new RangeError(`A plan's input of ${input.length} elements was given ${data.length}.`);
  }
  return data;
}

/** Where there is no WebAssembly: evaluates the graph itself, with other data at its leaves. */
class ReferencePlan implements Plan {
  private readonly targets = new Map<number, ResidentBuffer>();

  constructor(
    private readonly outputs: readonly Node[],
    private readonly inputs: readonly Node[],
  ) {}

  run(given: readonly RunInput[]): RunOutput[] {
    const values = new Map<Node, number | Data>();
    this.inputs.forEach((node, i) => {
      const value = checked(given[i], node);
      values.set(node, inPrecision(value instanceof ResidentBuffer ? value.view().slice() : value, node));
    });
    const out: RunOutput[] = computeAll(this.outputs, values);
    for (const [i, buffer] of this.targets) {
      buffer.view().set(out[i] as Data);
      out[i] = buffer.view();
    }
    return out;
  }

  into(output: number, buffer: ResidentBuffer): void {
    this.targets.set(output, buffer);
  }

  intoIfPossible(output: number, buffer: ResidentBuffer): boolean {
    this.into(output, buffer);
    return true;
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
