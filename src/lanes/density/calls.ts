/** Calls of functions that know nothing of recorded values: of JavaScript, of lodash, of the library. */
import { HostCalls } from '../../algebra/host-calls.ts';
import { methodOf } from './distribution.ts';
import { recordedDomain } from './recorded.ts';

export const calls = new HostCalls({ ...recordedDomain, ownMethod: methodOf });
