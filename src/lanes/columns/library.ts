/** What library names mean for executions side by side, where that is not what their rows say (`src/algebra/library.ts`). */
import type { Fn } from '../../algebra/domain.ts';
import { keepOrigin } from '../../algebra/identity.ts';
import { type Fitted, type LibraryWay, libraryFor, type Names, weigh } from '../../algebra/library.ts';
import type { LibraryRows } from '../../algebra/library-row.ts';
import type { Distribution } from '../../runtime/handler.ts';
import { machine } from '../../runtime/machine.ts';
import { isDistribution, noticeImpossible } from '../../runtime/primitives.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { isSampler } from './alternatives.ts';
import { choose } from './branch.ts';
import { calls } from './calls.ts';
import { constructorOf, scoreColumns } from './choices.ts';
import { type Column, differs } from './column.ts';
import { distributionOf } from './distribution.ts';
import { columnDomain, inEachLane } from './each-lane.ts';
import { expectationColumns } from './expectation.ts';
import { current } from './group.ts';
import { get } from './picking.ts';
import { lengthOf } from './ragged.ts';
import { fold } from './sums.ts';
import { knowTensorFunctions } from './tensor-functions.ts';

const observeColumns: Fitted =
  (plain) =>
  (...args: unknown[]) => {
    const [distribution, value] = args;
    if (current.columns === null || value === undefined) return plain(...args);
    const given = distributionOf(distribution);
    if (!Array.isArray(given) && !isDistribution(given)) return plain(...args);
    const { handler } = machine;
    if (!Array.isArray(given) && given.isContinuous) noticeImpossible(given, value);
    if (handler.observe === undefined) weigh(scoreColumns(given, value));
    else {
      machine.effects++;
      handler.observe(distribution as Distribution<unknown>, value, machine.address);
      machine.returns = false;
    }
    return value;
  };

/** The plain functions without effects, by their form for columns. */
const plainOf = new WeakMap<object, unknown>();

const calculating: Fitted = (plain) => {
  if (typeof plain !== 'function') return undefined;
  const made = calls.pure(plain);
  plainOf.set(made, plain);
  return keepOrigin(made, plain);
};

/** A function that adds up lists, for which there are loops if they are of numbers. */
const adding =
  (name: 'sum' | 'product' | 'listMean') =>
  (library: Names): unknown => {
    const plain = library[name] as Fn;
    const made = fold(name, calls.pure(plain));
    plainOf.set(made, plain);
    return keepOrigin(made, plain);
  };

/** A function that looks into lists, and may be given functions of the library, which it recognises. */
const ordering: Fitted =
  (plain) =>
  (...args: unknown[]) => {
    const given = args.map((argument) =>
      typeof argument === 'function' ? (plainOf.get(argument) ?? argument) : argument,
    );
    const own = args.some((argument, k) => typeof argument === 'function' && given[k] === argument);
    return own || !given.some(differs) ? calls.pure(plain)(...given) : inEachLane(plain, given);
  };

function checkScore(score: unknown): void {
  const { data, isTruth } = score as Column;
  for (let i = 0; i < data.length; i++)
    if (Number.isNaN(data[i])) throw new OneByOne('weights', 'a score is not a number');
  if (isTruth) throw new OneByOne('weights', 'a score is not a number');
}

/** Layers and networks compute with the engine, which has its operations for many executions too (`tensor-engine.ts`). */
const asItIs: Fitted = (plain) => plain;

/** `nn`, whose activations are functions of the library. */
function networks(nn: Names, library: (name: string) => unknown): Names {
  return Object.fromEntries(
    Object.entries(nn).map(([name, value]) => [
      name,
      value === plainOf.get(library(name) as object) ? library(name) : value,
    ]),
  );
}

/** The library for executions side by side, from the library as it is. */
export function columnLibrary(library: Names, rows: LibraryRows): Names {
  const way: LibraryWay = {
    domain: columnDomain,
    calls,
    names: {
      sum: adding('sum'),
      product: adding('product'),
      listMean: adding('listMean'),
      expectation: ({ expectation }) => expectationColumns(expectation as Fn),
      nn: ({ nn }) => networks(nn as Names, (name) => names[name]),
      nnevalModel: ({ nnevalModel }) => nnevalModel,
    },
    deeds: {
      observes: observeColumns,
      orders: ordering,
      calculates: calculating,
      'makes a layer': asItIs,
      evaluates: asItIs,
    },
    family: (name, plain) => constructorOf(name, plain as never),
    draws: isSampler,
    choose,
    get,
    lengthOf,
    checkScore,
  };
  knowTensorFunctions(library);
  const names = libraryFor(way, library, rows);
  return names;
}
