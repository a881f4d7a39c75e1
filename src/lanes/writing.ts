/** Changes of variables and objects, in texts in which many executions run as one, or one is recorded. */
import { machine } from '../runtime/machine.ts';
import { OneByOne } from '../runtime/signals.ts';

/** Called before a change. A variable that was created in the execution at hand belongs to it; any other change ends this way of running. */
export function changing(reason = 'functions of the program change what others see', execution = -1): void {
  if (execution !== machine.execution) throw new OneByOne('state', reason);
}

/** The same on a side of a conditional that merges what is changed, if that is the execution's own: see `emit/branches.ts`. */
export function changingOwned(isOwn: boolean, execution: number): void {
  if (!isOwn) changing(undefined, execution);
}
