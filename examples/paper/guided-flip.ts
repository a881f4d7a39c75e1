// Section 3.1: a choice with a guide that is close to the posterior, so that almost all samples count.
import { Bernoulli, Gaussian, Infer, observe, sample } from 'waymark';

const model = () => {
  const x = sample(Bernoulli({ p: 0.75 }), { guide: Bernoulli({ p: 0.475 }) });
  observe(Gaussian({ mu: x ? 2 : 0, sigma: 1 }), 0.5);
  return x;
};

export default Infer({ method: 'importance', samples: 1000, guide: true, model });
