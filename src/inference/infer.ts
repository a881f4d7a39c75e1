/** The front door of inference: `Infer` finds the algorithm that a program names, checks its options, and runs it. */
import { tableOf, withParameters } from '../guides/given-params.ts';
import { differs } from '../lanes/columns/column.ts';
import { telling } from '../lanes/obstacles.ts';
import { describe } from '../runtime/describe.ts';
import { nearest, WaymarkError } from '../runtime/errors.ts';
import { answerable, recovering } from '../runtime/faults.ts';
import { knownApart } from '../runtime/known-models.ts';
import { machine, runsDirectly } from '../runtime/machine.ts';
import { isDistribution } from '../runtime/primitives.ts';
import { offerToConsole } from '../runtime/readable.ts';
import { inSomeWay } from '../runtime/refusal.ts';
import { OneByOne } from '../runtime/signals.ts';
import type { Algorithm, Model, Posterior } from './algorithm.ts';
import { automatic } from './automatic.ts';
import { areSideBySide, inferOneByOne } from './column-inferences.ts';
import { contents } from './contents.ts';
import { enumerate } from './enumeration/enumerate.ts';
import type {
  AutomaticGiven,
  CommonOptions,
  InferOptions,
  MethodName,
  OptionsOf,
  PosteriorOf,
} from './method-types.ts';
import { methodNamed, methodsWithOption } from './methods.ts';
import { readOptions } from './options.ts';
import { inferRecorded, isRecorded } from './recorded-inferences.ts';

/**
 * The distribution of what a model returns, given its factors. The model may come first, last, or as the option
 * `model`.
 *
 *     const model = () => {
 *       const [a, b] = [flip(0.5), flip(0.5)];
 *       condition(a || b);
 *       return a;
 *     };
 *     Infer({method: 'enumerate', model});
 */
export function Infer<T, M extends MethodName>(model: Model<T>, options: OptionsOf<M>): PosteriorOf<T, M>;
export function Infer<T, M extends MethodName>(options: OptionsOf<M>, model: Model<T>): PosteriorOf<T, M>;
export function Infer<T>(model: Model<T>, options?: InferOptions): Posterior<T>;
export function Infer<T>(options: InferOptions, model: Model<T>): Posterior<T>;
/**
 * The error of a call that does not compile is about the last of the overloads with as many arguments. This overload holds each
 * argument to its own type in either order, so that the error stands at the misspelt option.
 * @internal
 */
export function Infer<F>(
  first: F extends Model<unknown> ? F : InferOptions,
  second: F extends Model<unknown> ? InferOptions : Model<unknown>,
): Posterior<unknown>;
export function Infer<T>(options: AutomaticGiven & { model: Model<T> }): Posterior<T>;
export function Infer<T, M extends MethodName>(options: OptionsOf<M> & { model: Model<T> }): PosteriorOf<T, M>;
export function Infer<T>(first: unknown, second?: unknown): Posterior<T> {
  const { model, options } = modelAndOptions<T>('Infer', first, second);
  const { method } = options;
  if (method === undefined) return runAlgorithm(automatic, 'Infer without a method', model, options);
  const algorithm = methodNamed(method);
  return runAlgorithm(algorithm, algorithm.name, model, options);
}

const CONTEXT = { apart: ['model', 'method', 'params'], ownersOf: methodsWithOption };

/**
 * Checks the options and runs the algorithm, with parameters of its own if some are given. Errors about options speak
 * of `owner`.
 */
export function runAlgorithm<T, O extends object>(
  algorithm: Algorithm<O>,
  owner: string,
  model: Model<T>,
  options: object,
): Posterior<T> {
  if (areSideBySide() && (algorithm as unknown) !== enumerate) {
    checkAlike(algorithm, owner, options);
    return inferOneByOne(owner, model, (one) => runAlgorithm(algorithm, owner, one, options));
  }
  if (isRecorded()) {
    if ((algorithm as unknown) !== enumerate) throw new OneByOne('library', `${owner} is called`);
    return inferRecorded(owner, model, (one) => runAlgorithm(algorithm, owner, one, options));
  }
  offerToConsole(isDistribution);
  const checked = readOptions(owner, options, algorithm.options, CONTEXT);
  const { params } = options as CommonOptions;
  const own = (): Posterior<T> => algorithm.run(model, checked);
  const run = (): Posterior<T> =>
    params === undefined
      ? inItsWay(algorithm, own)
      : withParameters(tableOf(`${owner}: params`, params), () => inItsWay(algorithm, own));
  const { handler, address, program, modelsApart } = machine;
  // Small inferences are made in great numbers inside others: nothing is called that would do nothing.
  const isPlain = modelsApart.length === 0 && machine.run.conduct === undefined;
  const made = isPlain ? run : (): Posterior<T> => knownApart(model, () => telling(owner, run));
  const isRepeatable = handler.inferred !== undefined && program.stateless && program.sideEffect === null;
  if (!isRepeatable || algorithm.name === 'optimize' || hasCallbacks(options)) return made();
  return handler.inferred!(made, address);
}

/** An optimisation changes parameters, and so cannot begin again. */
const inItsWay = <R>(algorithm: { readonly name: string }, run: () => R): R =>
  algorithm.name === 'optimize' ? run() : asInference(run);

/** Runs what is an inference, in whichever ways there are. Inside of another one only that one can begin again. */
export const asInference = <R>(infer: () => R): R =>
  runsDirectly()
    ? inSomeWay(() => contents.beginningAgain(() => answerable(() => recovering(infer))))
    : inSomeWay(() => answerable(infer));

/** Whether functions other than the model may be called (callbacks), which may do anything. */
function hasCallbacks(options: object): boolean {
  for (const name of Object.keys(options)) {
    const option = (options as Record<string, unknown>)[name];
    if (name !== 'model' && (typeof option === 'function' || Array.isArray(option))) return true;
  }
  return false;
}

/**
 * Throws where executions side by side cannot make the same inference for each: its options differ, or callbacks would see
 * the order.
 */
function checkAlike(algorithm: { readonly name: string }, owner: string, options: object): void {
  const given = Object.entries(options).filter(([name]) => name !== 'model');
  if (given.some(([, option]) => differs(option))) throw new OneByOne('inference', `options of ${owner} differ`);
  // What callbacks do would be done in another order.
  if (hasCallbacks(options) || algorithm.name === 'optimize') throw new OneByOne('inference', `${owner} is called`);
}

/** Names the option that was perhaps meant to be the model. */
function misspelt(options: object): string {
  if ('model' in options) {
    return (
      ' The option model is there, but undefined: is the function defined further down, or is there no semicolon between it and a ' +
      'line that begins with [ or ( and so goes on with it?'
    );
  }
  const close = Object.keys(options).find((name) => nearest(name, ['model']) !== undefined);
  return close === undefined ? '' : ` There is an option '${close}': did you mean 'model'?`;
}

/** Tells model and options apart, in whichever order they come. */
export function modelAndOptions<T>(
  owner: string,
  first: unknown,
  second: unknown,
): { model: Model<T>; options: InferOptions } {
  const modelFirst = typeof first === 'function';
  const options = modelFirst ? (second ?? {}) : first;
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new WaymarkError(
      `${owner} takes a model and an object of options, as in ${owner}({model: () => …}); got ${describe(options)}.`,
    );
  }
  const model = modelFirst ? first : (second ?? (options as { model?: unknown }).model);
  if (typeof model !== 'function') {
    throw new WaymarkError(
      model === undefined
        ? `${owner} needs a model: a function of no arguments, given as the option model or as an argument of its own.${misspelt(options)}`
        : `${owner}: the model must be a function of no arguments, got ${describe(model)}.`,
    );
  }
  return { model: model as Model<T>, options: options as InferOptions };
}
