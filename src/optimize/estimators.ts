import { dream } from './dream.ts';
import { elbo } from './elbo.ts';
import { eubo } from './eubo.ts';

/** By the name the option `estimator` gives. */
export const estimators = { ELBO: elbo, EUBO: eubo, dream } as const;

export type EstimatorName = keyof typeof estimators;
