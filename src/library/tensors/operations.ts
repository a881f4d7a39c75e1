import { Tensor } from '../../tensor/tensor.ts';
import * as axes from './axes.ts';
import * as elementwise from './elementwise.ts';
import * as entries from './entries.ts';
import * as linearAlgebra from './linear-algebra.ts';

const { areNaN, areFinite, ...functions } = elementwise;

const { checkAxis: _checkAxis, ...functionsOfAxes } = axes;

type Fn = (...args: never[]) => unknown;

/**
 * The functions, made to take a number as a tensor of one entry: parameters without dims are numbers, and programs with them must work
 * with and without gradients. `gives` is the kind of the result for a number.
 */
function ofNumbers<F extends Readonly<Record<string, Fn>>>(fns: F, gives: 'number' | 'tensor'): F {
  const made = Object.entries(fns).map(([name, fn]) => {
    const own = (...args: unknown[]): unknown => {
      if (typeof args[0] !== 'number' || args.some((one) => one instanceof Tensor)) return fn(...(args as never[]));
      const result = fn(...([new Tensor([1], Float64Array.of(args[0])), ...args.slice(1)] as never[]));
      return gives === 'number' && result instanceof Tensor ? result.data[0] : result;
    };
    return [name, Object.defineProperty(own, 'name', { value: name })] as const;
  });
  return Object.fromEntries(made) as unknown as F;
}

const { get, toScalars, sumreduce, allreduce, anyreduce, softmax, reshape, range, split } = entries;

/** Functions of tensors, under WebPPL's names: `T.add(a, b)`, `T.dot(a, b)`, `T.get(v, i)`. */
export const T = {
  ...ofNumbers({ ...functions, isNaN: areNaN, isFinite: areFinite }, 'number'),
  ...linearAlgebra,
  ...entries,
  ...ofNumbers({ get, toScalars, sumreduce, allreduce, anyreduce, softmax }, 'number'),
  ...ofNumbers({ reshape, range, split }, 'tensor'),
  ...functionsOfAxes,
  __Tensor: Tensor,
};
