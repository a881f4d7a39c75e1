// Appendix C.1: the Gaussian mixture model with its discrete choices summed out.
import {
  argv,
  factor,
  Gaussian,
  loadData,
  logsumexp,
  mapData,
  mapIndexed,
  modelParam,
  Optimize,
  simplex,
  softplus,
  T,
} from 'waymark';

const obs = loadData<number[]>('data.json');
const nComps = 3;

const component = (k: number) => ({
  mu: modelParam({ name: `mu${k}` }),
  sigma: softplus(modelParam({ name: `s${k}` })),
});

const model = () => {
  const thetaX = simplex(modelParam({ dims: [nComps - 1, 1], name: 'theta_x' }));
  const paramsY = [component(1), component(2), component(3)];
  mapData({ data: obs }, (y) => {
    const scores = mapIndexed((i, muSigma) => Gaussian(muSigma).score(y) + Math.log(T.get(thetaX, i)), paramsY);
    factor(logsumexp(scores));
  });
};

export default Optimize(model, { steps: Number(argv.steps ?? 1000), optMethod: { adam: { stepSize: 0.02 } } });
