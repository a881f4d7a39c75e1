// Which of twenty components a point is from: weights and guide are learned from a start at which all else looks impossible.
import {
  argv,
  Discrete,
  forwardGuide,
  Gaussian,
  mapData,
  modelParam,
  nn,
  nneval,
  observe,
  sample,
  softmax,
  T,
  type Tensor,
  Vector,
} from 'waymark';
import { givenData, train } from '../../training.ts';

interface Points {
  readonly weights: readonly number[];
  readonly train: readonly number[];
  readonly test: readonly number[];
}

const points = givenData<Points>();
const components = points.weights.length;
/** The first component has e¹⁹ times the weight of the last. */
const farStart = Vector(Array.from({ length: components }, (_, i) => 2 * (components - 1 - i)));

const recognise = nn.mlp(
  1,
  [{ nOut: 16, activation: nn.tanh }, { nOut: 16, activation: nn.tanh }, { nOut: components }],
  'recognise',
);
/** Points lie between −10 and 200. */
const scaled = (x: number) => Vector([(x - 95) / 60]);
const guessed = (x: number): Tensor => softmax(nneval(recognise, scaled(x)));

const batchSize = 100;
const model = () => {
  const logits = modelParam({ name: 'logits', dims: [components, 1], init: () => farStart });
  const prior = Discrete({ ps: softmax(T.mul(logits, 0.5)) });
  mapData({ data: points.train, batchSize, dreamBatchSize: batchSize }, (x) => {
    const z = sample(prior, { guide: () => Discrete({ ps: guessed(x) }) });
    observe(Gaussian({ mu: 10 * z, sigma: 5 }), x);
  });
};

const samples = Number(argv.samples);
const steps = Number(argv.steps);
const { params, history } = train(model, {
  optMethod: { adam: { stepSize: (step: number) => (step < 0.75 * steps ? 0.003 : 0.0006) } },
  estimator: { RWS: { samples, dream: Number(argv.dream) } },
});

const distance = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Math.hypot(...Array.from(a, (x, i) => x - b[i]));

/** The posterior of a point under the mixture that it is from. */
function exactly(x: number): number[] {
  const joint = points.weights.map((weight, z) => weight * Math.exp(Gaussian({ mu: 10 * z, sigma: 5 }).score(x)));
  const evidence = joint.reduce((sum, one) => sum + one, 0);
  return joint.map((one) => one / evidence);
}

const offGuides = points.test.map((x) => distance(forwardGuide(() => guessed(x)).data, exactly(x)));
export default {
  history: history.map((bound) => bound / points.train.length),
  offWeights: distance(softmax(T.mul(params.logits as Tensor, 0.5)).data, points.weights),
  offGuide: offGuides.reduce((sum, one) => sum + one, 0) / offGuides.length,
};
