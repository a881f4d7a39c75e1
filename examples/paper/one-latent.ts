// Section 3.2: a guide with parameters, which optimisation finds.
import { argv, Gaussian, Optimize, observe, param, sample, softplus } from 'waymark';

const y = 0.5;

const model = () => {
  const x = sample(Gaussian({ mu: 0, sigma: 1 }), {
    guide: Gaussian({ mu: param({ name: 'guideMu' }), sigma: softplus(param({ name: 'guideSigma' })) }),
  });
  observe(Gaussian({ mu: x, sigma: 0.5 }), y);
  return x;
};

export default Optimize(model, { steps: Number(argv.steps ?? 2000), optMethod: { adam: { stepSize: 0.01 } } });
