/** Recurrent units as functions of state and input, in WebPPL's style. */
import { sigmoid, tanh } from '../library/activations.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { lifting } from '../runtime/lifting.ts';
import type { Value } from '../tensor/node.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { engine, vectorOf } from './engine.ts';
import { checkName, checkOptions, type Declare, type Layer, type LayerOptions, shown } from './layer-options.ts';
import { affine } from './layers.ts';

/** Options of recurrent units. */
export interface RecurrentOptions {
  /** The length of the state. */
  hdim: number;
  /** The length of the input. */
  xdim: number;
  /** Where parameters belong: `param` (the guide, if left out) or `modelParam`. */
  param?: Declare;
  /** Makes the layers inside; by default `affine`. */
  ctor?: (name: string, options: LayerOptions) => Layer;
  /** What is applied at the end; `tanh` if left out. */
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
