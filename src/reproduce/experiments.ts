/** The experiments: the paper's, in its order, then those beyond it. */
import { amortizeProblems } from './amortize/problems.ts';
import { cone } from './beyond/cone.ts';
import { rws } from './beyond/rws.ts';
import type { Experiment } from './experiment.ts';
import { gmm } from './gmm.ts';
import { lda } from './lda.ts';
import { qmr } from './qmr.ts';
import { vaeSbn } from './vae-sbn.ts';

// What the programs give is known to each experiment alone.
export const experiments = [gmm, qmr, lda, vaeSbn, cone, rws, ...amortizeProblems] as unknown as readonly Experiment[];
