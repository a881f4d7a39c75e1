/** The experiments: the paper's, in its order, then those beyond it. */
import { amortizeProblems } from './amortize/problems.ts';
import { air } from './beyond/air.ts';
import { sbn2, sbn3 } from './beyond/belief-networks.ts';
import { cone } from './beyond/cone.ts';
import { dmm } from './beyond/dmm.ts';
import { rws } from './beyond/rws.ts';
import { ssvae } from './beyond/ssvae.ts';
import type { Experiment } from './experiment.ts';
import { gmm } from './gmm.ts';
import { lda } from './lda.ts';
import { qmr } from './qmr.ts';
import { vaeSbn } from './vae-sbn.ts';

// What the programs give is known to each experiment alone.
const beyond = [cone, rws, ssvae, air, dmm, sbn2, sbn3];
export const experiments = [gmm, qmr, lda, vaeSbn, ...beyond, ...amortizeProblems] as unknown as readonly Experiment[];
