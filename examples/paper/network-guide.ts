// Section 3.2: the same guide with a ready-made network.
import { argv, Gaussian, nn, nneval, Optimize, observe, sample, softplus, T, Vector } from 'waymark';

const y = 0.5;
const guideNet = nn.mlp(1, [{ nOut: 3, activation: nn.sigmoid }, { nOut: 2 }], 'guideNet');

const model = () => {
  const output = nneval(guideNet, Vector([y]));
  const x = sample(Gaussian({ mu: 0, sigma: 1 }), {
    guide: Gaussian({ mu: T.get(output, 0), sigma: softplus(T.get(output, 1)) }),
  });
  observe(Gaussian({ mu: x, sigma: 0.5 }), y);
  return x;
};

export default Optimize(model, { steps: Number(argv.steps ?? 2000), optMethod: { adam: { stepSize: 0.01 } } });
