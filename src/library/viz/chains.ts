/** The numbers of samples by name, apart for each chain that they come from. */
import { SampleBasedMarginal } from '../../distributions/marginal.ts';
import { componentsOf } from '../../inference/diagnostics/components.ts';
import { describe } from '../../runtime/describe.ts';
import { WaymarkError } from '../../runtime/errors.ts';
import type { Distribution } from '../../runtime/handler.ts';
import { isDistribution } from '../../runtime/primitives.ts';
import type { WeightedNumbers } from '../weighted-numbers.ts';
import { type Drawable, drawn } from './data.ts';

/** A result of MCMC, HMC or NUTS; several, for a chain each; or a list of samples. */
export type Chains = Drawable | readonly Distribution<unknown>[];

/** One number of the values. */
export interface Quantity {
  readonly name: string;
  /** Its values in each chain, in their order. */
  readonly chains: readonly Float64Array[];
}

/** Samples that have weights have no order, and so are of no chain. */
const isWeighted = (dist: unknown): boolean => dist instanceof SampleBasedMarginal && dist.weights !== undefined;

/** The samples of each chain. */
function chainValues(caller: string, data: Chains): unknown[][] {
  if (Array.isArray(data) && data.length > 0 && data.every((item) => isDistribution(item))) {
    return data.flatMap((dist) => chainValues(caller, dist as Drawable));
  }
  if (!(data instanceof SampleBasedMarginal)) {
    if (isDistribution(data)) {
      throw new WaymarkError(`${caller} needs samples, and ${data.name} is not made of any. Use viz(dist).`);
    }
    return [Array.from(drawn(caller, data as Drawable).values)];
  }
  if (isWeighted(data)) {
    throw new WaymarkError(
      `${caller} needs samples in the order of a chain, as MCMC, HMC and NUTS give them; these are weighted samples. Use viz.forest(dist) or viz(dist).`,
    );
  }
  const values = data.samples.map(({ value }) => value);
  const count = Number(data.diagnostics?.chains ?? 1);
  const length = Math.floor(values.length / count);
  return Array.from({ length: count }, (_, i) => values.slice(i * length, (i + 1) * length));
}

/** Every number that all values have. */
export function quantitiesOf(caller: string, data: Chains): Quantity[] {
  const chains = chainValues(caller, data).map((values) => values.map(componentsOf));
  const names = [...(chains[0][0]?.keys() ?? [])].filter((name) =>
    chains.every((values) => values.every((numbers) => numbers.has(name))),
  );
  if (names.length === 0) throw noNumbers(caller, chainValues(caller, data)[0][0]);
  return names.map((name) => ({
    name,
    chains: chains.map((values) => Float64Array.from(values, (numbers) => numbers.get(name) as number)),
  }));
}

/** The same with weights, for drawings that do not ask for an order. */
export function weightedQuantities(
  caller: string,
  data: Chains,
  samples?: number,
): { name: string; numbers: WeightedNumbers }[] {
  const isMany = Array.isArray(data) && data.length > 0 && data.every((item) => isDistribution(item));
  const parts = (isMany ? (data as readonly Drawable[]) : [data as Drawable]).map((one) => drawn(caller, one, samples));
  const values = parts.flatMap((part) => part.values as unknown[]);
  const weights = Float64Array.from(parts.flatMap((part) => Array.from(part.weights, (w) => w / parts.length)));
  const components = values.map(componentsOf);
  const names = [...(components[0]?.keys() ?? [])].filter((name) => components.every((numbers) => numbers.has(name)));
  if (names.length === 0) throw noNumbers(caller, values[0]);
  return names.map((name) => ({
    name,
    numbers: { values: Float64Array.from(components, (numbers) => numbers.get(name) as number), weights },
  }));
}

function noNumbers(caller: string, value: unknown): WaymarkError {
  return new WaymarkError(`${caller} needs numbers in the values, and here is ${describe(value)}. Use viz.table.`);
}
