/** `param` and `modelParam`: optimisable parameters (sections 3.2 and 3.4 of the paper). */
import { Delta } from '../distributions/delta.ts';
import { ImproperUniform } from '../distributions/improper-uniform.ts';
import { haveOwnData, ofEachDatum } from '../lanes/columns/data.ts';
import { closedLanes, currentLanes, type Lanes } from '../lanes/lanes.ts';
import { recording } from '../lanes/recording.ts';
import { describe } from '../runtime/describe.ts';
import { didYouMean, WaymarkError } from '../runtime/errors.ts';
import type { LaneParameters } from '../runtime/handler.ts';
import { lifting } from '../runtime/lifting.ts';
import { machine } from '../runtime/machine.ts';
import { sample } from '../runtime/primitives.ts';
import { RandomStream } from '../runtime/random.ts';
import { withDraws } from '../runtime/refusal.ts';
import { OneByOne } from '../runtime/signals.ts';
import { Node } from '../tensor/node.ts';
import { sizeOf } from '../tensor/shape.ts';
import { Tensor } from '../tensor/tensor.ts';

/** Options of `param` and `modelParam`. */
export interface ParamOptions {
  /** Without one, a parameter is named after the place in the execution where it is declared. */
  name?: string;
  /** The mean of the initial values. */
  mu?: number;
  /** The standard deviation. */
  sigma?: number;
  /** Initial values, instead of random ones. */
  init?: (dims: readonly number[]) => Tensor;
}

/** Options of a parameter that is a tensor. */
export interface TensorParamOptions extends ParamOptions {
  /** Its dimensions: `[n, 1]` for a vector. */
  dims: readonly number[];
}

const OPTIONS = ['name', 'dims', 'mu', 'sigma', 'init'];
/** A parameter declared without dims is a number, kept as a tensor of one. */
const SCALAR_DIMS: readonly number[] = [1];

/**
 * The parameter of this name, made now if it is new. Under `Optimize` its value is improved step by step.
 *
 *     const model = () => {
 *       const guide = Gaussian({mu: param({name: 'mu'}), sigma: softplus(param({name: 'sigma'}))});
 *       const x = sample(Gaussian({mu: 0, sigma: 1}), {guide});
 *       observe(Gaussian({mu: x, sigma: 0.5}), 1);
 *       return x;
 *     };
 *     Optimize(model, {steps: 100});
 */
export function param(options: TensorParamOptions): Tensor;
export function param(options?: ParamOptions): number;
export function param(given: Partial<TensorParamOptions> = {}): number | Tensor {
  const options = withOneName(given);
  checkOptions('param', options);
  const scalar = options.dims === undefined;
  const dims = options.dims ?? SCALAR_DIMS;
  const name = nameOf(options);
  const lanes = currentLanes();
  if (lanes !== null && name.includes('[*]')) return laneParam(name, dims, options, scalar, lanes);
  if (haveOwnData() && name.includes('[*]')) {
    return ofEachDatum((index) => parameter(name.replace('[*]', `[${index}]`), dims, options, scalar)) as
      | number
      | Tensor;
  }
  return parameter(name, dims, options, scalar);
}

/** The parameter of this name as the program sees it. */
function parameter(name: string, dims: readonly number[], options: ParamOptions, scalar: boolean): number | Tensor {
  const value = found(name, dims, options);
  const seen = machine.handler.param?.(name, value, scalar);
  if (seen !== undefined) return seen as number | Tensor;
  return scalar ? value.data[0] : value;
}

/** A parameter named after its place in an iteration: each lane has its own. */
function laneParam(
  name: string,
  dims: readonly number[],
  options: ParamOptions,
  scalar: boolean,
  lanes: Lanes,
): number | Tensor {
  // Which lanes take a side is known only when a step runs. There, parameters exist for all lanes that may take
  // it.
  const isOpen = lanes.space.isOpen;
  const names = new LaneNames(name, closedLanes(lanes));
  const own = names.namesNow();
  const table = machine.params;
  // One by one, an automatic guide gives such a parameter another name, and a parameter of the program is refused.
  if (own.some((one) => hasOtherDims(table.get(one), dims))) {
    throw new OneByOne('parameters', 'a parameter has other dims in some iterations');
  }
  const parameters: LaneParameters = {
    names: own,
    values: own.map((one) =>
      isOpen ? (table.get(one) ?? initialValue(one, dims, options)) : found(one, dims, options, true),
    ),
    namesNow: () => names.namesNow(),
    declare(one) {
      if (!table.has(one)) table.add(one, initialValue(one, dims, options));
    },
  };
  const seen = machine.handler.laneParam?.(parameters, scalar);
  if (seen === undefined) throw new OneByOne('parameters', 'parameters differ between iterations');
  return seen as number | Tensor;
}

/** The names of a parameter that each lane has one of. */
class LaneNames {
  private readonly parts: readonly string[];
  /** By the index of the iteration, where one loop runs side by side. */
  private readonly known: string[] = [];

  constructor(
    name: string,
    private readonly lanes: Lanes,
  ) {
    this.parts = name.split('[*]');
  }

  namesNow(): readonly string[] {
    const { lanes, parts, known } = this;
    const { size, indices } = lanes;
    if (parts.length === 2 && lanes.outer === null) {
      return Array.from(indices, (index) => (known[index] ??= `${parts[0]}[${index}]${parts[1]}`));
    }
    return Array.from({ length: size }, (_, lane) => {
      const path = lanes.path(lane);
      return parts.reduce((text, part, level) => `${text}[${path[level - 1]}]${part}`);
    });
  }
}

/** The parameter as it is in the table, made now if it is new; whether all lanes of a recording are known to meet it. */
function found(name: string, dims: readonly number[], options: ParamOptions, isMet = false): Tensor {
  const value = machine.params.get(name) ?? create(name, dims, options, isMet);
  if (hasOtherDims(value, dims)) {
    throw new WaymarkError(
      `The parameter '${name}' has dims [${value.dims.join(', ')}], and is declared here with [${dims.join(', ')}]. ` +
        'Give one of the two another name, or the same dims.',
    );
  }
  return value;
}

const hasOtherDims = (value: Tensor | undefined, dims: readonly number[]): boolean =>
  value !== undefined && (value.dims.length !== dims.length || value.dims.some((n, i) => n !== dims[i]));

/** The options as they are for all lanes: where these have different names, they part. */
function withOneName(options: Partial<TensorParamOptions>): Partial<TensorParamOptions> {
  const name: unknown = options?.name;
  if (typeof name !== 'object' || lifting.current === null) return options;
  return { ...options, name: lifting.current.agreed(name) as string };
}

const nameOf = ({ name }: ParamOptions): string => name ?? machine.address.relativeTo(machine.base);

/**
 * A parameter of the model itself: a choice with an improper flat prior, guided by a point at a parameter. Optimising
 * finds its maximum-likelihood value. The paper's short form `modelParam('name')` works too.
 *
 * Wherever guides are sampled that is the same as the parameter itself, since a point has no score. So it is once the
 * parameter has been learned, for methods that know nothing of guides: they infer the rest of the model given it.
 */
export function modelParam(options: TensorParamOptions): Tensor;
export function modelParam(options?: ParamOptions | string): number;
export function modelParam(given: Partial<TensorParamOptions> | string = {}): number | Tensor {
  const options = withOneName(typeof given === 'string' ? { name: given } : given);
  checkOptions('modelParam', options);
  if (machine.handler.guided === true || machine.params.get(nameOf(options)) !== undefined) {
    return param(options as TensorParamOptions) as number | Tensor;
  }
  return sample(ImproperUniform<number | Tensor>(), {
    guide: () => Delta({ v: param(options as TensorParamOptions) as number | Tensor }),
  });
}

function checkOptions(owner: string, options: unknown): void {
  if (typeof options !== 'object' || options === null) {
    throw new WaymarkError(
      `${owner} takes its options as an object, as in ${owner}({name: 'x'}); got ${describe(options)}.`,
    );
  }
  for (const name in options) {
    if (OPTIONS.includes(name)) continue;
    throw new WaymarkError(
      `${owner} has no option '${name}'; it takes ${OPTIONS.join(', ')}.${didYouMean(name, OPTIONS)}`,
    );
  }
  const { name, dims, init } = options as Partial<TensorParamOptions>;
  if (name !== undefined && (typeof name !== 'string' || name === '')) {
    throw new WaymarkError(`${owner}: name must be a string of at least one character, got ${describe(name)}.`);
  }
  if (
    dims !== undefined &&
    !(Array.isArray(dims) && dims.length > 0 && dims.every((n) => Number.isInteger(n) && n > 0))
  ) {
    const got = Array.isArray(dims) ? `[${dims.map(String).join(', ')}]` : describe(dims);
    throw new WaymarkError(`${owner}: dims must be an array of integers of at least 1, got ${got}.`);
  }
  if (init !== undefined && typeof init !== 'function') {
    throw new WaymarkError(`${owner}: init must be a function of the dims, such as xavier; got ${describe(init)}.`);
  }
}

function create(name: string, dims: readonly number[], options: ParamOptions, isMet: boolean): Tensor {
  // (Lanes may run a side that they do not take, and such a run must not add parameters. Outside of sides are those of data that a
  // minibatch has for the first time.)
  if (recording.current?.isOpen && !isMet) throw new OneByOne('parameters', 'a parameter is met for the first time');
  const value = initialValue(name, dims, options);
  machine.params.set(name, value);
  return value;
}

/** Initial values depend on the run's seed and the name alone, not on what was drawn before. */
function initialValue(name: string, dims: readonly number[], { mu = 0, sigma = 0.1, init }: ParamOptions): Tensor {
  const stream = RandomStream.fromSeed(machine.run.seed).named(`param ${name}`);
  return init === undefined ? gaussian(dims, mu, sigma, stream) : initial(name, dims, init, stream);
}

/** With lanes, each may start from a value of its own. */
function refuse(message: string): never {
  if (currentLanes() !== null) throw new OneByOne('parameters', 'a parameter starts from what differs');
  throw new WaymarkError(message);
}

function gaussian(dims: readonly number[], mu: number, sigma: number, stream: RandomStream): Tensor {
  if (!Number.isFinite(mu) || !(sigma >= 0 && sigma < Infinity)) {
    refuse(`param: mu must be a number and sigma a number of at least 0, got ${mu} and ${sigma}.`);
  }
  const data = new Float64Array(sizeOf(dims));
  stream.begin();
  for (let i = 0; i < data.length; i++) data[i] = mu + sigma * stream.gaussian();
  return new Tensor([...dims], data);
}

/** A value that differs between lanes cannot be the one value of a parameter. */
const settled = (node: Node): Tensor | Node =>
  node.space === null ? new Tensor([...node.dims], Float64Array.from(node.elements())) : node;

function initial(
  name: string,
  dims: readonly number[],
  init: (dims: readonly number[]) => Tensor,
  stream: RandomStream,
): Tensor {
  const made = withDraws('the init function of a parameter', stream, () => init(dims));
  // An initial value that is computed from choices is that of the execution which meets the parameter first.
  const value = (made as unknown) instanceof Node ? settled(made as unknown as Node) : made;
  if (!(value instanceof Tensor) || hasOtherDims(value, dims)) {
    refuse(
      `The init function of the parameter '${name}' must return a tensor of dims [${dims.join(', ')}], got ${describe(value)}.`,
    );
  }
  return value;
}
