// Section 3.4: the mean of the latent variables, learned by regularised maximum likelihood.
import {
  argv,
  Delta,
  Gaussian,
  loadData,
  mapData,
  nn,
  nneval,
  Optimize,
  observe,
  param,
  sample,
  softplus,
  T,
  Vector,
} from 'waymark';

const obs = loadData<number[]>('data.json');
const guideNet = nn.mlp(1, [{ nOut: 3, activation: nn.sigmoid }, { nOut: 2 }], 'guideNet');
const [sigmaX, sigmaY] = [1, 0.5];

const model = () => {
  const muX = sample(Gaussian({ mu: 0, sigma: 1 }), { guide: Delta({ v: param({ name: 'mu_x' }) }) });
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
