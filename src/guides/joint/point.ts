import { Gaussian } from '../../distributions/gaussian.ts';
import type { JointKind } from './conditional.ts';
import { NOTHING } from './preceding-choices.ts';

/**
 * Guides that are points, while a maximum is sought: of the density in coordinates without bounds, since a Gaussian
 * will be fitted there. The result is a Gaussian of full rank, and its parameters have the names of one.
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
