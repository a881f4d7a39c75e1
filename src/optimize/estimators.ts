import { dream } from './dream.ts';
import { elbo } from './elbo.ts';
import { eubo } from './eubo.ts';
import { iwae } from './iwae.ts';
import { rws, wakeSleep } from './rws.ts';

/** By the name the option `estimator` gives. */
export const estimators = { ELBO: elbo, IWAE: iwae, EUBO: eubo, dream, RWS: rws, wakeSleep } as const;

export type EstimatorName = keyof typeof estimators;
