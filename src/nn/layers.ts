/**
 * Layers as functions, in WebPPL's style: `affine('name', {in: 3, out: 2})` declares the parameters where it stands, so
 * it belongs inside the model, and gives a function from vectors to vectors. With `param: modelParam` the weights are
 * learned as part of the model.
 */
import type { Value } from '../tensor/node.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { asTensor, engine, isTensor, lengthOf, shapeOf, vectorOf } from './engine.ts';
import { filled, xavier } from './initial.ts';
import { checkName, checkOptions, declareWith, type Layer, type LayerOptions, shown } from './layer-options.ts';

/**
 * `linear('name', {in, out})`: x ↦ W x. The paper's form `linear(x, W, b)` applies given weights at once.
 */
export function linear(name: string, options: LayerOptions): Layer;
export function linear(x: Tensor, weights: Tensor, biases: Tensor): Tensor;
export function linear(first: unknown, second: unknown, third?: unknown): Layer | Tensor {
  if (isTensor(first)) {
    const { matmul, add } = engine();
    const weights = asTensor('linear(x, W, b)', second) as Tensor;
    const [, width] = shapeOf(weights as Value);
    const product = matmul(weights, vectorOf('linear(x, W, b)', first, width) as Tensor) as Value;
    return shown(add(product, vectorOf('linear(x, W, b)', third, lengthOf(product))));
  }
  const options = second as LayerOptions;
  checkName('linear', first);
  checkOptions('linear', options, ['in', 'out', 'param', 'init'], ['in', 'out']);
  const weights = declareWith(options.param)({
    name: first,
    dims: [options.out, options.in],
    init: options.init ?? xavier,
  });
  return (x) => shown(engine().matmul(weights, vectorOf(`linear '${first}'`, x, options.in) as Tensor) as Value);
}

/** x ↦ x + b. */
export function bias(name: string, options: Pick<LayerOptions, 'out' | 'param' | 'initb'>): Layer {
  checkName('bias', name);
  checkOptions('bias', options, ['out', 'param', 'initb'], ['out']);
  const biases = declareWith(options.param)({ name, dims: [options.out, 1], init: filled(options.initb ?? 0) });
  return (x) => shown(engine().add(vectorOf(`bias '${name}'`, x, options.out), biases));
}

/** x ↦ W x + b. Its parameters are called name + 'b' and name + 'w'. */
export function affine(name: string, options: LayerOptions): Layer {
  checkName('affine', name);
  checkOptions('affine', options, ['in', 'out', 'param', 'init', 'initb'], ['in', 'out']);
  const { out, param, initb, init } = options;
  const shift = bias(`${name}b`, { out, param, initb });
  const multiply = linear(`${name}w`, { in: options.in, out, param, init });
  return (x) => shift(multiply(x));
}
