import type { Algorithm, Model, Posterior } from '../inference/algorithm.ts';
import { type ForwardOptions, forward } from '../inference/sampling/forward.ts';
import { machine } from '../runtime/machine.ts';
import { Optimization } from './optimize.ts';
import { type OptimizeOptions, optimizeOptions } from './optimize-options.ts';

type Options = Omit<OptimizeOptions, 'params'> & Omit<ForwardOptions, 'guide'>;

const { params: _infersOwn, ...optimizing } = optimizeOptions;
const { guide: _always, verbose: _shared, ...sampling } = forward.options;

/** `Infer({method: 'optimize'})`: optimises the guides, then draws samples from them. */
export const optimizeMethod: Algorithm<Options> = {
  name: 'optimize',
  options: { ...optimizing, ...sampling },

  run<T>(model: Model<T>, options: Options): Posterior<T> {
    new Optimization(model, { ...options, params: undefined }, machine.params).run();
    const { samples, onlyMAP, callbacks, verbose } = options;
    return forward.run(model, { samples, onlyMAP, callbacks, verbose, guide: true });
  },
};
