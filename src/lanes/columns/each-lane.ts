/** Calls functions with each execution's own values: once for each value of a table, or for one execution after the other. */
import type { Domain, Fn } from '../../algebra/domain.ts';
import { Copies, hasOrigin } from '../../algebra/identity.ts';
import { isBlindToIdentity } from '../../algebra/identity-blind.ts';
import { hasHoles } from '../../algebra/parts.ts';
import { during, machine } from '../../runtime/machine.ts';
import { isDistribution } from '../../runtime/primitives.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { isRecord } from '../../runtime/values.ts';
import { Tensor } from '../../tensor/tensor.ts';
import { type Coded, ofCombinations } from './coded.ts';
import {
  agreed,
  Column,
  differs,
  fromLanes,
  fromTable,
  isDiffering,
  isObject,
  kindOf,
  lanesOf,
  ownObjects,
  tableBehind,
  variousOf,
} from './column.ts';
import { current, currentGroup } from './group.ts';
import { meter } from './meter.ts';
import { isRoaming } from './roaming-objects.ts';

/**
 * The values of all executions, for a function that does not compare objects by identity: an object in which something
 * differs is copied wherever it is met. Undefined if the value is the same for all.
 */
function plainLanes(value: unknown): readonly unknown[] | undefined {
  if (!differs(value)) return undefined;
  // (Arguments that are only calculated with are not part of the result.)
  const own = isRoaming(value) ? variousOf(value) : undefined;
  if (own !== undefined) return own;
  // (To ask what stands for several for its keys would look at it.)
  if (isDiffering(value)) return lanesOf(value);
  const isList = Array.isArray(value);
  const keys = isList || !isRecord(value) ? [] : Object.keys(value);
  const isSimple = isList ? !hasHoles(value) : isRecord(value) && Object.getOwnPropertySymbols(value).length === 0;
  if (!isSimple) return lanesOf(value);
  const { size } = currentGroup();
  const parts = isList ? Array.from(value) : keys.map((key) => (value as Record<string, unknown>)[key]);
  const lanes = parts.map(plainLanes);
  meter.values(size * parts.length);
  return Array.from({ length: size }, (_, lane) => {
    const part = (k: number): unknown => (lanes[k] === undefined ? parts[k] : lanes[k]![lane]);
    return isList ? parts.map((_part, k) => part(k)) : Object.fromEntries(keys.map((key, k) => [key, part(k)]));
  });
}

/** The results of a function for each execution; undefined where these are objects, which may be its own arguments. */
function calculated(fn: Fn, args: readonly unknown[]): unknown {
  const { size } = currentGroup();
  const lanes = args.map(plainLanes);
  const results = new Array<unknown>(size);
  for (let lane = 0; lane < size; lane++) {
    const result = fn(...args.map((argument, k) => (lanes[k] === undefined ? argument : lanes[k]![lane])));
    if (isObject(result) && !(result instanceof Tensor) && !isDistribution(result)) return undefined;
    results[lane] = result;
  }
  return fromLanes(results);
}

/** The results of a function whose arguments have few different values; undefined if they have many. */
function ofTables(fn: Fn, args: readonly unknown[], self: unknown): { readonly value: unknown } | undefined {
  const given = [self, ...args];
  const tables: (Coded | undefined)[] = [];
  for (const argument of given) {
    const table = differs(argument) ? tableBehind(argument) : undefined;
    if (table === undefined ? differs(argument) : table.table.some(hasOrigin)) return undefined;
    tables.push(table);
  }
  const { size } = currentGroup();
  const found = ofCombinations(([one, ...others]) => fn.apply(one, others), given, tables, size);
  if (found === undefined) return undefined;
  meter.codes(size);
  return { value: fromTable(found.results, found.codes) };
}

/** The same for a function of one object, of whose fields some have few different values: it is called once for each combination of these. */
export function ofFields(fn: Fn, args: readonly unknown[]): { readonly value: unknown } | undefined {
  const [given] = args;
  if (args.length !== 1 || !isRecord(given) || isDiffering(given) || isRoaming(given) || ownObjects.has(given))
    return undefined;
  const names = Object.keys(given);
  const fields = names.map((name) => given[name]);
  return ofTables((...own) => fn(Object.fromEntries(names.map((name, k) => [name, own[k]]))), fields, undefined);
}

/**
 * The results of a function for each execution, with arguments that may differ. `calculates`: it does not compare objects by
 * identity, and may be called again.
 */
export function inEachLane(fn: Fn, args: readonly unknown[], self?: unknown, calculates = false): unknown {
  const call = (): unknown => callEach(fn, args, self, calculates);
  // What is called back changes no variable, which would be changed for all.
  const callsBack = args.some((argument) => typeof argument === 'function');
  return callsBack ? during({ execution: --machine.sides }, call) : call();
}

function callEach(fn: Fn, args: readonly unknown[], self: unknown, calculates: boolean): unknown {
  const { size } = currentGroup();
  const together = ofTables(fn, args, self);
  if (together !== undefined) return together.value;
  if (calculates && args.some((argument) => isCopied(argument) || isRoaming(argument))) {
    const found = calculated(fn, args);
    if (found !== undefined) return found;
  }
  current.columns!.noteApart();
  const copies = args.some(isCopied) || isCopied(self) ? Array.from({ length: size }, () => new Copies()) : undefined;
  const columns = args.map((argument) => (differs(argument) ? lanesOf(argument, copies) : undefined));
  const selves = differs(self) ? lanesOf(self, copies) : undefined;
  const results = new Array<unknown>(size);
  meter.values(size);
  const given = [...args];
  for (let lane = 0; lane < size; lane++) {
    for (let k = 0; k < given.length; k++) if (columns[k] !== undefined) given[k] = columns[k]![lane];
    results[lane] = fn.apply(selves === undefined ? self : selves[lane], [...given]);
  }
  return (copies && copiedFrom(results, copies)) ?? fromLanes(results);
}

/** The object that differs, if these values are its copies. */
function copiedFrom(results: readonly unknown[], copies: readonly Copies[]): object | undefined {
  const [source, ...others] = results.map((result, lane) => copies[lane].restored(result));
  return source !== results[0] && others.every((other) => other === source) ? (source as object) : undefined;
}

/** True of objects in which something differs: each execution is given a copy of them. */
const isCopied = (value: unknown): boolean => {
  if (!isObject(value) || value instanceof Column) return false;
  return variousOf(value)?.some(hasOrigin) ?? (!isDiffering(value) && differs(value));
};

/** Columns as a domain of `src/algebra/`. */
export const columnDomain: Domain = {
  isActive: () => current.columns !== null,
  isShared: () => current.columns !== null,
  isDifferentiable: false,
  isMine: isDiffering,
  kindOf,
  holds: differs,
  look(value) {
    const plain = agreed(value);
    if (isDiffering(plain)) throw new OneByOne('family', 'the program looks at a distribution that differs');
    return plain;
  },
  each: (fn, args, of) => inEachLane(fn, args, undefined, of !== undefined && isBlindToIdentity(of)),
};
