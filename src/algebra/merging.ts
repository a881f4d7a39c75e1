/** One value for all from those of several groups, such as the sides of a conditional: each holds for its own executions. */
import { called } from '../runtime/called-by-javascript.ts';
import { isRecord } from '../runtime/values.ts';
import type { Params } from './families.ts';

/** Groups that each execution is in once. */
export interface Groups {
  isMine(value: unknown): boolean;
  holds(value: unknown): boolean;
  isNumeric(value: unknown): boolean;
  /** Joins numbers, truth values or tensors, one of each group; undefined if they are of different kinds. */
  join(values: readonly unknown[]): unknown;
  /** The items of a list that a group has. */
  itemsOf(list: readonly unknown[], group: number): readonly unknown[];
  /** The value that stands for the objects which executions had before their groups were merged. */
  originals(values: readonly object[]): unknown;
  /** Notes that a merged object stands for these. */
  knownBy(made: object, values: readonly object[]): object;
  /** Whether one of them is an object that the program may still change: what stands for it then has to be the very object. */
  mayChange?(values: readonly unknown[]): boolean;
  /** Anything else, with a value for each. */
  others(values: readonly unknown[]): unknown;
}

/** One value for all; `values` are those of the groups. */
export function merged(groups: Groups, values: readonly unknown[]): unknown {
  const [first] = values;
  // A value that is the same in all groups was there before them.
  if (values.every((value) => Object.is(value, first))) return first;
  if (values.every(groups.isNumeric)) {
    const joined = groups.join(values);
    if (joined !== undefined) return joined;
  }
  if (values.some(groups.isMine) || groups.mayChange?.(values)) return groups.others(values);
  if (values.every(Array.isArray)) {
    const lists = values.map((list, group) => groups.itemsOf(list, group));
    if (lists.some(({ length }) => length !== lists[0].length)) return groups.others(lists);
    const itemsAt = (i: number): unknown[] => lists.map((list) => list[i]);
    const items = lists[0].map((_, i) => merged(groups, itemsAt(i)));
    return known(groups, items, values as readonly object[]);
  }
  if (!values.every((value) => isRecord(value) && sameKeys(value, first as object))) return groups.others(values);
  const records = values as readonly Record<string, unknown>[];
  const valuesOf = (key: string): unknown[] => records.map((one) => one[key]);
  const fields = Object.keys(records[0]).map((key) => [key, called(key, merged(groups, valuesOf(key)))]);
  return known(groups, Object.fromEntries(fields) as object, records);
}

/** A merged value with the objects that it was made from: programs may compare objects by identity. */
function known(groups: Groups, made: object, values: readonly object[]): unknown {
  // Equal objects are still different objects.
  return groups.holds(made) ? groups.knownBy(made, values) : groups.originals(values);
}

/** Distributions of one family whose parameters have the same names and are fit: these, merged; undefined of others. */
export function mergedParams(
  distributions: readonly unknown[],
  merge: (values: readonly unknown[]) => unknown,
  isFit: (param: unknown) => boolean = () => true,
): Params | undefined {
  const all = distributions as readonly ({ readonly family?: object; readonly params: Params } | null | undefined)[];
  const family = all[0]?.family;
  if (family === undefined || !all.every((one) => one?.family === family)) return undefined;
  const params = all.map((one) => one!.params);
  const names = Object.keys(params[0]);
  const isAlike = (own: Params): boolean =>
    Object.keys(own).length === names.length && names.every((name) => Object.hasOwn(own, name) && isFit(own[name]));
  if (!params.every(isAlike)) return undefined;
  return Object.fromEntries(names.map((name) => [name, merge(params.map((own) => own[name]))]));
}

/** Whether two objects have the same fields in the same order, and nothing else: fields may be named by symbols. */
export const sameKeys = (a: object, b: object): boolean => {
  const [keys, others] = [Object.keys(a), Reflect.ownKeys(b)];
  const isAlike = keys.length === others.length && keys.every((key, i) => key === others[i]);
  return isAlike && Reflect.ownKeys(a).length === keys.length;
};
