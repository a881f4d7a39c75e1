/** A variational autoencoder (784-200-10-200-784) on made-up images. Arguments: batch size, steps. Its value is milliseconds per step. */
import {
  argv,
  DiagCovGaussian,
  MultivariateBernoulli,
  mapData,
  nn,
  nnEval,
  Optimize,
  observe,
  sample,
  T,
  Vector,
} from 'waymark';
import { timed } from './timed.ts';

const [batchSize, count] = argv._.map(Number);
const [pixels, hidden, latent] = [784, 200, 10];
const images = Array.from({ length: 1000 }, (_, i) =>
  Vector(Array.from({ length: pixels }, (_, k) => (Math.sin(i * 7.3 + k * 0.37) > 0.3 ? 1 : 0))),
);
const decode = nn.mlp(
  latent,
  [
    { nOut: hidden, activation: nn.tanh },
    { nOut: pixels, activation: nn.sigmoid },
  ],
  'decode',
);
const encode = nn.mlp(pixels, [{ nOut: hidden, activation: nn.tanh }], 'encode');
const toMu = nn.mlp(hidden, [{ nOut: latent }], 'mu');
const toSigma = nn.mlp(hidden, [{ nOut: latent }], 'sigma');
const prior = DiagCovGaussian({
  mu: T.fromScalars(new Array(latent).fill(0)),
  sigma: T.fromScalars(new Array(latent).fill(1)),
});

const model = () => {
  mapData({ data: images, batchSize }, (image) => {
    const z = sample(prior, {
      guide: () => {
        const code = nnEval(encode, image);
        return DiagCovGaussian({ mu: nnEval(toMu, code), sigma: T.exp(nnEval(toSigma, code)) });
      },
    });
    observe(MultivariateBernoulli({ ps: nnEval(decode, z) }), image);
  });
};

export default timed(count, (steps) =>
  Optimize(model, { steps, params: {}, optMethod: { adam: { stepSize: 0.001 } } }),
);
