import { elbo } from './elbo.ts';

/** By the name the option `estimator` gives. */
export const estimators = { ELBO: elbo } as const;

export type EstimatorName = keyof typeof estimators;
