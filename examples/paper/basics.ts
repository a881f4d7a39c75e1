// Section 2.1: the posterior of a choice, by MCMC.
import { Bernoulli, Gaussian, Infer, observe, sample } from 'waymark';

const model = () => {
  const x = sample(Bernoulli({ p: 0.75 }));
  observe(Gaussian({ mu: x ? 2 : 0, sigma: 1 }), 0.5);
  return x;
};

export default Infer({ method: 'MCMC' }, model);
