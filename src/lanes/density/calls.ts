/** Calls of functions that know nothing of recorded values: of JavaScript, of lodash, of the library. */
import { HostCalls } from '../../algebra/host-calls.ts';
import { isDistribution } from '../../runtime/primitives.ts';
import { OneByOne } from '../../runtime/signals.ts';
import { RecordedDistribution, scoreOf } from './distribution.ts';
import { recordedDomain } from './recorded.ts';

export const calls = new HostCalls({
  ...recordedDomain,
  ownMethod(object, key) {
    if (key === 'score' && isDistribution(object)) return (value) => scoreOf(object, value);
    if (!(object instanceof RecordedDistribution)) return undefined;
    throw new OneByOne('family', 'a distribution that depends on choices is asked');
  },
});
