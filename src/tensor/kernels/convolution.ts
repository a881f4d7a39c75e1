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

/** Calls `use(imageOffset, patchOffset)` for each pair of an image's pixel and its place among the patches. */
function eachPair(p: PatchAttributes, use: (image: number, patch: number) => void): void {
  const rows = outputLength(p.height, p.kernelHeight, p.stride, p.padding);
  const columns = outputLength(p.width, p.kernelWidth, p.stride, p.padding);
  let patchRow = 0;
  for (let channel = 0; channel < p.channels; channel++) {
    for (let i = 0; i < p.kernelHeight; i++) {
      for (let j = 0; j < p.kernelWidth; j++, patchRow++) {
        for (let r = 0; r < rows; r++) {
          const y = r * p.stride + i - p.padding;
          if (y < 0 || y >= p.height) continue;
          for (let c = 0; c < columns; c++) {
            const x = c * p.stride + j - p.padding;
            if (x < 0 || x >= p.width) continue;
            use((channel * p.height + y) * p.width + x, (patchRow * rows + r) * columns + c);
          }
        }
      }
    }
  }
}

function imagesIn(operand: Operand): number {
  return operand.lanes ? operand.dims[0] : 1;
}

/** Image → matrix whose columns are the patches under the filter at each place: [C·kh·kw, places]. */
export const patchesKernel: Kernel = (out, [input], attributes) => {
  const images = imagesIn(input);
  const imageSize = input.data.length / images;
  const patchSize = out.data.length / images;
  out.data.fill(0);
  for (let n = 0; n < images; n++) {
    eachPair(attributes as PatchAttributes, (image, patch) => {
      out.data[n * patchSize + patch] = input.data[n * imageSize + image];
    });
  }
};

/** The adjoint of `patches`: each pixel gets the sum of its copies. */
export const unpatchKernel: Kernel = (out, [input], attributes) => {
  const images = imagesIn(input);
  const imageSize = out.data.length / images;
  const patchSize = input.data.length / images;
  out.data.fill(0);
  for (let n = 0; n < images; n++) {
    eachPair(attributes as PatchAttributes, (image, patch) => {
      out.data[n * imageSize + image] += input.data[n * patchSize + patch];
    });
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
