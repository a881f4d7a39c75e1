/** Changes of variables and objects, in texts in which many executions run as one, or one is recorded. */
import { machine } from '../runtime/machine.ts';
import { OneByOne } from '../runtime/signals.ts';

/** Asked before something is changed; a variable that came to be in the execution at hand is its own. */
export function changing(reason = 'functions of the program change what others see', execution = -1): void {
  if (execution !== machine.execution) throw new OneByOne('state', reason);
}
