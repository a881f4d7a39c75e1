// Section 3.3: one latent variable for each datum, learned from minibatches.
import { argv, Gaussian, loadData, mapData, nn, nneval, Optimize, observe, sample, softplus, T, Vector } from 'waymark';

const obs = loadData<number[]>('data.json');
const guideNet = nn.mlp(1, [{ nOut: 3, activation: nn.sigmoid }, { nOut: 2 }], 'guideNet');
const [sigmaX, sigmaY] = [1, 0.5];

const model = () => {
  const muX = 0;
  return mapData({ data: obs, batchSize: 100 }, (y) => {
    const output = nneval(guideNet, Vector([y]));
    const x = sample(Gaussian({ mu: muX, sigma: sigmaX }), {
      guide: Gaussian({ mu: T.get(output, 0), sigma: softplus(T.get(output, 1)) }),
    });
    observe(Gaussian({ mu: x, sigma: sigmaY }), y);
    return x;
  });
};

export default Optimize(model, { steps: Number(argv.steps ?? 1000), optMethod: { adam: { stepSize: 0.02 } } });
