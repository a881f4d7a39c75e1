// Figure 1, bottom: a Gaussian mixture model, one discrete latent variable for each observation.
import {
  argv,
  Discrete,
  Gaussian,
  loadData,
  mapData,
  modelParam,
  nn,
  nneval,
  Optimize,
  observe,
  sample,
  simplex,
  softplus,
  Vector,
} from 'waymark';

const obs = loadData<number[]>('data.json');
const nComps = 3;
const guideNet = nn.mlp(1, [{ nOut: 3, activation: nn.sigmoid }, { nOut: nComps - 1 }], 'guideNet');

const component = (k: number) => ({
  mu: modelParam({ name: `mu${k}` }),
  sigma: softplus(modelParam({ name: `s${k}` })),
});

const model = () => {
  const thetaX = simplex(modelParam({ dims: [nComps - 1, 1], name: 'theta_x' }));
  const paramsY = [component(1), component(2), component(3)];
  return mapData({ data: obs }, (y) => {
    const output = nneval(guideNet, Vector([y]));
    const x = sample(Discrete({ ps: thetaX }), { guide: Discrete({ ps: simplex(output) }) });
    observe(Gaussian(paramsY[x]), y);
    return { x };
  });
};

export default Optimize(model, { steps: Number(argv.steps ?? 1000), optMethod: { adam: { stepSize: 0.02 } } });
