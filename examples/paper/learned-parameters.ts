// Sections 4.4 and 5: learning parameters, then using them to predict the latent variables of new data, to make up data,
// and to start another optimisation. The model is that of figure 1, bottom; it takes its data as an argument, which the
// paper's footnote suggests in place of globalStore.
import {
  argv,
  Discrete,
  Gaussian,
  Infer,
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

const steps = Number(argv.steps ?? 100);
const nComps = 3;
const guideNet = nn.mlp(1, [{ nOut: 3, activation: nn.sigmoid }, { nOut: nComps - 1 }], 'guideNet');

const component = (k: number) => ({
  mu: modelParam({ name: `mu${k}` }),
  sigma: softplus(modelParam({ name: `s${k}` })),
});

const mixture = () => ({
  thetaX: simplex(modelParam({ dims: [nComps - 1, 1], name: 'theta_x' })),
  paramsY: [component(1), component(2), component(3)],
});

const modelOf = (data: number[]) => () => {
  const { thetaX, paramsY } = mixture();
  return mapData({ data }, (y) => {
    const output = nneval(guideNet, Vector([y]));
    const x = sample(Discrete({ ps: thetaX }), { guide: Discrete({ ps: simplex(output) }) });
    observe(Gaussian(paramsY[x]), y);
    return { x };
  });
};

const modelGen = () => {
  const { thetaX, paramsY } = mixture();
  const x = sample(Discrete({ ps: thetaX }));
  return sample(Gaussian(paramsY[x]));
};

const params = Optimize(modelOf(loadData('data.json')), { steps, optMethod: 'adam' });

const model = modelOf(loadData('data_test.json'));
const fromGuide = sample(Infer({ method: 'forward', guide: true, params }, model));
const fromSMC = sample(Infer({ method: 'SMC', particles: 100, params }, model));
const synthetic = sample(Infer({ method: 'forward', guide: true, params }, modelGen));
const newParams = Optimize(model, { steps, optMethod: 'adam', params });

export default { fromGuide, fromSMC, synthetic, params, newParams };
