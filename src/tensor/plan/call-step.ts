/** A single operation made ready: a WebAssembly routine if there is one, else the reference kernel on device memory. */
import { elementwiseLoop } from '../elementwise/loops.ts';
import { TO_F32, TO_F64 } from '../elementwise/table.ts';
import { bytesPerElement, type Operand } from '../node.ts';
import { sizeOf } from '../shape.ts';
import type { Accelerated, Place } from '../wasm/accelerator.ts';
import type { WasmDevice } from '../wasm/device.ts';
import { type Move, moveOf } from '../wasm/moves.ts';
import { accelerators } from '../wasm/singles.ts';
import type { Value } from './program.ts';
import { rootOf } from './schedule.ts';

export class CallStep {
  readonly kind = 'call';
  call: Accelerated = () => {};
  /** For operations that only move elements. */
  readonly move: Move | null;
  /** Where the plan has put the offsets of the move. */
  offsetsAt = 0;

  constructor(
    private readonly device: WasmDevice,
    private readonly value: Value,
  ) {
    const { op, inputs, shape, attributes, dtype } = value;
    const sameStorage = inputs.length === 1 && inputs[0].dtype === dtype && !value.isScalar && !inputs[0].isScalar;
    this.move = sameStorage ? moveOf(op, inputs[0].shape, shape, attributes) : null;
  }

  /** Fixes sizes and addresses; `table` is device memory for the routine's own use. */
  prepare(sizes: readonly number[], addressOf: (value: Value) => number, table: number): void {
    const { value, device } = this;
    const places = [value, ...value.inputs].map((one): Place => {
      const dims = one.space < 0 ? one.shape : [sizes[one.space], ...one.shape];
      return {
        address: addressOf(one),
        dtype: one.isScalar ? 'f64' : one.dtype,
        dims,
        lanes: one.space >= 0,
        isData: isData(one),
      };
    });
    const [out, ...inputs] = places;
    if (this.move !== null) {
      this.call = this.moving(this.move, out, inputs[0]);
      return;
    }
    const fast = accelerators.get(value.op)?.(device, out, inputs, value.attributes, table) ?? null;
    this.call = fast ?? this.reference(places);
  }

  private moving({ kind, offsets }: Move, out: Place, input: Place): Accelerated {
    const bytes = bytesPerElement[out.dtype];
    const run = this.device.moves[`${kind}${bytes}`];
    const lanes = out.lanes ? out.dims[0] : 1;
    const fromStep = (sizeOf(input.dims) / lanes) * bytes;
    const toStep = (sizeOf(out.dims) / lanes) * bytes;
    const at = this.offsetsAt;
    const count = offsets.length;
    const { clear } = this.device.moves;
    const whole = sizeOf(out.dims) * bytes;
    return () => {
      if (kind === 'add') clear(out.address, whole);
      run(lanes, at, count, input.address, fromStep, out.address, toStep);
    };
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

/** Whether a value is what lanes were given, if in another precision or shape. */
function isData(value: Value): boolean {
  const root = rootOf(value);
  if (root.source !== null) return root.space >= 0;
  return (root.op === TO_F32 || root.op === TO_F64) && isData(root.inputs[0]);
}
