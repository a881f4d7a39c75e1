// Section 7.1: a choice without a guide is given one. The first choice here has the guide that the second one gets by
// itself: parameters without a name are named after the place where they are declared.
import { argv, Gaussian, Optimize, observe, param, sample, softplus } from 'waymark';

const model = () => {
  const x = sample(Gaussian({ mu: 0, sigma: 1 }), {
    guide: Gaussian({ mu: param(), sigma: softplus(param()) }),
  });
  const y = sample(Gaussian({ mu: 0, sigma: 1 }));
  observe(Gaussian({ mu: x, sigma: 0.5 }), 0.5);
  observe(Gaussian({ mu: y, sigma: 0.5 }), 0.5);
  return [x, y];
};

export default Optimize(model, { steps: Number(argv.steps ?? 2000), optMethod: { adam: { stepSize: 0.01 } } });
