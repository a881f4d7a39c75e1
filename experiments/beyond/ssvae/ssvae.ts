// A semi-supervised variational autoencoder (Kingma et al. 2014): few digits have labels, and learning sums over those of the others.
import {
  argv,
  DiagCovGaussian,
  Discrete,
  factor,
  forwardGuide,
  guide,
  MultivariateBernoulli,
  mapData,
  nn,
  nneval,
  nnevalModel,
  Optimize,
  observe,
  sample,
  softmax,
  softplus,
  T,
  type Tensor,
  TensorGaussian,
  Vector,
} from 'waymark';
import { givenData, train } from '../../training.ts';
import { binaryDigits, PIXELS, testDigits, trainDigits } from '../digits.ts';

const LABELS = 10;
const LATENT = 50;
const HIDDEN = 256;

const { folder } = givenData<{ folder: string }>();
const digits = trainDigits(folder);
const unlabelled = binaryDigits(digits, Number(argv.images));
const oneHot = Array.from({ length: LABELS }, (_, k) => Vector(Array.from({ length: LABELS }, (_, i) => +(i === k))));

/** As many of each digit, the first ones of the file. */
function labelledDigits(count: number) {
  const left = new Array<number>(LABELS).fill(count / LABELS);
  const chosen = Array.from(unlabelled.keys()).filter((i) => left[digits.labels[i]]-- > 0);
  return chosen.map((i) => ({ x: unlabelled[i], y: digits.labels[i] }));
}

const labelled = labelledDigits(Number(argv.labels));

const classify = nn.mlp(PIXELS, [{ nOut: HIDDEN, activation: nn.softplus }, { nOut: LABELS }], 'classify');
// A layer that sees an image and its label, in two parts: what an image adds is the same for every label that is tried.
const look = nn.linear(PIXELS, HIDDEN, 'look');
const told = nn.linear(LABELS, HIDDEN, 'told');
const mu = nn.linear(HIDDEN, LATENT, 'mu');
const sigma = nn.linear(HIDDEN, LATENT, 'sigma');
const decode = nn.mlp(
  LATENT + LABELS,
  [
    { nOut: HIDDEN, activation: nn.softplus },
    { nOut: PIXELS, activation: nn.sigmoid },
  ],
  'decode',
);

/** How probable each label is, as the guide sees it. */
const labelOf = (x: Tensor): Tensor => softmax(nneval(classify, x));

/** An image, given its label. */
function explain(x: Tensor, y: number, seen: () => Tensor): void {
  const label = oneHot[y];
  const z = sample(TensorGaussian({ mu: 0, sigma: 1, dims: [LATENT, 1] }), {
    guide: () => {
      const h = softplus(T.add(seen(), nneval(told, label)));
      return DiagCovGaussian({ mu: nneval(mu, h), sigma: softplus(nneval(sigma, h)) });
    },
  });
  observe(MultivariateBernoulli({ ps: nnevalModel(decode, T.concat(z, label)) }), x);
}

const evenly = Discrete({ ps: Vector(new Array(LABELS).fill(1 / LABELS)) });
/** How much the guide of a label that is known counts, for each image with one. */
const weight = Number(argv.weight);

const looking = (x: Tensor) => guide(() => nneval(look, x));

const learnLabelled = () => {
  mapData({ data: labelled, batchSize: Math.min(labelled.length, Number(argv.labelledBatch)) }, ({ x, y }) => {
    observe(evenly, y);
    explain(x, y, looking(x));
    factor(weight * Discrete({ ps: labelOf(x) }).score(y));
  });
};
const model = () => {
  mapData({ data: unlabelled, batchSize: Number(argv.batch) }, (x) => {
    const seen = looking(x);
    const y = sample(evenly, { guide: () => Discrete({ ps: labelOf(x) }) });
    explain(x, y, seen);
  });
  learnLabelled();
};

// Labels mean something before other images join: these would else be sorted into classes of their own, and stay there.
Optimize(learnLabelled, { steps: Number(argv.first), optMethod: { adam: { stepSize: 0.001 } } });
const steps = Number(argv.steps);
const { history } = train(model, {
  gradients: 'automatic',
  optMethod: { adam: { stepSize: (step: number) => 0.001 * Math.min(1, 2 - (2 * step) / steps) + 1e-5 } },
});

const test = testDigits(folder);
const tested = Number(argv.tested);
const largest = (ps: ArrayLike<number>): number => Array.from(ps).indexOf(Math.max(...Array.from(ps)));
const right = binaryDigits(test, tested).filter(
  (x, i) => largest(forwardGuide(() => labelOf(x)).data) === test.labels[i],
);

export default {
  history: history.map((bound) => bound / unlabelled.length),
  accuracy: right.length / tested,
};
