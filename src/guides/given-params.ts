import { describe } from '../runtime/describe.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { during } from '../runtime/machine.ts';
import { ParameterTable } from '../runtime/parameters.ts';
import { Tensor } from '../tensor/tensor.ts';

/** Parameters by name, as `Optimize` returns them and `Infer` takes them. */
export type Params<Names extends string = string> = Record<Names, Tensor>;

/** The parameters that a program gave, as a table of its own. A plain number stands for a parameter without dims. Errors name `owner`. */
export function tableOf(owner: string, given: unknown): ParameterTable {
  if (typeof given !== 'object' || given === null || Array.isArray(given) || given instanceof Tensor) {
    throw new WaymarkError(`${owner} needs parameters by name, as Optimize returns them; got ${describe(given)}.`);
  }
  const table = new ParameterTable();
  for (const [name, value] of Object.entries(given)) table.set(name, tensorOf(owner, name, value));
  return table;
}

function tensorOf(owner: string, name: string, value: unknown): Tensor {
  if (value instanceof Tensor) return value;
  if (typeof value === 'number') return new Tensor([1], Float64Array.of(value));
  throw new WaymarkError(
    `${owner} needs parameters by name, as Optimize returns them: each a tensor, or a number; '${name}' is ${describe(value)}.`,
  );
}

/** Runs `work` with these parameters in place of those of the run. */
export function withParameters<R>(table: ParameterTable, action: () => R): R {
  return during({ params: table }, action);
}
