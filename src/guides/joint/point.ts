import { Gaussian } from '../../distributions/gaussian.ts';
import type { JointKind } from './conditional.ts';
import { NOTHING } from './preceding.ts';

/**
 * Points, while a maximum is looked for: of the density in coordinates without bounds, since that is what a Gaussian there will be fitted to. What
 * is then found is a Gaussian of full rank, and its parameters are named so.
 */
export const point: JointKind = {
  words: 'a Laplace approximation',
  gaussian: false,

  params: (own, { size, scalar }) => ({ mu: scalar ? own.number('mu') : own.tensor('mu', [size, 1]) }),

  conditional: ({ mu }) => ({
    noise: Gaussian({ mu: 0, sigma: 1 }),
    pointOf: () => mu!,
    logDensity: () => 0,
    after: () => NOTHING,
  }),
};
