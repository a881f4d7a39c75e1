// Appendix C.4: a variational autoencoder, on small pictures (the paper has 28 × 28 pixels, 500 hidden and 20 latent).
import {
  argv,
  DiagCovGaussian,
  loadData,
  MultivariateBernoulli,
  map,
  mapData,
  nn,
  nneval,
  nnevalModel,
  Optimize,
  observe,
  sample,
  softplus,
  type Tensor,
  TensorGaussian,
  Vector,
} from 'waymark';

const images = map((pixels) => Vector(pixels), loadData<number[][]>('pictures.json'));
const dataDim = 6 * 6;
const hiddenDim = 30;
const latentDim = 4;

const encodeNet = nn.mlp(dataDim, [{ nOut: hiddenDim, activation: nn.tanh }], 'encodeNet');
const muNet = nn.linear(hiddenDim, latentDim, 'muNet');
const sigmaNet = nn.linear(hiddenDim, latentDim, 'sigmaNet');
const encode = (image: Tensor) => {
  const h = nneval(encodeNet, image);
  return { mu: nneval(muNet, h), sigma: softplus(nneval(sigmaNet, h)) };
};

const decodeNet = nn.mlp(
  latentDim,
  [
    { nOut: hiddenDim, activation: nn.tanh },
    { nOut: dataDim, activation: nn.sigmoid },
  ],
  'decodeNet',
);
const decode = (latent: Tensor) => nnevalModel(decodeNet, latent);

const model = () => {
  mapData({ data: images, batchSize: 100 }, (image) => {
    const latent = sample(TensorGaussian({ mu: 0, sigma: 1, dims: [latentDim, 1] }), {
      guide: DiagCovGaussian(encode(image)),
    });
    observe(MultivariateBernoulli({ ps: decode(latent) }), image);
  });
};

export default Optimize(model, { steps: Number(argv.steps ?? 1000), optMethod: { adam: { stepSize: 0.01 } } });
