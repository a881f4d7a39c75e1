// Section 6.4 and appendix C.4: a variational autoencoder.
import {
  DiagCovGaussian,
  MultivariateBernoulli,
  nn,
  nneval,
  nnevalModel,
  observe,
  sample,
  softplus,
  type Tensor,
  TensorGaussian,
} from 'waymark';
import { dataDim, learnDigits } from './digits.ts';

const hiddenDim = 500;
const latentDim = 20;

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

export default learnDigits((image) => {
  const latent = sample(TensorGaussian({ mu: 0, sigma: 1, dims: [latentDim, 1] }), {
    guide: DiagCovGaussian(encode(image)),
  });
  const probs = decode(latent);
  observe(MultivariateBernoulli({ ps: probs }), image);
  return probs;
});
