/**
 * `waymark/algorithms`: what an inference algorithm of one's own needs. An algorithm is a table of options and a function that
 * executes a model as often as it likes, each time under a handler that gives `sample` and `factor` their meaning.
 *
 *     const method = addMethod({name: 'weighting', options: {samples: withDefault(count(1), 100)}, run});
 *     method(model, {samples: 1000});
 */
import type { Algorithm, Model, ResultOf, ResultType } from './inference/algorithm.ts';
import { runAlgorithm } from './inference/infer.ts';
import { addMethod as register } from './inference/methods.ts';

/** Makes an algorithm a method of `Infer`, under its own name; gives a function that infers by it, typed by its options. */
export function addMethod<O extends object, R extends ResultType>(algorithm: Algorithm<O, R>) {
  register(algorithm);
  return <T>(model: Model<T>, options: Partial<O> = {}): ResultOf<R, T> =>
    runAlgorithm(algorithm, algorithm.name, model, options);
}

export { Marginal, type Sample, SampleBasedMarginal } from './distributions/marginal.ts';
export type { Algorithm, Model, Posterior, ResultOf, ResultType } from './inference/algorithm.ts';
export * from './inference/options.ts';
export type { Address } from './runtime/address.ts';
export { abandoned, Entry } from './runtime/execution.ts';
export type { DataPass, Distribution, Handler, Interval, SampleOptions } from './runtime/handler.ts';
export { machine } from './runtime/machine.ts';
export type { RandomStream } from './runtime/random.ts';
export { abandon } from './runtime/signals.ts';
