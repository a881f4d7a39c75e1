/** A single operation made ready: a WebAssembly routine if there is one, else the reference kernel on device memory. */
import { elementwiseLoop } from '../elementwise/loops.ts';
import { bytesPerElement, type Operand } from '../node.ts';
import { sizeOf } from '../shape.ts';
import type { Accelerated, Place } from '../wasm/accelerator.ts';
import type { WasmDevice } from '../wasm/device.ts';
import { accelerators } from '../wasm/singles.ts';
import type { Value } from './program.ts';

export class CallStep {
  readonly kind = 'call';
  call: Accelerated = () => {};

  constructor(
    private readonly device: WasmDevice,
    private readonly value: Value,
  ) {}

  /** Fixes sizes and addresses; `table` is device memory for the routine's own use. */
  prepare(sizes: readonly number[], addressOf: (value: Value) => number, table: number): void {
    const { value, device } = this;
    const places = [value, ...value.inputs].map((one): Place => {
      const dims = one.space < 0 ? one.shape : [sizes[one.space], ...one.shape];
      return { address: addressOf(one), dtype: one.isScalar ? 'f64' : one.dtype, dims, lanes: one.space >= 0 };
    });
    const [out, ...inputs] = places;
    const fast = accelerators.get(value.op)?.(device, out, inputs, value.attributes, table) ?? null;
    this.call = fast ?? this.reference(places);
  }

  private reference(places: readonly Place[]): Accelerated {
    const [target, ...sources] = places.map(({ address, dtype, dims, lanes }): Operand => {
      const from = address / bytesPerElement[dtype];
      return { data: this.device.memory.view(dtype).subarray(from, from + sizeOf(dims)), dims, lanes };
    });
    const { op, attributes } = this.value;
    if (op.kind === 'elementwise') return () => elementwiseLoop(op, target, sources);
    if (op.kind === 'view') return () => target.data.set(sources[0].data);
    const kernel = op.kernel as NonNullable<typeof op.kernel>;
    return () => kernel(target, sources, attributes);
  }
}
