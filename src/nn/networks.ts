/**
 * Networks as objects, in the paper's style: `nn.mlp(1, [{nOut: 3, activation: nn.sigmoid}, {nOut: 2}], 'net')` only
 * describes a network. `nneval` evaluates it, declaring its parameters then; `nnevalModel` does the same with its
 * weights as part of the model. Networks can be made anywhere, and shared.
 */
import { originOf } from '../algebra/identity.ts';
import { modelParam, param } from '../guides/param.ts';
import { inLayers } from '../lanes/columns/layer-operations.ts';
import { relu, sigmoid, softmax, softplus, tanh } from '../library/activations.ts';
import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { machine } from '../runtime/machine.ts';
import { ParameterTable } from '../runtime/parameters.ts';
import type { Value } from '../tensor/node.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { type EmbeddingOptions, embedding } from './embedding.ts';
import { asTensor, engine, lengthOf } from './engine.ts';
import { type ConvolutionOptions, conv2d, maxPool, type PoolOptions } from './images.ts';
import { filled } from './initial.ts';
import { checkOptions, type Declare, type Layer } from './layer-options.ts';
import { affine } from './layers.ts';
import { layerNorm } from './normalisation.ts';
import { gru, lstm, type Recurrent, rnn } from './recurrent.ts';

type Activation = (x: Tensor) => Tensor;

/** What `nneval` takes. */
export interface Network {
  readonly name: string;
  /** The network with its parameters declared, as a function of its input. */
  build(declare: Declare): (input: unknown) => Tensor;
}

/** A layer of `nn.mlp`. */
export interface MlpLayer {
  /** The length of its output. */
  nOut: number;
  /** Applied to its output, such as `nn.tanh`; left out, it is linear. */
  activation?: Activation;
}

function checkName(owner: string, name: unknown): asserts name is string {
  if (typeof name === 'string' && name !== '') return;
  throw new WaymarkError(
    `${owner} needs a name as its last argument, by which its parameters are kept; got ${describe(name)}.`,
  );
}

/** A multilayer perceptron: for each layer weights and biases, and an activation if it has one. */
function mlp(nIn: number, layers: readonly MlpLayer[], name: string): Network {
  checkName('nn.mlp', name);
  if (!(Number.isInteger(nIn) && nIn > 0)) {
    throw new WaymarkError(
      `nn.mlp takes the length of its input first, an integer of at least 1; got ${describe(nIn)}.`,
    );
  }
  if (!Array.isArray(layers) || layers.length === 0 || layers.some((layer) => typeof layer !== 'object')) {
    throw new WaymarkError(
      `nn.mlp takes layers such as [{nOut: 3, activation: nn.sigmoid}, {nOut: 2}], got ${describe(layers)}.`,
    );
  }
  layers.forEach((layer, i) => {
    const owner = `nn.mlp: layer ${i}`;
    checkOptions(owner, layer, ['nOut', 'activation'], ['nOut']);
    const { activation } = layer;
    if (activation === undefined || typeof activation === 'function') return;
    throw new WaymarkError(`${owner}: activation must be a function such as nn.sigmoid, got ${describe(activation)}.`);
  });
  return {
    name,
    build(declare) {
      let width = nIn;
      const steps = layers.map(({ nOut, activation }, i): Layer => {
        const step = affine(`${name}.${i}`, { in: width, out: nOut, param: declare });
        width = nOut;
        return activation === undefined ? step : (x) => applied(activation, step(x));
      });
      return (input) => steps.reduce((x, step) => step(x), input as Tensor);
    },
  };
}

/** A single layer of `nOut` numbers, without an activation. */
const linear = (nIn: number, nOut: number, name: string): Network => {
  checkName('nn.linear', name);
  return mlp(nIn, [{ nOut }], name);
};

/** A vector of parameters, which takes no input. */
function constantparams(dims: readonly number[], name: string): Network {
  checkName('nn.constantparams', name);
  if (!(Array.isArray(dims) && dims.length > 0 && dims.every((n) => Number.isInteger(n) && n > 0))) {
    throw new WaymarkError(
      `nn.constantparams takes dims first, as in nn.constantparams([3], 'name'); got ${describe(dims)}.`,
    );
  }
  return {
    name,
    build(declare) {
      const shape = dims.length === 1 ? [dims[0], 1] : dims;
      const values = declare({ name, dims: shape, init: filled(0) });
      return () => values;
    },
  };
}

/** A layer in WebPPL's style as a network. */
function ofLayer<O extends object>(
  owner: string,
  make: (name: string, options: O & { param: Declare }) => (x: never) => Tensor,
) {
  return (options: Omit<O, 'param'>, name: string): Network => {
    checkName(owner, name);
    return {
      name,
      build: (declare) =>
        make(name, { ...options, param: declare } as unknown as O & { param: Declare }) as (input: unknown) => Tensor,
    };
  };
}

const pool = (options: PoolOptions): Network => ({ name: 'nn.maxpool', build: () => maxPool(options) as never });

/** One network after the other; functions such as `nn.relu` may stand between them. */
function sequence(parts: readonly (Network | Activation)[], name = sequenceName(parts)): Network {
  if (!Array.isArray(parts) || parts.length === 0) {
    throw new WaymarkError(`nn.sequence takes an array of networks, got ${describe(parts)}.`);
  }
  for (const part of parts) {
    if (isNetwork(part) || typeof part === 'function') continue;
    throw new WaymarkError(
      `nn.sequence takes networks, and functions such as nn.relu between them; got ${describe(part)}.`,
    );
  }
  return {
    name,
    build(declare) {
      const steps = parts.map((part) =>
        isNetwork(part) ? part.build(declare) : (x: unknown) => applied(part, x as Tensor),
      );
      return (input) => steps.reduce((x, step) => step(x), input) as Tensor;
    },
  };
}

const sequenceName = (parts: readonly (Network | Activation)[]): string =>
  Array.isArray(parts) ? parts.map((part) => part?.name).join('>') : '';

/** A recurrent unit with `hdim` numbers of state for inputs of `xdim` numbers. */
export type MakeRecurrent = (hdim: number, xdim: number, name: string) => Network;

/** A recurrent unit as a network of [state, input], or of one vector with the input before the state. */
function recurrent(
  owner: string,
  make: (name: string, options: { hdim: number; xdim: number; param: Declare }) => Recurrent,
) {
  return (hdim: number, xdim: number, name: string): Network => {
    checkName(owner, name);
    return {
      name,
      build(declare) {
        const step = make(name, { hdim, xdim, param: declare });
        return (input) => {
          if (Array.isArray(input) && input.length === 2 && typeof input[0] === 'object')
            return step(input[0], input[1]);
          const both = asTensor(owner, input);
          const n = lengthOf(both);
          if (n !== hdim + xdim) {
            throw new WaymarkError(
              `${owner} '${name}' takes [state, input], or one vector of ${xdim} + ${hdim} numbers; got ${n} numbers.`,
            );
          }
          const { reshape, split } = engine();
          const [x, h] = split(reshape(both as Tensor, [n]) as Tensor, [xdim, hdim]) as Value[];
          return step(h as unknown as Tensor, x as unknown as Tensor);
        };
      },
    };
  };
}

/** A recurrent unit: `tanh` of a linear function of state and input. `nneval(unit, [state, input])` is the next state. */
export const makeRNN: MakeRecurrent = recurrent('makeRNN', rnn);
/** A gated recurrent unit: `nneval(unit, [state, input])`, or of one vector with the input before the state. */
export const makeGRU: MakeRecurrent = recurrent('makeGRU', gru);
/** A unit of long short-term memory; half of its state is the memory. */
export const makeLSTM: MakeRecurrent = recurrent('makeLSTM', lstm);

/** Activations of the library work on tensors; under gradients the engine's do. */
const ENGINE_NAMES = new Map<unknown, 'sigmoid' | 'tanh' | 'relu' | 'softplus' | 'softmax'>([
  [sigmoid, 'sigmoid'],
  [tanh, 'tanh'],
  [relu, 'relu'],
  [softplus, 'softplus'],
  [softmax, 'softmax'],
]);

function applied(activation: Activation, x: Tensor): Tensor {
  // (Where values stand for others, the program has it made fit for that.)
  const name = ENGINE_NAMES.get(originOf(activation));
  if (name === undefined) return activation(x);
  return engine()[name](x as Tensor) as unknown as Tensor;
}

function isNetwork(value: unknown): value is Network {
  return typeof (value as Partial<Network> | null)?.build === 'function';
}

function evaluated(owner: string, network: unknown, input: unknown, declare: Declare): Tensor {
  if (isNetwork(network)) return network.build(declare)(input);
  throw new WaymarkError(`${owner} takes a network first, such as nn.mlp(…) makes; got ${describe(network)}.`);
}

/** A network with the parameters that it had when many executions asked for it last. */
interface Built {
  readonly params: ParameterTable;
  readonly version: number;
  readonly apply: (input: unknown) => Tensor;
}

const built = new WeakMap<Network, Built>();

/** The same as `build`, which need not look for parameters again that have not changed. */
function builtFor(network: Network): (input: unknown) => Tensor {
  const { params } = machine;
  const known = built.get(network);
  // Caches of results have to know that they depend on parameters.
  ParameterTable.reads++;
  if (known?.params === params && known.version === params.currentVersion) return known.apply;
  const apply = network.build(param as Declare);
  built.set(network, { params, version: params.currentVersion, apply });
  return apply;
}

/** Evaluates a network; its parameters belong to the guide. */
export function nneval(network: Network, input?: unknown): Tensor {
  if (machine.sideBySide !== null && isNetwork(network)) return inLayers(() => builtFor(network)(input));
  return evaluated('nneval', network, input, param as Declare);
}

/** The paper's other spelling of `nneval`. */
export const nnEval: typeof nneval = nneval;

/** Evaluates a network whose weights are learned as part of the model, under an improper flat prior. */
export function nnevalModel(network: Network, input?: unknown): Tensor {
  return evaluated('nnevalModel', network, input, modelParam as Declare);
}

/** Networks as objects, and activations for them: `nn.mlp(1, [{nOut: 3, activation: nn.tanh}, {nOut: 2}], 'net')`. */
export const nn = {
  mlp,
  linear,
  constantparams,
  sequence,
  /** `nn.convolution(options, name)`: `conv2d` as a network. */
  convolution: ofLayer<ConvolutionOptions>('nn.convolution', conv2d),
  /** `nn.maxpool(options)`: `maxPool` as a network. */
  maxpool: pool,
  /** `nn.layernorm({in}, name)`: `layerNorm` as a network. */
  layernorm: ofLayer<{ in: number }>('nn.layernorm', layerNorm),
  /** `nn.embedding({in, out}, name)`: `embedding` as a network. */
  embedding: ofLayer<EmbeddingOptions>('nn.embedding', embedding),
  /** The library's `sigmoid`. */
  sigmoid,
  /** The library's `tanh`. */
  tanh,
  /** The library's `relu`. */
  relu,
  /** The library's `softplus`. */
  softplus,
  /** The library's `softmax`. */
  softmax,
};
