import { WaymarkError } from '../runtime/errors.ts';
import type { Distribution } from '../runtime/handler.ts';
import { Tensor } from '../tensor/tensor.ts';
import { family } from './family.ts';
import { bound, optional } from './parameter.ts';
import type { ValueKind } from './value-kind.ts';

/** Numbers, and tensors of them: parameters of a model may be either. */
const continuousValues: ValueKind<unknown> = { continuous: true, contains: (_): _ is unknown => true };

function refuse(): never {
  throw new WaymarkError(
    'ImproperUniform cannot be drawn from, because it gives every number the same density. ' +
      'Give the choice a guide, or use a proper prior such as Gaussian({mu: 0, sigma: 100}).',
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
