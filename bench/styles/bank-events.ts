// A bank with two clerks: a list of events in order of time, and waiting times.
import { exponential, gamma, Infer } from 'waymark';

type Event = { at: number; kind: 'arrive' | 'leave' };
const model = () => {
  const events: Event[] = [{ at: exponential(1), kind: 'arrive' }];
  const waiting: number[] = [];
  let busy = 0;
  let served = 0;
  let waited = 0;
  while (events.length > 0 && served < 10) {
    events.sort((a, b) => a.at - b.at);
    const { at, kind } = events.shift()!;
    if (kind === 'arrive') {
      waiting.push(at);
      events.push({ at: at + exponential(1), kind: 'arrive' });
    } else busy--;
    while (busy < 2 && waiting.length > 0) {
      waited += at - waiting.shift()!;
      busy++;
      served++;
      events.push({ at: at + gamma({ shape: 2, scale: 0.8 }), kind: 'leave' });
    }
  }
  return Math.round(waited / served);
};
export default Infer({ method: 'forward', samples: 1000, model });
