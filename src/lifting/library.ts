/** What library names mean on graph nodes and lanes, where that is not what their rows say (`src/algebra/library.ts`). */
import type { Fn } from '../algebra/domain.ts';
import { type Fitted, type LibraryWay, libraryFor, type Names } from '../algebra/library.ts';
import { standsForOthers } from '../lanes/value.ts';
import { libraryRows } from '../library/rows.ts';
import { calls } from './calls.ts';
import * as comparing from './comparing.ts';
import { ofEach } from './each.ts';
import * as expectations from './expectations.ts';
import * as folding from './fold-data.ts';
import { graphDomain } from './graph-domain.ts';
import * as lists from './lists.ts';
import * as namespaces from './namespaces.ts';
import * as numbers from './numbers.ts';
import * as ode from './ode.ts';
import { operators } from './operators.ts';
import * as ordering from './ordering.ts';
import * as output from './output.ts';
import { get } from './picking.ts';
import * as statistics from './statistics.ts';
import * as tensors from './tensors.ts';

/** Names with a meaning in the graph: gradients pass through most of them. */
const lifted: Names = {
  ...numbers,
  ...namespaces,
  ...tensors,
  ...expectations,
  ...statistics,
  ...ordering,
  ...lists,
  ...comparing,
  ...output,
  ...ode,
  ...folding,
};

/** Families take nodes, and so do the functions that draw from them and those that weigh executions. */
const asItIs: Fitted = (plain) => plain;

/**
 * Without a node or lanes among its arguments, the function is called as it is: its result may take nodes, as
 * networks do.
 */
const calculating: Fitted = (plain) => {
  if (typeof plain !== 'function') return plain;
  const made = calls.pure(plain);
  return (...args: unknown[]) => (args.some((argument) => standsForOthers(argument)) ? made(...args) : plain(...args));
};

const way: LibraryWay = {
  domain: graphDomain,
  calls,
  names: {
    ...Object.fromEntries(Object.entries(lifted).map(([name, meaning]) => [name, () => meaning])),
    // Gradients pass through the fields.
    extend: ({ extend }) => extend,
    mergeObj: ({ mergeObj }) => mergeObj,
  },
  deeds: {
    'takes apart': (plain) => ofEach(plain),
    calculates: calculating,
    'makes a layer': asItIs,
    evaluates: asItIs,
    'takes plain values': asItIs,
    draws: asItIs,
    'draws an item': asItIs,
    factors: asItIs,
    conditions: asItIs,
    ends: asItIs,
  },
  family: (_name, plain) => plain,
  draws: (fn) => fn,
  choose: (condition, then, otherwise) => (operators.plain(condition) ? then() : otherwise()),
  get: get as Fn,
  checkScore() {},
};

/** The names that have a meaning of their own. */
export const liftedNames: readonly string[] = Object.keys(way.names);

export const liftedLibrary = (library: Names): Names => libraryFor(way, library, libraryRows);
