/** What compiled programs use in their lifted text; loaded only for programs that need it. */
import '../optimize/register.ts';
import { watchedClocks } from '../lanes/clocks.ts';
import { recording } from '../lanes/recording.ts';
import { calls, method } from './calls.ts';
import * as comparing from './comparing.ts';
import * as deciding from './deciding.ts';
import './distribution.ts';
import './enumeration.ts';
import * as expectations from './expectations.ts';
import '../inference/chains/hamiltonian/kernels.ts';
import { get } from './indexing.ts';
import * as lists from './lists.ts';
import * as namespaces from './namespaces.ts';
import * as numbers from './numbers.ts';
import { addLodash } from './numeric-rules.ts';
import { operators } from './operators.ts';
import * as ordering from './ordering.ts';
import * as output from './output.ts';
import * as statistics from './statistics.ts';
import { field } from './tensor-members.ts';
import * as tensors from './tensors.ts';

/** The lifted meaning of library names; all others mean what they mean in plain text. */
export const liftedLibrary: Readonly<Record<string, unknown>> = {
  ...numbers,
  ...namespaces,
  ...tensors,
  ...expectations,
  ...statistics,
  ...deciding,
  ...ordering,
  ...lists,
  ...comparing,
  ...output,
};

/** What was recorded would know one time only. */
const clocks = watchedClocks(() => recording.current?.obstruct('outside', 'the program reads the clock'));

export function liftedLinkage(library: Readonly<Record<string, unknown>>) {
  addLodash(library._);
  return linkage(library);
}

const linkage = (library: Readonly<Record<string, unknown>>) => ({
  ...operators,
  math: namespaces.ad.scalar,
  get,
  field,
  clocks,
  called: calls.called,
  hostField: calls.hostField,
  hostMethod: calls.hostMethod,
  method,
  construct: calls.construct,
  library: { __proto__: library, ...liftedLibrary },
});

export { checkDevice } from './device.ts';
