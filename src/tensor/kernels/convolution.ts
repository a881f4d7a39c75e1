/** Reference kernels behind convolution and pooling of images with dims [channels, height, width]. */
import type { Attributes, Kernel, Operand } from '../node.ts';

export interface PatchAttributes extends Attributes {
  readonly channels: number;
  readonly height: number;
  readonly width: number;
  readonly kernelHeight: number;
  readonly kernelWidth: number;
  readonly stride: number;
  readonly padding: number;
}

export function outputLength(length: number, kernel: number, stride: number, padding: number): number {
  return Math.floor((length + 2 * padding - kernel) / stride) + 1;
}

const sources = new Map<string, Int32Array>();

/** For each element of the patches, the pixel it is a copy of; −1 for padding. */
export function patchSources(p: PatchAttributes): Int32Array {
  let table = sources.get(p.key);
  if (table !== undefined) return table;
  const rows = outputLength(p.height, p.kernelHeight, p.stride, p.padding);
  const columns = outputLength(p.width, p.kernelWidth, p.stride, p.padding);
  table = new Int32Array(p.channels * p.kernelHeight * p.kernelWidth * rows * columns);
  let at = 0;
  for (let channel = 0; channel < p.channels; channel++) {
    for (let i = 0; i < p.kernelHeight; i++) {
      for (let j = 0; j < p.kernelWidth; j++) {
        for (let r = 0; r < rows; r++) {
          const y = r * p.stride + i - p.padding;
          for (let c = 0; c < columns; c++) {
            const x = c * p.stride + j - p.padding;
            const inside = y >= 0 && y < p.height && x >= 0 && x < p.width;
            table[at++] = inside ? (channel * p.height + y) * p.width + x : -1;
          }
        }
      }
    }
  }
  sources.set(p.key, table);
  return table;
}

function imagesIn(operand: Operand): number {
  return operand.lanes ? operand.dims[0] : 1;
}

/** Image → matrix whose columns are the patches under the filter at each place: [C·kh·kw, places]. */
export const patchesKernel: Kernel = (out, [input], attributes) => {
  const images = imagesIn(input);
  const imageSize = input.data.length / images;
  const table = patchSources(attributes as PatchAttributes);
  const target = out.data;
  const source = input.data;
  for (let n = 0, at = 0; n < images; n++) {
    const base = n * imageSize;
    for (let i = 0; i < table.length; i++) target[at++] = table[i] < 0 ? 0 : source[base + table[i]];
  }
};

/** The adjoint of `patches`: each pixel gets the sum of its copies. */
export const unpatchKernel: Kernel = (out, [input], attributes) => {
  const images = imagesIn(input);
  const imageSize = out.data.length / images;
  const table = patchSources(attributes as PatchAttributes);
  const target = out.data;
  const source = input.data;
  target.fill(0);
  for (let n = 0, at = 0; n < images; n++) {
    const base = n * imageSize;
    for (let i = 0; i < table.length; i++, at++) if (table[i] >= 0) target[base + table[i]] += source[at];
  }
};

/** The place, within the image flattened, of the largest pixel in each window. */
export const poolIndexKernel: Kernel = (out, [input], attributes) => {
  const p = attributes as PatchAttributes;
  const rows = outputLength(p.height, p.kernelHeight, p.stride, 0);
  const columns = outputLength(p.width, p.kernelWidth, p.stride, 0);
  const images = imagesIn(input);
  const imageSize = p.channels * p.height * p.width;
  let at = 0;
  for (let n = 0; n < images; n++) {
    for (let channel = 0; channel < p.channels; channel++) {
      for (let r = 0; r < rows; r++) {
        for (let c = 0; c < columns; c++) {
          let best = (channel * p.height + r * p.stride) * p.width + c * p.stride;
          for (let i = 0; i < p.kernelHeight; i++) {
            for (let j = 0; j < p.kernelWidth; j++) {
              const here = (channel * p.height + r * p.stride + i) * p.width + c * p.stride + j;
              if (input.data[n * imageSize + here] > input.data[n * imageSize + best]) best = here;
            }
          }
          out.data[at++] = best;
        }
      }
    }
  }
};
