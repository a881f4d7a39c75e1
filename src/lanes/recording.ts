/** In a file of its own, so that programs without gradients need not load the recorder. */
import { machine } from '../runtime/machine.ts';
import type { Rerun } from './rerun.ts';

/** The step being recorded, if it may be run again. */
export const recording = {
  get current(): Rerun | null {
    return machine.rerun as Rerun | null;
  },
};
