/** Operations that move elements, with the offsets worked out once per layout instead of once per run. */
import {
  type ConcatAttributes,
  type TransposeAttributes,
  transposeOffsets,
  type WindowAttributes,
  windowOffsets,
} from '../kernels/structure.ts';
import { bytesPerElement, type Data } from '../node.ts';
import { sizeOf, stridesOf } from '../shape.ts';
import type { Accelerated, Accelerator, Place } from './accelerator.ts';
import type { WasmDevice } from './device.ts';

function viewOf(device: WasmDevice, { address, dtype, dims }: Place): Data {
  const from = address / bytesPerElement[dtype];
  return device.memory.view(dtype).subarray(from, from + sizeOf(dims));
}

/** target[i] = source[offsets[i]]. */
function gathering(target: Data, source: Data, offsets: Int32Array): Accelerated {
  return () => {
    for (let i = 0; i < offsets.length; i++) target[i] = source[offsets[i]];
  };
}

export const transposeMove: Accelerator = (device, out, [input], attributes) => {
  const { permutation } = attributes as TransposeAttributes;
  return gathering(viewOf(device, out), viewOf(device, input), transposeOffsets(input.dims, input.lanes, permutation));
};

/** Whether a window consists of whole trailing axes, so that it is one stretch of memory per leading index. */
function isContiguous(larger: readonly number[], smaller: readonly number[]): boolean {
  const first = smaller.findIndex((n) => n !== 1);
  if (first < 0) return true;
  for (let i = first + 1; i < smaller.length; i++) if (smaller[i] !== larger[i]) return false;
  return true;
}

export const sliceMove: Accelerator = (device, out, [input], attributes) => {
  const { begin } = attributes as WindowAttributes;
  const target = viewOf(device, out);
  const source = viewOf(device, input);
  const offsets = windowOffsets(input.dims, out.dims, out.lanes, begin);
  if (offsets.length > 0 && isContiguous(input.dims, out.dims)) {
    const stretch = source.subarray(offsets[0], offsets[0] + target.length);
    return () => target.set(stretch);
  }
  return gathering(target, source, offsets);
};

export const padMove: Accelerator = (device, out, [input], attributes) => {
  const { begin } = attributes as WindowAttributes;
  const target = viewOf(device, out);
  const source = viewOf(device, input);
  const offsets = windowOffsets(out.dims, input.dims, out.lanes, begin);
  return () => {
    target.fill(0);
    for (let i = 0; i < offsets.length; i++) target[offsets[i]] = source[i];
  };
};

export const concatMove: Accelerator = (device, out, inputs, attributes) => {
  const axis = (attributes as ConcatAttributes).axis + (out.lanes ? 1 : 0);
  const step = stridesOf(out.dims)[axis] * out.dims[axis];
  const target = viewOf(device, out);
  let at = 0;
  const parts = inputs.map((input) => {
    const width = stridesOf(input.dims)[axis] * input.dims[axis];
    at += width;
    return { source: viewOf(device, input), width, at: at - width };
  });
  const blocks = step === 0 ? 0 : target.length / step;
  return () => {
    for (const part of parts) {
      const { source, width } = part;
      for (let i = 0; i < blocks; i++) {
        const to = i * step + part.at;
        for (let j = 0; j < width; j++) target[to + j] = source[i * width + j];
      }
    }
  };
};
