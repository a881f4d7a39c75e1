// Figure 2, bottom: two continuous latent variables for each observation, the second predicted from the first.
import {
  argv,
  Gaussian,
  loadData,
  mapData,
  modelParam,
  nn,
  nneval,
  Optimize,
  observe,
  sample,
  softplus,
  T,
  Vector,
} from 'waymark';

const obs = loadData<number[]>('data.json');
const guideNet1 = nn.mlp(1, [{ nOut: 3, activation: nn.sigmoid }, { nOut: 2 }], 'guideNet1');
const guideNet2 = nn.mlp(2, [{ nOut: 3, activation: nn.sigmoid }, { nOut: 2 }], 'guideNet2');

const model = () => {
  const muX1 = modelParam('mu_x1');
  const sigmaX1 = softplus(modelParam({ name: 'sigma_x1' }));
  const muX2 = modelParam('mu_x2');
  const sigmaX2 = softplus(modelParam({ name: 'sigma_x2' }));
  const sigmaY = softplus(modelParam({ name: 'sigma_y' }));
  return mapData({ data: obs }, (y) => {
    const output1 = nneval(guideNet1, Vector([y]));
    const x1 = sample(Gaussian({ mu: muX1, sigma: sigmaX1 }), {
      guide: Gaussian({ mu: T.get(output1, 0), sigma: softplus(T.get(output1, 1)) }),
    });
    const output2 = nneval(guideNet2, Vector([y, x1]));
    const x2 = sample(Gaussian({ mu: muX2, sigma: sigmaX2 }), {
      guide: Gaussian({ mu: T.get(output2, 0), sigma: softplus(T.get(output2, 1)) }),
    });
    observe(Gaussian({ mu: x1 + x2, sigma: sigmaY }), y);
    return { x1, x2 };
  });
};

export default Optimize(model, { steps: Number(argv.steps ?? 1000), optMethod: { adam: { stepSize: 0.02 } } });
