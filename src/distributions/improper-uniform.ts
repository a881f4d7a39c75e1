import { WaymarkError } from '../runtime/errors.ts';
import type { Distribution } from '../runtime/handler.ts';
import type { Random } from '../runtime/random.ts';
import { Tensor } from '../tensor/tensor.ts';
import { family } from './family.ts';
import { bound, optional } from './parameter.ts';
import type { ValueKind } from './value-kind.ts';

/** Numbers, and tensors of them: parameters of a model may be either. */
const continuousValues: ValueKind<unknown> = {
  continuous: true,
  contains: (value): value is unknown => typeof value === 'number' || value instanceof Tensor,
};

function refuse(): never {
  throw new WaymarkError(
    'ImproperUniform cannot be drawn from, because it gives every number the same density. ' +
      "Give the choice a guide or a driftKernel, use MCMC with the kernel 'NUTS' or 'HMC', or use a proper prior such " +
      'as Gaussian({mu: 0, sigma: 100}).',
  );
}

const head = { name: 'ImproperUniform', params: { a: optional(bound), b: optional(bound) }, values: continuousValues };

const unbounded = family(head, { draw: refuse, score: () => 0 });

const bounded = family(head, {
  check: ({ a = -Infinity, b = Infinity }) => (a < b ? undefined : `a must be less than b, got a = ${a} and b = ${b}`),
  draw: refuse,
  score({ a = -Infinity, b = Infinity }, value) {
    const numbers = value instanceof Tensor ? value.data : [value];
    for (const x of numbers) if (typeof x !== 'number' || !(x >= a && x <= b)) return -Infinity;
    return 0;
  },
  support: ({ a = -Infinity, b = Infinity }) => ({ lower: a, upper: b }),
});

/**
 * The same density everywhere, or everywhere from `a` to `b`: the prior of parameters that are only to be optimised.
 * It cannot be drawn from.
 */
export const ImproperUniform = Object.assign(
  <V = number>(params: { a?: number; b?: number } = {}): Distribution<V> =>
    (params.a === undefined && params.b === undefined
      ? unbounded(params)
      : bounded(params)) as Distribution<unknown> as Distribution<V>,
  { family: unbounded.family },
);

/**
 * A value for a chain to start from: a draw where there is one. A number without a prior is started near the middle of
 * where it may be: at most 2 from 0 where there are no bounds, else within a factor e² of 1 from the bound, or well
 * between the two.
 */
export function drawToStart<V>(distribution: Distribution<V>, random: Random): V {
  if (distribution.name !== 'ImproperUniform') return distribution.draw(random);
  const { a, b } = distribution.params as { a?: number; b?: number };
  const u = 4 * random.uniform() - 2;
  return start(a, b, u) as V;
}

function start(a: number | undefined, b: number | undefined, u: number): number {
  if (a !== undefined && b !== undefined) return a + (b - a) / (1 + Math.exp(-u));
  if (a !== undefined) return a + Math.exp(u);
  return b !== undefined ? b - Math.exp(u) : u;
}
