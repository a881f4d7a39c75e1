import { type Constructor, family } from './family.ts';
import { positive, real } from './parameter.ts';

const HALF_LOG_2PI = 0.5 * Math.log(2 * Math.PI);

/** The normal distribution with mean `mu` and standard deviation `sigma`. */
export const Gaussian: Constructor<{ mu: number; sigma: number }, number> = family({
  name: 'Gaussian',
  params: { mu: real, sigma: positive },
  continuous: true,
  draw: ({ mu, sigma }, random) => mu + sigma * random.gaussian(),
  score({ mu, sigma }, x) {
    const z = (x - mu) / sigma;
    return -0.5 * z * z - Math.log(sigma) - HALF_LOG_2PI;
  },
  mean: ({ mu }) => mu,
  variance: ({ sigma }) => sigma * sigma,
  reparameterisation: {
    base: () => Gaussian({ mu: 0, sigma: 1 }),
    transform: ({ mu, sigma }, noise) => mu + sigma * noise,
  },
});
