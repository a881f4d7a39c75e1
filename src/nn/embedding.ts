import { Column } from '../lanes/columns/column.ts';
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { lifting } from '../runtime/lifting.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { engine } from './engine.ts';
import type { Init } from './initial.ts';
import { checkName, checkOptions, type Declare, declareWith, shown } from './layer-options.ts';

/** Options of `embedding`. */
export interface EmbeddingOptions {
  /** Of how many things. */
  in: number;
  /** Length of the vectors. */
  out: number;
  /** Where parameters belong: `param` (the guide, if left out) or `modelParam`. */
  param?: Declare;
  /** Where the vectors start: small Gaussian numbers if left out. */
  init?: Init;
}

/** A vector for each of so many things: k ↦ row k of a matrix of parameters. */
export function embedding(name: string, options: EmbeddingOptions): (k: number) => Tensor {
  checkName('embedding', name);
  checkOptions('embedding', options, ['in', 'out', 'param', 'init'], ['in', 'out']);
  const { in: count, out } = options;
  // Without init, `param` draws small Gaussian numbers.
  const given = options.init === undefined ? {} : { init: options.init };
  const rows = declareWith(options.param)({ name, dims: [count, out], ...given });
  return (k) => {
    const { gather, reshape, sliceAxis } = engine();
    const isKnown = (one: number): boolean => Number.isInteger(one) && one >= 0 && one < count;
    if (
      lifting.current?.isLifted(k) ||
      ((k as unknown) instanceof Column && (k as unknown as Column).data.every(isKnown))
    )
      return shown(reshape(gather(rows, k as never) as Tensor, [out, 1]));
    if (!isKnown(k)) {
      throw new WaymarkError(`embedding '${name}' takes a whole number from 0 to ${count - 1}, got ${describe(k)}.`);
    }
    return shown(reshape(sliceAxis(rows, 0, k, k + 1) as Tensor, [out, 1]));
  };
}
