import type { Distribution } from '../runtime/handler.ts';
import { logit, sigmoid, softplus } from '../tensor/special/exponentials.ts';
import { family } from './family.ts';
import { positive, real } from './parameter.ts';
import { reals } from './value-kind.ts';

/** Its distribution function is the sigmoid. */
export const Logistic = family(
  { name: 'Logistic', params: { location: real, scale: positive }, values: reals },
  {
    draw: ({ location, scale }, random) => location + scale * logit(random.uniform()),
    score({ location, scale }, x) {
      const z = Math.abs((x - location) / scale);
      return -z - 2 * softplus(-z) - Math.log(scale);
    },
    mean: ({ location }) => location,
    variance: ({ scale }) => (Math.PI * Math.PI * scale * scale) / 3,
    entropy: ({ scale }) => Math.log(scale) + 2,
    cdf: ({ location, scale }, x) => sigmoid((x - location) / scale),
    survival: ({ location, scale }, x) => sigmoid((location - x) / scale),
    quantile: ({ location, scale }, p) => location + scale * logit(p),
    reparameterisation: {
      base: (): Distribution<number> => Logistic({ location: 0, scale: 1 }),
      transform: ({ location, scale }, noise) => location + scale * noise,
    },
  },
);
