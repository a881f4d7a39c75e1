/** Images with dims [channels, height, width]; lanes are a batch of them. */
import {
  outputLength,
  type PatchAttributes,
  patchesKernel,
  poolIndexKernel,
  unpatchKernel,
} from '../kernels/convolution.ts';
import { toNode } from '../leaves.ts';
import { kernelOp, Node, type Value } from '../node.ts';
import { ShapeError, shapeText, sizeOf } from '../shape.ts';
import { gather } from './indexing.ts';
import { matmul } from './products.ts';
import { mean } from './reductions.ts';
import { type Result, settle } from './settle.ts';
import { reshape } from './structure.ts';

export const PATCHES = kernelOp('patches', patchesKernel);
export const UNPATCH = kernelOp('unpatch', unpatchKernel);
export const POOL_INDEX = kernelOp('poolIndex', poolIndexKernel);

interface ConvolutionOptions {
  readonly stride?: number;
  readonly padding?: number;
}

function attributesFor(image: Node, kernelHeight: number, kernelWidth: number, stride: number, padding: number) {
  const [channels, height, width] = image.shape;
  const numbers = [channels, height, width, kernelHeight, kernelWidth, stride, padding];
  const rows = outputLength(height, kernelHeight, stride, padding);
  const columns = outputLength(width, kernelWidth, stride, padding);
  if (!(rows > 0 && columns > 0)) {
    throw new ShapeError(
      `A window of [${kernelHeight}, ${kernelWidth}] is larger than the image of shape ${shapeText(image.shape)}.`,
    );
  }
  const attributes: PatchAttributes = {
    key: numbers.join(','),
    channels,
    height,
    width,
    kernelHeight,
    kernelWidth,
    stride,
    padding,
  };
  return { attributes, rows, columns };
}

/** The sum over channels of filters [out, in, height, width] slid over an image [in, height, width]. */
export function conv2d<T extends Value>(image: T, filters: T, options: ConvolutionOptions = {}): Result<T> {
  const x = toNode(image);
  const w = toNode(filters);
  if (x.shape.length !== 3 || w.shape.length !== 4 || w.shape[1] !== x.shape[0]) {
    throw new ShapeError(
      `conv2d: image of shape ${shapeText(x.shape)} and filters of shape ${shapeText(w.shape)} do not fit together; ` +
        'expected [channels, height, width] and [filters, channels, height, width].',
    );
  }
  const [count, channels, height, width] = w.shape;
  const { stride = 1, padding = 0 } = options;
  const { attributes, rows, columns } = attributesFor(x, height, width, stride, padding);
  const patches = new Node(PATCHES, [x], attributes, [channels * height * width, rows * columns], x.dtype, x.space);
  const out = matmul(reshape(w, [count, channels * height * width]), patches);
  return settle(reshape(out, [count, rows, columns]), image, filters);
}

/** The adjoint of cutting an image into patches. */
export function unpatch(patches: Node, attributes: PatchAttributes): Node {
  const { channels, height, width } = attributes;
  return new Node(UNPATCH, [patches], attributes, [channels, height, width], patches.dtype, patches.space);
}

/** Patches of an image as `unpatch` takes them apart. */
export function patchesLike(image: Node, attributes: PatchAttributes): Node {
  const { channels, kernelHeight, kernelWidth, height, width, stride, padding } = attributes;
  const places =
    outputLength(height, kernelHeight, stride, padding) * outputLength(width, kernelWidth, stride, padding);
  const shape = [channels * kernelHeight * kernelWidth, places];
  return new Node(PATCHES, [image], attributes, shape, image.dtype, image.space);
}

/** The mean of the pixels in each window of size × size, channel by channel. */
export function meanPool2d<T extends Value>(image: T, size: number, stride = size): Result<T> {
  const x = imageFor('meanPool2d', image);
  const { attributes, rows, columns } = attributesFor(x, size, size, stride, 0);
  const [channels] = x.shape;
  const windows = reshape(patchesLike(x, attributes), [channels, size * size, rows * columns]);
  return settle(reshape(mean(windows, 1), [channels, rows, columns]), image);
}

function imageFor(name: string, image: Value): Node {
  const x = toNode(image);
  if (x.shape.length === 3) return x;
  throw new ShapeError(`${name}: expected an image [channels, height, width], got shape ${shapeText(x.shape)}.`);
}

/** The largest pixel in each window of size × size, channel by channel. */
export function maxPool2d<T extends Value>(image: T, size: number, stride = size): Result<T> {
  const x = imageFor('maxPool2d', image);
  const { attributes, rows, columns } = attributesFor(x, size, size, stride, 0);
  const shape = [x.shape[0], rows, columns];
  const index = new Node(POOL_INDEX, [x], attributes, shape, 'i32', x.space);
  return settle(gather(reshape(x, [sizeOf(x.shape)]), index), image);
}
