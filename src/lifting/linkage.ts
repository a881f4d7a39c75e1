/** What compiled programs use in their lifted text; loaded only for programs that need it. */
import '../amortize/register.ts';
import '../optimize/register.ts';
import { watchedClocks } from '../lanes/clocks.ts';
import { allMade, made } from '../lanes/making.ts';
import { recording } from '../lanes/recording.ts';
import { calls } from './calls.ts';
import './distribution.ts';
import './enumeration.ts';
import '../inference/chains/hamiltonian/kernels.ts';
import { liftedLibrary } from './library.ts';
import { ad } from './namespaces.ts';
import { addLodash } from './numeric-rules.ts';
import { operators } from './operators.ts';
import { get } from './picking.ts';
import { put } from './putting.ts';
import { apart, field } from './tensor-members.ts';

/** A recording would hold one time only. */
const clocks = watchedClocks(() => recording.current?.obstruct('outside', 'the program reads the clock'));

export function liftedLinkage(library: Readonly<Record<string, unknown>>) {
  addLodash(library._);
  return linkage(library);
}

const linkage = (library: Readonly<Record<string, unknown>>) => ({
  ...operators,
  math: ad.scalar,
  get,
  put,
  field,
  apart,
  clocks,
  ...calls.linkage,
  made,
  allMade,
  library: liftedLibrary(library),
});

export { checkDevice } from './device.ts';
