/** The experiments, in the paper's order. */
import type { Experiment } from './experiment.ts';
import { gmm } from './gmm.ts';
import { lda } from './lda.ts';
import { qmr } from './qmr.ts';
import { vaeSbn } from './vae-sbn.ts';

// What the programs give is known to each experiment alone.
export const experiments = [gmm, qmr, lda, vaeSbn] as unknown as readonly Experiment[];
