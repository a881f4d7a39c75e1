/** WebPPL's `util`: random seeds, JSON, checks of types and the like, as far as programs use them. */
import { describe } from '../../runtime/describe.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import { machine, runsDirectly } from '../../runtime/machine.ts';
import { RandomStream } from '../../runtime/random.ts';
import { unseenNumbers } from '../../runtime/unseen-numbers.ts';
import { isRecord } from '../../runtime/values.ts';
import { isVector, Tensor } from '../../tensor/tensor.ts';
import { error } from '../functions.ts';
import { deserialize, serialize } from '../serialized-text.ts';
import { logsumexp, sum } from '../sums.ts';
import { idMatrix, oneHot } from '../tensors/constructors.ts';
import { histExpectation, histStd, histsApproximatelyEqual } from './hist.ts';

/** From here on the program draws what a run with this seed draws from its start. */
function seedRNG(seed: number): void {
  if (typeof seed !== 'number' || !Number.isFinite(seed)) {
    throw new WaymarkError(`util.seedRNG needs a finite number as the seed, got ${describe(seed)}.`);
  }
  restart('seedRNG', seed);
}

/** From here on the program draws what the run draws from its start. */
function resetRNG(): void {
  restart('resetRNG', machine.run.seed);
}

/** An execution of a model has random numbers of its own, by which it can be executed again. */
function restart(name: string, seed: number): void {
  if (!runsDirectly()) {
    throw new WaymarkError(`util.${name} can be called at the top level of a program, not in a model.`);
  }
  machine.stream = RandomStream.fromSeed(seed);
  machine.origin = machine.stream;
}

/** How many names each run has made. */
const names = new WeakMap<object, number>();

/** A name that was not given before in this run. */
function gensym(prefix = 'g'): string {
  const count = names.get(machine.run) ?? 0;
  names.set(machine.run, count + 1);
  return `${prefix}${count}`;
}

const isTensor = (value: unknown): value is Tensor => value instanceof Tensor;

/** WebPPL's `util`: random seeds, JSON, checks of types and the like, as far as programs use them. */
export const util = {
  /** A uniform number that inference does not see. */
  random: (): number => unseenNumbers().uniform(),
  seedRNG,
  resetRNG,
  logsumexp,
  sum,
  serialize,
  deserialize,
  prettyJSON(value: unknown): void {
    machine.run.output(value, JSON.stringify(value, null, 2));
  },
  isObject: isRecord,
  isInteger: (value: unknown): boolean => Number.isInteger(value),
  isTensor,
  isVector,
  isMatrix: (value: unknown): boolean => isTensor(value) && value.rank === 2,
  tensorEqDim0: (a: Tensor, b: Tensor): boolean => a.dims[0] === b.dims[0],
  tensorEqDims: (a: Tensor, b: Tensor): boolean => a.rank === b.rank && a.dims.every((d, i) => d === b.dims[i]),
  idMatrix,
  oneHot,
  mergeDefaults: (given: object | undefined, defaults: object): object => ({ ...defaults, ...given }),
  warn: (message: string): void => machine.run.warn(String(message)),
  error,
  jsthrow(thrown: unknown): never {
    throw thrown;
  },
  gensym,
  makeGensym: (): ((prefix?: string) => string) => {
    let count = 0;
    return (prefix = 'g') => `${prefix}${count++}`;
  },
  asArray: <A>(value: A | readonly A[] | undefined): readonly A[] =>
    value === undefined || value === null ? [] : Array.isArray(value) ? value : [value as A],
  runningInBrowser: (): boolean => 'document' in globalThis,
  histExpectation,
  histStd,
  histsApproximatelyEqual,
};
