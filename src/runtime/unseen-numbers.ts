/** Random numbers that belong to no choice: inference does not see them. */
import { machine } from './machine.ts';
import type { RandomStream } from './random.ts';

/** A step of an optimisation that draws some cannot be repeated without the program. */
export function unseenNumbers(): RandomStream {
  machine.rerun?.obstruct('outside', 'the program draws random numbers outside any choice');
  return machine.stream.begin();
}
