import { isRecord } from '../../runtime/values.ts';
import { Tensor } from '../../tensor/tensor.ts';
import { type Convergence, convergence } from './convergence.ts';

/** The numbers in a value, by the names a program would use: `x`, `xs[0]`, `point.x`; a bare number is `value`. */
type Components = ReadonlyMap<string, number>;

const BARE = 'value';

function collect(value: unknown, name: string, into: Map<string, number>): void {
  if (typeof value === 'number' || typeof value === 'boolean') into.set(name || BARE, Number(value));
  else if (Array.isArray(value)) value.forEach((item, i) => void collect(item, `${name}[${i}]`, into));
  else if (value instanceof Tensor) value.data.forEach((item, i) => void into.set(`${name}[${i}]`, item));
  else if (isRecord(value)) {
    for (const [key, item] of Object.entries(value)) collect(item, name === '' ? key : `${name}.${key}`, into);
  }
}

export function componentsOf(value: unknown): Components {
  const components = new Map<string, number>();
  collect(value, '', components);
  return components;
}

/** R-hat and effective sample sizes of every number that all values have, for chains of one length. */
export function convergenceOf(chains: readonly (readonly unknown[])[]): Record<string, Convergence> {
  const components = chains.map((values) => values.map(componentsOf));
  const result = new Map<string, Convergence>();
  for (const name of components[0][0]?.keys() ?? []) {
    if (!components.every((values) => values.every((numbers) => numbers.has(name)))) continue;
    const numbersOf = components.map((values) => values.map((numbers) => numbers.get(name) as number));
    result.set(name, convergence(numbersOf));
  }
  return Object.fromEntries(result);
}
