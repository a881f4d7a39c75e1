/** Finds the lanes that take a side of a conditional, and tells the kernels that compute for them how many there are. */
import type { Data } from '../node.ts';
import { type PartitionAttributes, placesWhere } from '../partition.ts';
import type { WasmDevice } from '../wasm/device.ts';
import type { KernelStep } from './kernel-step.ts';
import type { OpenLanes } from './open-calls.ts';
import type { Value } from './program.ts';
import type { Walk } from './walk.ts';

export class PartitionStep {
  readonly kind = 'call';
  call: () => void = () => {};
  /** Writes the step into a walk. */
  write: (walk: Walk) => void = () => {};

  constructor(
    private readonly device: WasmDevice,
    private readonly value: Value,
    private readonly lanes: OpenLanes,
  ) {}

  /** Once the tables of all kernels are written. */
  prepare(addressOf: (value: Value) => number, kernels: readonly KernelStep[]): void {
    const { value, device } = this;
    const { counts } = this.lanes;
    const { memory } = device;
    const [condition] = value.inputs;
    const around = condition.space;
    const { space } = value;
    const heap = memory.view(condition.dtype);
    const truth: Data = heap.subarray(addressOf(condition) / heap.BYTES_PER_ELEMENT);
    const map = memory.i32.subarray(addressOf(value) / 4);
    const { which } = value.attributes as PartitionAttributes;
    const lengths = kernels.flatMap((kernel) => (kernel.space === space ? (kernel.lengthOfLanes() ?? []) : []));
    const words = Int32Array.from(lengths, ({ word }) => word);
    const eaches = Int32Array.from(lengths, ({ each }) => each);
    const { i32 } = memory;
    this.call = () => {
      const count = placesWhere(truth, counts[around], which, map);
      counts[space] = count;
      // Kernels are not run where there is no lane.
      if (count > 0) for (let i = 0; i < words.length; i++) i32[words[i]] = eaches[i] * count;
    };
    const { call } = this;
    this.write = (walk) => {
      if (condition.dtype !== 'bool') {
        walk.host(call);
        return;
      }
      walk.partition(space, around, addressOf(condition), which, addressOf(value));
      walk.when(space, () => {
        for (const { word, each } of lengths) walk.store(4 * word, { base: 0, each, space });
      });
    };
  }
}
