/** Choices that Metropolis–Hastings changes in small steps from where they are. */
import { Dirichlet } from '../distributions/dirichlet.ts';
import { Gaussian } from '../distributions/gaussian.ts';
import { Uniform } from '../distributions/uniform.ts';
import { describe } from '../runtime/describe.ts';
import { didYouMean, WaymarkError } from '../runtime/errors.ts';
import { sample } from '../runtime/primitives.ts';
import { markClosed } from '../runtime/refusal.ts';
import { Tensor } from '../tensor/tensor.ts';

function checkParams(caller: string, params: unknown, known: readonly string[], positive: string): void {
  if (typeof params !== 'object' || params === null) {
    throw new WaymarkError(
      `${caller} takes one object, as in ${caller}({${known.join(', ')}}); got ${describe(params)}.`,
    );
  }
  for (const name of Object.keys(params)) {
    if (!known.includes(name)) {
      throw new WaymarkError(
        `${caller} has no parameter '${name}'; it takes ${known.join(', ')}.${didYouMean(name, known)}`,
      );
    }
  }
  const value = (params as Record<string, unknown>)[positive];
  if (value !== undefined && !(typeof value === 'number' && value > 0 && value < Infinity)) {
    throw new WaymarkError(`${caller}: ${positive} must be a finite number greater than 0, got ${describe(value)}.`);
  }
}

/** A Gaussian choice; steps are Gaussian with standard deviation `width`. */
export function gaussianDrift(params: { mu: number; sigma: number; width?: number }): number {
  checkParams('gaussianDrift', params, ['mu', 'sigma', 'width'], 'width');
  const { mu, sigma, width = 0.7 * sigma } = params;
  return sample(Gaussian({ mu, sigma }), {
    driftKernel: markClosed((previous: number) => Gaussian({ mu: previous, sigma: width })),
  });
}

/** The least share of each outcome in a proposal: an outcome of probability 0 could never come back. */
const LEAST = 1e-6;

/** A Dirichlet choice; steps are Dirichlet about the present value, the closer the higher the `concentration`. */
export function dirichletDrift(params: { alpha: Tensor; concentration?: number }): Tensor {
  checkParams('dirichletDrift', params, ['alpha', 'concentration'], 'concentration');
  const { alpha, concentration = 10 } = params;
  return sample(Dirichlet({ alpha }), {
    driftKernel: (previous) =>
      Dirichlet({
        alpha: new Tensor(
          previous.dims,
          previous.data.map((x) => Math.max(LEAST, concentration * x)),
        ),
      }),
  });
}

/** A uniform choice; steps are uniform up to `width` either way, within the bounds. */
export function uniformDrift(params: { a: number; b: number; width?: number }): number {
  checkParams('uniformDrift', params, ['a', 'b', 'width'], 'width');
  const { a, b, width = 0.1 } = params;
  return sample(Uniform({ a, b }), {
    driftKernel: markClosed((previous: number) =>
      Uniform({ a: Math.max(a, previous - width), b: Math.min(b, previous + width) }),
    ),
  });
}
