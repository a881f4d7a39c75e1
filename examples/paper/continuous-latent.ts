// Figure 1, top: one continuous latent variable for each observation.
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
const guideNet = nn.mlp(1, [{ nOut: 3, activation: nn.sigmoid }, { nOut: 2 }], 'guideNet');

const model = () => {
  const muX = modelParam({ name: 'mu_x' });
  const sigmaX = softplus(modelParam({ name: 'sigma_x' }));
  const sigmaY = softplus(modelParam({ name: 'sigma_y' }));
  return mapData({ data: obs }, (y) => {
    const output = nneval(guideNet, Vector([y]));
    const x = sample(Gaussian({ mu: muX, sigma: sigmaX }), {
      guide: Gaussian({ mu: T.get(output, 0), sigma: softplus(T.get(output, 1)) }),
    });
    observe(Gaussian({ mu: x, sigma: sigmaY }), y);
    return { x };
  });
};

export default Optimize(model, { steps: Number(argv.steps ?? 1000), optMethod: { adam: { stepSize: 0.02 } } });
