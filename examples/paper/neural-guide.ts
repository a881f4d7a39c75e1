// Section 3.2: a guide computed by a network whose weights are written out.
import { argv, Gaussian, linear, Optimize, observe, param, sample, sigmoid, softplus, T, Vector } from 'waymark';

const y = 0.5;
const [nIn, nHidden, nOut] = [1, 3, 2];

const model = () => {
  const W1 = param({ dims: [nHidden, nIn], name: 'W1' });
  const b1 = param({ dims: [nHidden, 1], name: 'b1' });
  const W2 = param({ dims: [nOut, nHidden], name: 'W2' });
  const b2 = param({ dims: [nOut, 1], name: 'b2' });
  const output = linear(sigmoid(linear(Vector([y]), W1, b1)), W2, b2);

  const x = sample(Gaussian({ mu: 0, sigma: 1 }), {
    guide: Gaussian({ mu: T.get(output, 0), sigma: softplus(T.get(output, 1)) }),
  });
  observe(Gaussian({ mu: x, sigma: 0.5 }), y);
  return x;
};

export default Optimize(model, { steps: Number(argv.steps ?? 2000), optMethod: { adam: { stepSize: 0.01 } } });
