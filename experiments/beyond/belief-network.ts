// Sigmoid belief networks: layers of coins, each layer's probabilities computed from the one above. Choices are made in the order of
// the guide, from the image to the top; the model weighs them when all are there.
import {
  argv,
  factor,
  MultivariateBernoulli,
  mapData,
  modelParam,
  nn,
  nneval,
  nnevalModel,
  type OptimizeGiven,
  observe,
  sample,
  sigmoid,
  type Tensor,
  Vector,
} from 'waymark';
import { givenData, stageCheckpoint, train } from '../training.ts';
import { boundOf } from './bounds.ts';
import { PIXELS, staticDigits } from './digits.ts';

const UNITS = 200;
const HALF = Vector(new Array<number>(UNITS).fill(0.5));
/** What drawing a layer of fair coins takes off the score; the model has its own probability for what was drawn. */
const FAIR = UNITS * Math.log(2);

function network(depth: number): (image: Tensor) => void {
  const sizes = [PIXELS, ...new Array<number>(depth).fill(UNITS)];
  const up = sizes.slice(1).map((size, i) => nn.mlp(sizes[i], [{ nOut: size, activation: nn.sigmoid }], `up${i}`));
  const down = sizes.slice(1).map((size, i) => nn.mlp(size, [{ nOut: sizes[i], activation: nn.sigmoid }], `down${i}`));
  /** A layer and those above it, as the guide draws them. */
  const climb = (below: Tensor, i: number): Tensor[] => {
    if (i === depth) return [below];
    const guide = () => MultivariateBernoulli({ ps: nneval(up[i], below) });
    return [below, ...climb(sample(MultivariateBernoulli({ ps: HALF }), { guide }), i + 1)];
  };
  return (image) => {
    const layers = climb(image, 0);
    factor(depth * FAIR);
    const top = sigmoid(modelParam({ name: 'top', dims: [UNITS, 1] }));
    observe(MultivariateBernoulli({ ps: top }), layers[depth]);
    for (let i = depth - 1; i >= 0; i--) {
      observe(MultivariateBernoulli({ ps: nnevalModel(down[i], layers[i + 1]) }), layers[i]);
    }
  };
}

/** How the likelihood of test images is estimated: so many at a time, each with so many samples. */
const TESTED = 20;

/** Learns a network of so many layers; gives the bounds in nats per image. */
export function learnNetwork(depth: number) {
  const { folder } = givenData<{ folder: string }>();
  const images = (part: 'train' | 'test') => staticDigits(folder, part, Number(argv.images));
  const explain = network(depth);
  const learned = images('train');
  const steps = Number(argv.steps);
  const before = Math.round(steps * Number(argv.start));
  const model = () => mapData({ data: learned, batchSize: Number(argv.batch) }, explain);
  const stage = (samples: number, from: number, to: number, given: Partial<OptimizeGiven>) =>
    train(model, {
      optMethod: { adam: { stepSize: (step: number) => 0.002 * (1 - (from + step) / steps) + 2e-5 } },
      estimator: { IWAE: { samples } },
      steps: to - from,
      ...given,
    });
  // Most is learned as well from few samples of each image, which take a fifth of the time.
  const start = stage(Number(argv.fewer), 0, before, { params: {}, checkpoint: stageCheckpoint('start') });
  const { params, history } = stage(Number(argv.samples), before, steps, { params: start.params });
  const tested = images('test');
  const test = () => mapData({ data: tested, batchSize: TESTED }, explain);
  const nll = (many: number, times: number) =>
    -boundOf(test, params, { IWAE: { samples: many } }, times) / tested.length;
  return {
    history: [...start.history, ...history].map((bound) => bound / learned.length),
    testNll: nll(Number(argv.testSamples), Number(argv.testBatches)),
    images: TESTED * Number(argv.testBatches),
  };
}
