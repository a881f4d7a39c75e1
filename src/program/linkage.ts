/** The part of the runtime that compiled programs are handed. */

import { isHostFunction } from '../algebra/host-functions.ts';
import * as arithmetic from '../algebra/plain-arithmetic.ts';
import type { Linkage, SiteAddress } from '../compiler/linkage.ts';
import { sampleField } from '../distributions/sample-columns.ts';
import { compared } from '../inference/contents.ts';
import { lasting, lastingAlone } from '../inference/lasting-calls.ts';
import { scalarMath } from '../library/math.ts';
import { type Address, nowhere } from '../runtime/address.ts';
import { called } from '../runtime/called-by-javascript.ts';
import { isSignal } from '../runtime/execution.ts';
import { apart } from '../runtime/known-models.ts';
import { machine } from '../runtime/machine.ts';
import { made } from '../runtime/made-functions.ts';
import { quiet } from '../runtime/quiet-functions.ts';
import { rejecting } from '../runtime/rejection.ts';
import { bounce, direct, ending, rebound, tail } from '../runtime/returning.ts';
import { thrown } from '../runtime/throwing.ts';
import type { Readings } from './readings.ts';
import type { Extras } from './scope.ts';

type Callback = (this: unknown, ...args: unknown[]) => unknown;

/** Host code calls back without saying where from: number its calls. */
function each(given: SiteAddress, value: unknown): unknown {
  // A host function makes no choices, and is known by what it is.
  if (typeof value !== 'function' || isHostFunction(value)) return value;
  const f = value as Callback;
  const address = given as Address;
  let calls = 0;
  return function (this: unknown, a: unknown, b: unknown, c: unknown, d: unknown): unknown {
    machine.address = address.index(calls++);
    // biome-ignore lint/complexity/noArguments: the number of arguments must be passed on as it is, and quickly
    const given = arguments;
    switch (given.length) {
      case 0:
        return f.call(this);
      case 1:
        return f.call(this, a);
      case 2:
        return f.call(this, a, b);
      case 3:
        return f.call(this, a, b, c);
      case 4:
        return f.call(this, a, b, c, d);
      default:
        return f.apply(this, [...given]);
    }
  };
}

function exports(target: object, getters: Readonly<Record<string, () => unknown>>): void {
  for (const name of Object.keys(getters)) {
    Object.defineProperty(target, name, { enumerable: true, configurable: true, get: getters[name] });
  }
}

function namespace(library: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const names: Record<string, unknown> = {};
  exportAll(names, library);
  return names;
}

/** What a module exports itself wins over what it passes on. Most names of the library are inherited: see `libraryFor`. */
function exportAll(target: object, from: object): void {
  for (const name in from) {
    if (name === 'default' || name in target) continue;
    const get = (): unknown => (from as Record<string, unknown>)[name];
    Object.defineProperty(target, name, { enumerable: true, configurable: true, get });
  }
}

/** The linkage of a program that sees these library names, and whose text for columns is read like this. */
export function linkageFor(
  library: Readonly<Record<string, unknown>>,
  { lifting }: Extras,
  readings: Pick<Readings, 'current' | 'onReading'>,
): Linkage {
  return {
    lifted: lifting?.liftedLinkage(library),
    get columns() {
      return readings.current;
    },
    onReading: (read) => readings.onReading(read),
    machine: machine as unknown as Linkage['machine'],
    functions: [],
    library,
    math: scalarMath,
    nowhere: () => nowhere,
    tail: tail as Linkage['tail'],
    bounce: bounce as Linkage['bounce'],
    rebound: rebound as Linkage['rebound'],
    direct,
    apart,
    made,
    lasting: lasting as Linkage['lasting'],
    lastingAlone: lastingAlone as Linkage['lastingAlone'],
    compared,
    quiet,
    none: [],
    turned: () => machine.run.checkRoom?.(),
    rejecting: rejecting as Linkage['rejecting'],
    isSignal,
    ending,
    thrown,
    called,
    each,
    sampleField,
    exports,
    exportAll,
    namespace,
    ...arithmetic,
  };
}
