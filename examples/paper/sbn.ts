// Appendix C.5: a sigmoid belief network, on small pictures (the paper has 28 × 28 pixels and 200 latent bits).
import {
  argv,
  loadData,
  MultivariateBernoulli,
  map,
  mapData,
  nn,
  nneval,
  nnevalModel,
  Optimize,
  observe,
  repeat,
  sample,
  type Tensor,
  Vector,
} from 'waymark';

const images = map((pixels) => Vector(pixels), loadData<number[][]>('pictures.json'));
const dataDim = 6 * 6;
const latentDim = 12;

const encodeNet = nn.mlp(dataDim, [{ nOut: latentDim, activation: nn.sigmoid }], 'encodeNet');
const encode = (image: Tensor) => nneval(encodeNet, image);

const decodeNet = nn.mlp(latentDim, [{ nOut: dataDim, activation: nn.sigmoid }], 'decodeNet');
const decode = (latent: Tensor) => nnevalModel(decodeNet, latent);

const priorProbs = Vector(repeat(latentDim, () => 0.5));

const model = () => {
  mapData({ data: images, batchSize: 100 }, (image) => {
    const latent = sample(MultivariateBernoulli({ ps: priorProbs }), {
      guide: MultivariateBernoulli({ ps: encode(image) }),
    });
    observe(MultivariateBernoulli({ ps: decode(latent) }), image);
  });
};

export default Optimize(model, { steps: Number(argv.steps ?? 1000), optMethod: { adam: { stepSize: 0.01 } } });
