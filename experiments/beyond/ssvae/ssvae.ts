// A semi-supervised variational autoencoder (Kingma et al. 2014): few digits have labels, and learning sums over those of the others.
import {
  argv,
  conv2d,
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
  observe,
  relu,
  sample,
  softmax,
  softplus,
  T,
  type Tensor,
  TensorGaussian,
  Vector,
} from 'waymark';
import { givenData, stageCheckpoint, train } from '../../training.ts';
import { binaryDigits, PIXELS, testDigits, trainDigits, WIDTH } from '../digits.ts';
import { otherHands } from './bent.ts';

const LABELS = 10;
const LATENT = 50;
const HIDDEN = 256;

const { folder } = givenData<{ folder: string }>();
const digits = trainDigits(folder);
const unlabelled = binaryDigits(digits, Number(argv.images));
const oneHot = Array.from({ length: LABELS }, (_, k) => Vector(Array.from({ length: LABELS }, (_, i) => +(i === k))));

/** As many of each digit, the first ones of the file, each drawn by so many other hands. */
function labelledDigits(count: number, hands: number) {
  const left = new Array<number>(LABELS).fill(count / LABELS);
  const chosen = Array.from(unlabelled.keys()).filter((i) => left[digits.labels[i]]-- > 0);
  return chosen.flatMap((i) => otherHands(unlabelled[i], hands).map((x) => ({ x, y: digits.labels[i] })));
}

const labelled = labelledDigits(Number(argv.labels), Number(argv.hands));

// The guide of labels sees images as such: filters, twice, each time half as wide and high.
const FILTERS = [16, 32] as const;
const small = WIDTH / 4;
const features = FILTERS[1] * small * small;
const last = nn.linear(features, LABELS, 'last');
function classify(x: Tensor): Tensor {
  const half = { size: 5, stride: 2, padding: 2 };
  const lines = relu(conv2d('lines', { in: 1, out: FILTERS[0], ...half })(T.reshape(x, [1, WIDTH, WIDTH])));
  const shapes = relu(conv2d('shapes', { in: FILTERS[0], out: FILTERS[1], ...half })(lines));
  return nneval(last, T.reshape(shapes, [features, 1]));
}
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
const labelOf = (x: Tensor): Tensor => softmax(classify(x));

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

const knownLabels = (alone: boolean) => () => {
  mapData({ data: labelled, batchSize: Math.min(labelled.length, Number(argv.labelledBatch)) }, ({ x, y }) => {
    if (!alone) {
      observe(evenly, y);
      explain(x, y, looking(x));
    }
    factor(weight * Discrete({ ps: labelOf(x) }).score(y));
  });
};
const model = () => {
  mapData({ data: unlabelled, batchSize: Number(argv.batch) }, (x) => {
    const seen = looking(x);
    const y = sample(evenly, { guide: () => Discrete({ ps: labelOf(x) }) });
    explain(x, y, seen);
  });
  knownLabels(false)();
};

const largest = (ps: ArrayLike<number>): number => Array.from(ps).indexOf(Math.max(...Array.from(ps)));
/** The label that the guide holds for the most probable. */
const guessed = (x: Tensor): number => largest(forwardGuide(() => labelOf(x)).data);

// Labels mean something before other images join: these would else be sorted into classes of their own, and stay there. So images are first
// explained by labels that are guessed from those that are known.
const first = Number(argv.first);
train(knownLabels(true), {
  steps: first,
  optMethod: { adam: { stepSize: (step: number) => 0.002 * (1 - step / first) + 1e-5 } },
  checkpoint: stageCheckpoint('first'),
});
const guesses = unlabelled.map((x) => ({ x, y: guessed(x) }));
const believed = () => {
  mapData({ data: guesses, batchSize: Number(argv.batch) }, ({ x, y }) => explain(x, y, looking(x)));
};
train(believed, {
  steps: Number(argv.believed),
  optMethod: { adam: { stepSize: 0.001 } },
  checkpoint: stageCheckpoint('believed'),
});
const steps = Number(argv.steps);
const { history } = train(model, {
  gradients: 'automatic',
  optMethod: { adam: { stepSize: (step: number) => 0.001 * Math.min(1, 2 - (2 * step) / steps) + 1e-5 } },
});

const test = testDigits(folder);
const tested = Number(argv.tested);
const right = binaryDigits(test, tested).filter((x, i) => guessed(x) === test.labels[i]);

/** How many guesses were right before images without labels were learned from. */
const alone = guesses.filter(({ y }, i) => y === digits.labels[i]);

export default {
  history: history.map((bound) => bound / unlabelled.length),
  accuracy: right.length / tested,
  before: alone.length / guesses.length,
};
