import type { Distribution } from '../runtime/handler.ts';
import { family } from './family.ts';
import { positive } from './parameter.ts';
import { Uniform } from './uniform.ts';
import { reals } from './value-kind.ts';

/** At least `scale`, with a tail that falls as the power `shape`. */
export const Pareto = family(
  { name: 'Pareto', params: { shape: positive, scale: positive }, values: reals },
  {
    draw: ({ shape, scale }, random) => Math.min(scale * random.uniform() ** (-1 / shape), Number.MAX_VALUE),
    score({ shape, scale }, x) {
      if (x < scale) return -Infinity;
      return Math.log(shape) + shape * Math.log(scale) - (shape + 1) * Math.log(x);
    },
    support: ({ scale }) => ({ lower: scale, upper: Infinity }),
    mean: ({ shape, scale }) => (shape > 1 ? (shape * scale) / (shape - 1) : Infinity),
    variance: ({ shape, scale }) =>
      shape > 2 ? (scale * scale * shape) / ((shape - 1) * (shape - 1) * (shape - 2)) : Infinity,
    entropy: ({ shape, scale }) => Math.log(scale / shape) + 1 / shape + 1,
    cdf: ({ shape, scale }, x) => (x <= scale ? 0 : -Math.expm1(shape * Math.log(scale / x))),
    survival: ({ shape, scale }, x) => (x <= scale ? 1 : Math.exp(shape * Math.log(scale / x))),
    quantile: ({ shape, scale }, p) => scale * Math.exp(-Math.log1p(-p) / shape),
    reparameterisation: {
      base: (): Distribution<number> => Uniform({ a: 0, b: 1 }),
      transform: ({ shape, scale }, noise) => scale * noise ** (-1 / shape),
    },
  },
);
