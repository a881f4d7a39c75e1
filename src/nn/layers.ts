/**
 * Layers as functions, in WebPPL's style: `affine('name', {in: 3, out: 2})` declares the parameters where it stands, so
 * it belongs inside the model, and gives a function from vectors to vectors. With `param: modelParam` the weights are
 * learned as part of the model.
 */
import { param as guideParam } from '../guides/param.ts';
import { sigmoid, tanh } from '../library/activations.ts';
import { describe } from '../runtime/describe.ts';
import { didYouMean, WaymarkError } from '../runtime/errors.ts';
import { lifting } from '../runtime/lifting.ts';
import type { Value } from '../tensor/node.ts';
import { Tensor } from '../tensor/tensor.ts';
import { asTensor, engine, lengthOf, vectorOf } from './engine.ts';
import { filled, type Init, xavier } from './initial.ts';

/** How a layer declares a parameter: `param` or `modelParam`. */
export type Declare = (options: { name: string; dims: readonly number[]; init: Init }) => Tensor;

/** From vectors to vectors. Programs see tensors, whatever they are inside. */
export type Layer = (x: Tensor) => Tensor;

export interface LayerOptions {
  in: number;
  out: number;
  param?: Declare;
  init?: Init;
  /** Where the biases start. */
  initb?: number;
}

function checkName(owner: string, name: unknown): asserts name is string {
  if (typeof name === 'string' && name !== '') return;
  throw new WaymarkError(`${owner} takes a name first, as in ${owner}('name', {…}); got ${describe(name)}.`);
}

function checkOptions(owner: string, options: unknown, known: readonly string[], sizes: readonly string[]): void {
  if (typeof options !== 'object' || options === null) {
    throw new WaymarkError(`${owner} takes its options as an object after the name, got ${describe(options)}.`);
  }
  for (const name in options) {
    if (!known.includes(name)) {
      throw new WaymarkError(
        `${owner} has no option '${name}'; it takes ${known.join(', ')}.${didYouMean(name, known)}`,
      );
    }
  }
  for (const name of sizes) {
    const size = (options as Record<string, unknown>)[name];
    if (!(Number.isInteger(size) && (size as number) > 0)) {
      throw new WaymarkError(`${owner}: ${name} must be an integer of at least 1, got ${describe(size)}.`);
    }
  }
}

const declareWith = (given: Declare | undefined): Declare => given ?? (guideParam as Declare);

/** Programs see nodes as tensors. */
const shown = (value: Value): Tensor => value as unknown as Tensor;

/**
 * `linear('name', {in, out})`: x ↦ W x. The paper's form `linear(x, W, b)` applies given weights at once.
 */
export function linear(name: string, options: LayerOptions): Layer;
export function linear(x: Tensor, weights: Tensor, biases: Tensor): Tensor;
export function linear(first: unknown, second: unknown, third?: unknown): Layer | Tensor {
  if (first instanceof Tensor || lifting.current?.isLifted(first)) {
    const { matmul, add } = engine();
    const weights = asTensor('linear', second) as Tensor;
    const width = (weights instanceof Tensor ? weights.dims : (weights as { shape: number[] }).shape)[1];
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

export interface RecurrentOptions {
  hdim: number;
  xdim: number;
  param?: Declare;
  /** Makes the layers inside; by default `affine`. */
  ctor?: (name: string, options: LayerOptions) => Layer;
  output?: Layer;
}

/** (h, x) ↦ the next state. */
export type Recurrent = (h: Tensor, x: Tensor) => Tensor;

const RECURRENT = ['hdim', 'xdim', 'param', 'ctor', 'output'];

/** One vector after the other. */
function joined(...parts: readonly Value[]): Tensor {
  const { concat } = engine();
  return shown(concat(parts as Tensor[]) as Value);
}

const activate = (f: 'tanh' | 'sigmoid', x: Tensor): Value =>
  lifting.current === null ? (f === 'tanh' ? tanh(x) : sigmoid(x)) : engine()[f](x as Value);

/** h' = output(A [h; x]). */
export function rnn(name: string, options: RecurrentOptions): Recurrent {
  checkName('rnn', name);
  checkOptions('rnn', options, RECURRENT, ['hdim', 'xdim']);
  const { hdim, xdim, param, ctor = affine } = options;
  const layer = ctor(name, { in: hdim + xdim, out: hdim, param });
  const output = options.output ?? ((x: Tensor) => shown(activate('tanh', x)));
  return (h, x) => output(layer(joined(vectorOf(`rnn '${name}'`, h, hdim), vectorOf(`rnn '${name}'`, x, xdim))));
}

/** Cho et al. 2014: h' = (1 − z) h + z tanh(A [r h; x]). */
export function gru(name: string, options: RecurrentOptions): Recurrent {
  checkName('gru', name);
  checkOptions('gru', options, RECURRENT, ['hdim', 'xdim']);
  const { hdim, xdim, param, ctor = affine } = options;
  const sizes = { in: hdim + xdim, out: hdim, param };
  const update = ctor(`${name}update`, sizes);
  const reset = ctor(`${name}reset`, sizes);
  const candidate = ctor(`${name}candidate`, sizes);
  return (given, input) => {
    const { add, mul, sub } = engine();
    const h = vectorOf(`gru '${name}'`, given, hdim);
    const x = vectorOf(`gru '${name}'`, input, xdim);
    const both = joined(h, x);
    const z = activate('sigmoid', update(both));
    const r = activate('sigmoid', reset(both));
    const c = activate('tanh', candidate(joined(mul(r, h), x)));
    return shown(add(mul(sub(1, z), h), mul(z, c)));
  };
}

/** Hochreiter & Schmidhuber 1997, without peepholes. The state is [memory; hidden], each half of `hdim`. */
export function lstm(name: string, options: RecurrentOptions): Recurrent {
  checkName('lstm', name);
  checkOptions('lstm', options, RECURRENT, ['hdim', 'xdim']);
  const { hdim, xdim, param } = options;
  if (hdim % 2 !== 0) throw new WaymarkError(`lstm: hdim must be even, half memory and half hidden; got ${hdim}.`);
  const half = hdim / 2;
  const gate = (which: string, initb?: number): Layer =>
    affine(name + which, { in: half + xdim, out: half, param, initb });
  const forget = gate('forget', 1);
  const input = gate('input');
  const output = gate('output');
  const candidate = gate('candidate');
  return (state, given) => {
    const { add, mul, split, tanh: bounded } = engine();
    const [memory, hidden] = split(vectorOf(`lstm '${name}'`, state, hdim) as Tensor, [half, half]) as Value[];
    const both = joined(hidden, vectorOf(`lstm '${name}'`, given, xdim));
    const kept = mul(activate('sigmoid', forget(both)), memory);
    const added = mul(activate('sigmoid', input(both)), activate('tanh', candidate(both)));
    const next = add(kept, added);
    return joined(next, mul(activate('sigmoid', output(both)), bounded(next)));
  };
}
