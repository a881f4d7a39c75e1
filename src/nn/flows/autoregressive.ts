import type { Node, Value } from '../../tensor/node.ts';
import { mask, type Tensor } from '../../tensor/tensor.ts';
import { asTensor, engine, forNetworks, lengthOf } from '../engine.ts';
import { filled, xavier } from '../initial.ts';
import { checkName, checkOptions, type Declare, declareWith } from '../layer-options.ts';
import { affine, bias } from '../layers.ts';
import { scaling } from './coupling.ts';
import type { FlowLayer } from './flow-layer.ts';

/** Options of `maskedAutoregressive`. */
export interface AutoregressiveOptions {
  /** The length of the vectors. */
  size: number;
  /** The number of hidden units of the network. */
  hidden?: number;
  /** Whether elements depend on those after them, not on those before: layers take turns. */
  flip?: boolean;
  /** A vector that the network sees besides, such as what another network makes of the data. */
  context?: Tensor;
  /** Where parameters belong: `param` (the guide, if left out) or `modelParam`. */
  param?: Declare;
}

/**
 * A layer of a `Flow` that scales and shifts each element as a network of those before it says (Kingma et al. 2016; the
 * masks of Germain et al. 2015). Values are drawn in one go; the way back, which is needed for values that were not drawn from it, takes as many as there are
 * elements. At first it moves nothing.
 */
export function maskedAutoregressive(name: string, options: AutoregressiveOptions): FlowLayer {
  checkName('maskedAutoregressive', name);
  const sizes = options?.hidden === undefined ? ['size'] : ['size', 'hidden'];
  checkOptions('maskedAutoregressive', options, ['size', 'hidden', 'flip', 'context', 'param'], sizes);
  const { size, hidden = 32, flip = false, context, param } = options;
  const declare = declareWith(param);
  // Hidden unit h sees the first 1 + h mod (size − 1) elements; element i sees units that see less than i.
  const degree = (unit: number): number => 1 + (unit % Math.max(1, size - 1));
  const rank = (element: number): number => (flip ? size - element : element + 1);
  const intoMask = mask(hidden, size, (unit, element) => rank(element) <= degree(unit));
  const outMask = mask(2 * size, hidden, (row, unit) => degree(unit) < rank(Math.floor(row / 2)));
  const into = declare({ name: `${name}1w`, dims: [hidden, size], init: xavier });
  const out = declare({ name: `${name}2w`, dims: [2 * size, hidden], init: filled(0) });
  const intoBias = bias(`${name}1b`, { out: hidden, param });
  const outBias = bias(`${name}2b`, { out: 2 * size, param });
  const seen = context === undefined ? undefined : asTensor(`maskedAutoregressive '${name}'`, context);
  const fromContext = seen && affine(`${name}c`, { in: lengthOf(seen), out: hidden, param })(seen as unknown as Tensor);

  /** Logarithms of scales and shifts, a row for each element. */
  const free = (x: Value): Value => {
    const { add, matmul, mul, reshape } = engine();
    const masked = (weights: Tensor, by: Tensor): Tensor => mul(weights, forNetworks(by)) as Tensor;
    const product = matmul(masked(into, intoMask), forNetworks(x) as unknown as Tensor) as Value;
    const sum = fromContext === undefined ? product : add(product, fromContext as unknown as Value);
    const units = engine().tanh(intoBias(sum as unknown as Tensor) as unknown as Node) as unknown as Tensor;
    return reshape(outBias(matmul(masked(out, outMask), units) as Tensor) as unknown as Node, [size, 2]) as Value;
  };
  return {
    size,
    forward(x) {
      const { add, exp, mul } = engine();
      const { logScale, shift, logStretch } = scaling(free(x));
      return { value: add(mul(x, exp(logScale)), shift), logStretch };
    },
    inverse(y) {
      const { exp, mul, neg, sub } = engine();
      let x = mul(0, y) as Value;
      // After k rounds the first k elements are right, since they depend on nothing else.
      for (let k = 0; k < size; k++) {
        const { logScale, shift } = scaling(free(x));
        x = mul(sub(y, shift), exp(neg(logScale)));
      }
      return { value: x, logStretch: scaling(free(x)).logStretch };
    },
  };
}
