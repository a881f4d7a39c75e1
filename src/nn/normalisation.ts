import type { Tensor } from '../tensor/tensor.ts';
import { engine, vectorOf } from './engine.ts';
import { filled } from './initial.ts';
import { checkName, checkOptions, type Declare, declareWith, type Layer, shown } from './layer-options.ts';

/** Keeps a vector without any spread from being divided by 0. */
const LEAST_VARIANCE = 1e-5;

/**
 * Ba, Kiros & Hinton 2016: shifts and scales a vector to mean 0 and variance 1, then by parameters, which are called
 * name + 'g' and name + 'b'.
 */
export function layerNorm(name: string, options: { in: number; param?: Declare }): Layer {
  checkName('layerNorm', name);
  checkOptions('layerNorm', options, ['in', 'param'], ['in']);
  const declare = declareWith(options.param);
  const dims = [options.in, 1];
  const gain = declare({ name: `${name}g`, dims, init: filled(1) });
  const shift = declare({ name: `${name}b`, dims, init: filled(0) });
  return (x) => {
    const { add, div, mean, mul, sqrt, square, sub } = engine();
    const centred = sub(x, mean(vectorOf(`layerNorm '${name}'`, x, options.in) as Tensor));
    const deviation = sqrt(add(mean(square(centred) as Tensor), LEAST_VARIANCE));
    return shown(add(mul(div(centred, deviation), gain), shift));
  };
}
