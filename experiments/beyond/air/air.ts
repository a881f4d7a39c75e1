// Attend, infer, repeat (Eslami et al. 2016): a scene is as many things as a recursion draws, each with a place and a look. The guide sees
// what the things so far have not explained.
import {
  argv,
  Bernoulli,
  DiagCovGaussian,
  forwardGuide,
  mapData,
  nn,
  nneval,
  nnevalModel,
  observe,
  ones,
  sample,
  setParams,
  sigmoid,
  softplus,
  T,
  type Tensor,
  TensorGaussian,
  zeros,
} from 'waymark';
import { givenData, stageCheckpoint, train } from '../../training.ts';
import { testDigits, trainDigits } from '../digits.ts';
import { type Scene, SIDE, scenesOf } from './scenes.ts';
import { COARSE, coarse, type Place, paint, read, WINDOW } from './windows.ts';

/** One more than there are. */
const MOST = 3;
/** How probable another thing is, and how probable the guide makes it at least. */
interface Presence {
  readonly prior: number;
  readonly least: number;
}
/** How probable the guide makes it at most. */
const MOST_SURE = 0.9998;
/** Before anything is known of how things look, none explains enough to be there: until then they are there at any rate. */
const forced: Presence = { prior: 0.5, least: 0.5 };
/** From then on a thing must explain more to be there than a second look at the same digit could: 20 nats. */
const free: Presence = { prior: Math.exp(-20), least: 0.0002 };
const LOOK = 50;
const WHERE = 3;
const HIDDEN = 200;
/** Of what is seen. */
const NOISE = T.mul(ones([SIDE * SIDE, 1]), 0.3);
/** Things are as dark as scenes mostly are, before anything is learned. */
const DARK = 2;

const notice = nn.mlp(COARSE, [{ nOut: HIDDEN, activation: nn.softplus }, { nOut: 1 + 2 * WHERE }], 'notice');
const recognise = nn.mlp(WINDOW * WINDOW, [{ nOut: HIDDEN, activation: nn.softplus }, { nOut: 2 * LOOK }], 'recognise');
const decode = nn.mlp(LOOK, [{ nOut: HIDDEN, activation: nn.softplus }, { nOut: WINDOW * WINDOW }], 'decode');

/** A Gaussian whose parameters are entries of a vector, from one on. */
const gaussianAt = (of: Tensor, from: number, size: number) =>
  DiagCovGaussian({
    mu: T.reshape(T.range(of, from, from + size), [size, 1]),
    sigma: softplus(T.reshape(T.range(of, from + size, from + 2 * size), [size, 1])),
  });

/** Things are a third of the scene wide, more or less, and mostly near its middle. */
const placeOf = (where: Tensor): Place => ({
  zoom: 3 + 0.2 * T.get(where, 0),
  x: 0.5 * T.get(where, 1),
  y: 0.5 * T.get(where, 2),
});

interface Explained {
  readonly count: number;
  readonly canvas: Tensor;
}

/** More things, as long as there are any. */
function explain(scene: Tensor, presence: Presence, { count, canvas }: Explained): Explained {
  if (count === MOST) return { count, canvas };
  const left = T.sub(scene, canvas);
  const noticed = nneval(notice, coarse(left));
  const { prior, least } = presence;
  const present = sample(Bernoulli({ p: prior }), {
    guide: () => Bernoulli({ p: least + (MOST_SURE - least) * sigmoid(T.get(noticed, 0)) }),
  });
  if (!present) return { count, canvas };
  const where = sample(TensorGaussian({ mu: 0, sigma: 1, dims: [WHERE, 1] }), {
    guide: () => gaussianAt(noticed, 1, WHERE),
  });
  const place = placeOf(where);
  const look = sample(TensorGaussian({ mu: 0, sigma: 1, dims: [LOOK, 1] }), {
    guide: () => gaussianAt(nneval(recognise, read(left, place)), 0, LOOK),
  });
  const thing = sigmoid(T.sub(nnevalModel(decode, look), DARK));
  return explain(scene, presence, { count: count + 1, canvas: T.add(canvas, paint(thing, place)) });
}

const nothing: Explained = { count: 0, canvas: zeros([SIDE * SIDE, 1]) };

const { folder } = givenData<{ folder: string }>();
const learned = scenesOf(trainDigits(folder), Number(argv.scenes));
const model = (presence: Presence) => () => {
  mapData({ data: learned, batchSize: Number(argv.batch) }, ({ pixels }: Scene) => {
    const { canvas } = explain(pixels, presence, nothing);
    observe(DiagCovGaussian({ mu: canvas, sigma: NOISE }), pixels);
  });
};

const steps = Number(argv.steps);
const before = Math.round(steps / 10);
const options = { gradients: 'automatic' } as const;
const start = train(model(forced), {
  ...options,
  steps: before,
  optMethod: { adam: { stepSize: 0.001 } },
  checkpoint: stageCheckpoint('start'),
});
const { params, history } = train(model(free), {
  ...options,
  params: start.params,
  steps: steps - before,
  optMethod: { adam: { stepSize: (step: number) => 0.001 * Math.min(1, 2 - (2 * step) / (steps - before)) + 1e-5 } },
});

// (Those that are given to an optimisation leave the parameters of the run alone.)
setParams(params);
const tested = scenesOf(testDigits(folder), Number(argv.tested));
const found = tested.map(({ pixels }) => forwardGuide(() => explain(pixels, free, nothing)));
const right = found.filter(({ count }, i) => count === tested[i].count);

/** Test scenes as the report shows them. */
const SHOWN = 8;
const greyLevels = (of: Tensor): number[] =>
  Array.from(of.data, (level) => Math.round(255 * Math.min(1, Math.max(0, level))));

export default {
  history: [...start.history, ...history].map((bound) => bound / learned.length),
  accuracy: right.length / tested.length,
  tested: tested.length,
  scenes: tested.slice(0, SHOWN).map(({ pixels }) => greyLevels(pixels)),
  explained: found.slice(0, SHOWN).map(({ canvas }) => greyLevels(canvas)),
};
