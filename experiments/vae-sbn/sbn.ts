// Section 6.4 and appendix C.5: a sigmoid belief network.
import { MultivariateBernoulli, nn, nneval, nnevalModel, observe, repeat, sample, type Tensor, Vector } from 'waymark';
import { dataDim, learnDigits } from './digits.ts';

const latentDim = 200;

const encodeNet = nn.mlp(dataDim, [{ nOut: latentDim, activation: nn.sigmoid }], 'encodeNet');
const encode = (image: Tensor) => nneval(encodeNet, image);

const decodeNet = nn.mlp(latentDim, [{ nOut: dataDim, activation: nn.sigmoid }], 'decodeNet');
const decode = (latent: Tensor) => nnevalModel(decodeNet, latent);

const priorProbs = Vector(repeat(latentDim, () => 0.5));

export default learnDigits((image) => {
  const latent = sample(MultivariateBernoulli({ ps: priorProbs }), {
    guide: MultivariateBernoulli({ ps: encode(image) }),
  });
  const probs = decode(latent);
  observe(MultivariateBernoulli({ ps: probs }), image);
  return probs;
});
