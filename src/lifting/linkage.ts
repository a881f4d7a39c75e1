/** What compiled programs use in their lifted text; loaded only for programs that need it. */
import '../optimize/register.ts';
import { watchedClocks } from '../lanes/clocks.ts';
import { recording } from '../lanes/recording.ts';
import * as deciding from './deciding.ts';
import './distribution.ts';
import './enumeration.ts';
import * as expectations from './expectations.ts';
import '../inference/hamiltonian/kernels.ts';
import { answering, search } from './host-calls.ts';
import { get } from './indexing.ts';
import { collected, inLanes, score } from './lane-calls.ts';
import * as lists from './lists.ts';
import * as numbers from './numbers.ts';
import { operators } from './operators.ts';
import * as output from './output.ts';
import * as statistics from './statistics.ts';
import * as tensors from './tensors.ts';

/** The lifted meaning of library names; all others mean what they mean in plain text. */
export const liftedLibrary: Readonly<Record<string, unknown>> = {
  ...numbers,
  ...tensors,
  ...expectations,
  ...statistics,
  ...deciding,
  ...lists,
  ...output,
};

/** What was recorded would know one time only. */
const clocks = watchedClocks(() => recording.current?.obstruct('the program reads the clock'));

const { neg, numeric, add, sub, mul, div, gt, lt, ge, le, eq, ne, looseEq, looseNe } = operators;

/** WebPPL's names for operators, which it has on `Math`. */
const math: Readonly<Record<string, unknown>> = {
  __proto__: operators.math,
  ...{ neg, plus: numeric, add, sub, mul, div, gt, lt, geq: ge, leq: le, peq: eq, pneq: ne, eq: looseEq, neq: looseNe },
  sum: numbers.sum,
};

export const liftedLinkage = (library: Readonly<Record<string, unknown>>) => ({
  ...operators,
  math,
  get,
  clocks,
  answering,
  search,
  inLanes,
  collected,
  score,
  library: { __proto__: library, ...liftedLibrary },
});

export { checkDevice } from './device.ts';
