/** Layers on images: tensors of dims [channels, height, width]. */
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { asTensor, engine, shapeOf } from './engine.ts';
import { filled, he, type Init } from './initial.ts';
import { checkName, checkOptions, type Declare, declareWith, type Layer, shown } from './layer-options.ts';

/** Options of `conv2d`. */
export interface ConvolutionOptions {
  /** Channels of the image. */
  in: number;
  /** Filters, each a channel of the result. */
  out: number;
  /** Height and width of the filters: one number if they are the same. */
  size: number | readonly [number, number];
  /** How far apart the windows are: 1 if left out. */
  stride?: number;
  /** Zeros around the image. */
  padding?: number;
  /** Where parameters belong: `param` (the guide, if left out) or `modelParam`. */
  param?: Declare;
  /** Where the filters start: `he` if left out. */
  init?: Init;
  /** Where the biases start. */
  initb?: number;
}

const isCount = (value: unknown, least: number): boolean => Number.isInteger(value) && (value as number) >= least;

function window(owner: string, size: unknown): [number, number] {
  const pair = Array.isArray(size) ? size : [size, size];
  if (pair.length === 2 && pair.every((n) => isCount(n, 1))) return pair as [number, number];
  throw new WaymarkError(`${owner}: size must be an integer of at least 1, or [height, width]; got ${describe(size)}.`);
}

function whole(owner: string, name: string, value: unknown, least: number): number {
  if (isCount(value, least)) return value as number;
  throw new WaymarkError(`${owner}: ${name} must be an integer of at least ${least}, got ${describe(value)}.`);
}

/** Checks that a tensor is an image, of so many channels and no smaller than the window. */
function imageOf(
  owner: string,
  x: unknown,
  channels: number | undefined,
  [high, wide]: [number, number],
  padding: number,
) {
  const image = asTensor(owner, x);
  const dims = shapeOf(image);
  const expected = `an image of dims [${channels ?? 'channels'}, height, width]`;
  if (dims.length !== 3 || (channels !== undefined && dims[0] !== channels)) {
    throw new WaymarkError(`${owner} takes ${expected}, got dims [${dims.join(', ')}].`);
  }
  if (dims[1] + 2 * padding < high || dims[2] + 2 * padding < wide) {
    throw new WaymarkError(`${owner} takes ${expected} of at least ${high} × ${wide}, got ${dims[1]} × ${dims[2]}.`);
  }
  return image as Tensor;
}

/** Filters slid over an image, and a bias for each; parameters name + 'b' and name + 'w'. */
export function conv2d(name: string, options: ConvolutionOptions): Layer {
  checkName('conv2d', name);
  checkOptions('conv2d', options, ['in', 'out', 'size', 'stride', 'padding', 'param', 'init', 'initb'], ['in', 'out']);
  const { out, init = he, initb = 0 } = options;
  const [height, width] = window('conv2d', options.size);
  const stride = whole('conv2d', 'stride', options.stride ?? 1, 1);
  const padding = whole('conv2d', 'padding', options.padding ?? 0, 0);
  const declare = declareWith(options.param);
  const biases = declare({ name: `${name}b`, dims: [out, 1, 1], init: filled(initb) });
  const filters = declare({ name: `${name}w`, dims: [out, options.in, height, width], init });
  return (x) => {
    const image = imageOf(`conv2d '${name}'`, x, options.in, [height, width], padding);
    const { add, conv2d: convolve } = engine();
    return shown(add(convolve(image, filters, { stride, padding }), biases));
  };
}

/** Options of `maxPool`. */
export interface PoolOptions {
  /** Height and width of the windows. */
  size: number;
  /** By default windows do not overlap. */
  stride?: number;
}

/** The largest number in each window of each channel. */
export function maxPool(options: PoolOptions): Layer {
  checkOptions('maxPool', options, ['size', 'stride'], ['size']);
  const { size } = options;
  const stride = whole('maxPool', 'stride', options.stride ?? size, 1);
  return (x) => shown(engine().maxPool2d(imageOf('maxPool', x, undefined, [size, size], 0), size, stride));
}
