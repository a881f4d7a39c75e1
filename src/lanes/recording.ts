/** Apart from what is recorded with, so that programs without gradients need not load that. */
import type { Rerun } from './rerun.ts';

/** The step being recorded, if it may be run again. */
export const recording: { current: Rerun | null } = { current: null };
