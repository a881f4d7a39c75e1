/** Calls of functions that know nothing of columns: of JavaScript, of lodash, of the library. */
import type { Fn } from '../../algebra/domain.ts';
import { HostCalls } from '../../algebra/host-calls.ts';
import { OWN_MUTATORS } from '../../compiler/analyse/hosts.ts';
import { isDistribution } from '../../runtime/primitives.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { scoreColumns } from './choices.ts';
import { column, columnDomain, ownObjects } from './column.ts';
import { distributionOf, LaneDistribution } from './distribution.ts';
import { sortingMethod } from './sorting.ts';
import { TensorColumn } from './tensor-column.ts';
import { methodOfTensors, ofTensors } from './tensor-functions.ts';

export const calls = new HostCalls({
  ...columnDomain,
  meaning(fn, args) {
    const found = ofTensors(fn, args);
    return found && (() => found.value);
  },
  ownMethod(object, key) {
    if (isChangedItself(object, key)) return (...args) => functionOfLists(key).apply(object, args);
    const sorting = sortingMethod(object, key);
    if (sorting !== undefined) return sorting;
    const fn = object instanceof TensorColumn ? methodOfTensors(key) : undefined;
    return fn === undefined ? methodOfDistributions(object, key) : (...args) => calls.pure(fn)(object, ...args);
  },
});

/** Lists that each execution has one of its own of change by their traps what is to be changed. */
const isChangedItself = (object: unknown, key: PropertyKey): boolean =>
  OWN_MUTATORS.has(key as string) && Array.isArray(object) && ownObjects.has(object);

const functionOfLists = (key: PropertyKey): Fn => (Array.prototype as unknown as Record<PropertyKey, Fn>)[key];

/** A method of distributions that may differ. */
function methodOfDistributions(object: unknown, key: PropertyKey): Fn | undefined {
  const given = distributionOf(object);
  const isSeveral = given !== object && Array.isArray(given) && isDistribution(given[0]);
  const differs = given instanceof LaneDistribution || isSeveral;
  if (!differs && !(key === 'score' && isDistribution(given))) return undefined;
  if (key !== 'score') throw new OneByOne('family', `${String(key)} of a distribution that differs is asked for`);
  return (value) => {
    const score = scoreColumns(given, value);
    return typeof score === 'number' ? score : column(score);
  };
}
