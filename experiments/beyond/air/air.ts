// Attend, infer, repeat (Eslami et al. 2016): a scene is as many things as a recursion draws, each with a place and a look. The guide sees
// what the things so far have not explained: all of it at half the width and height, and then what is around the place that it has noticed.
import {
  affine,
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
  type Params,
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
/** How probable another thing is, how probable the guide makes it at least, and whether that looks closer before it draws. */
interface Seeking {
  readonly prior: number;
  readonly least: number;
  readonly isClose: boolean;
}
/** How probable the guide makes it at most. */
const MOST_SURE = 0.9998;
/** Before anything is known of how things look, none explains enough to be there: until then they are there at any rate. */
const forced: Seeking = { prior: 0.5, least: 0.5, isClose: false };
/**
 * From then on a thing must explain more to be there than a second look at the same digit could: 20 nats. The guide still tries things now and then
 * that it does not believe in: places and looks that are never drawn are never learned.
 */
const coarsely: Seeking = { prior: Math.exp(-20), least: 0.05, isClose: false };
const closely: Seeking = { ...coarsely, isClose: true };
const free: Seeking = { ...closely, least: 0.0002 };
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

/** The width of what the guide looks at more closely: half of the scene. */
const CLOSE = 2;
const nothingYet = (dims: readonly number[]): Tensor => zeros(dims);

/** What is noticed at first, and what a closer look adds to it. */
function notices(left: Tensor, isClose: boolean): Tensor {
  const atFirst = nneval(notice, coarse(left));
  if (!isClose) return atFirst;
  const { x, y } = placeOf(T.range(atFirst, 1, 1 + WHERE));
  const units = softplus(affine('closer1', { in: WINDOW * WINDOW, out: HIDDEN })(read(left, { zoom: CLOSE, x, y })));
  return T.add(atFirst, affine('closer2', { in: HIDDEN, out: 1 + 2 * WHERE, init: nothingYet })(units));
}

/** More things, as long as there are any. */
function explain(scene: Tensor, seeking: Seeking, { count, canvas }: Explained): Explained {
  if (count === MOST) return { count, canvas };
  const left = T.sub(scene, canvas);
  const noticed = notices(left, seeking.isClose);
  const { prior, least } = seeking;
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
  return explain(scene, seeking, { count: count + 1, canvas: T.add(canvas, paint(thing, place)) });
}

const nothing: Explained = { count: 0, canvas: zeros([SIDE * SIDE, 1]) };

const { folder } = givenData<{ folder: string }>();
const digits = trainDigits(folder);
const model = (seeking: Seeking, learned: readonly Scene[]) => () => {
  mapData({ data: learned, batchSize: Number(argv.batch) }, ({ pixels }: Scene) => {
    const { canvas } = explain(pixels, seeking, nothing);
    observe(DiagCovGaussian({ mu: canvas, sigma: NOISE }), pixels);
  });
};

const steps = Number(argv.steps);
const bounds: number[] = [];

interface Stage {
  /** Of its checkpoint; that of the last stage is the run's own. */
  readonly name?: string;
  readonly seeking: Seeking;
  /** Of all steps. */
  readonly share: number;
  /** Sizes of its first and of its last step. */
  readonly from: number;
  readonly to: number;
}

const STEP_SIZE = 0.001;
/**
 * Once the guide looks closely, steps are smaller, rise from 0 since the optimiser knows no gradients yet, and gradients have a largest norm for each
 * scene. With steps of 0.001 the guide went astray within 1,500 steps, and no longer found anything to learn from.
 */
const CAREFUL = { stepSize: 0.0003, rise: 1000, norm: 1000 };
const stages: readonly Stage[] = [
  { name: 'start', seeking: forced, share: 0.1, from: STEP_SIZE, to: STEP_SIZE },
  { name: 'coarsely', seeking: coarsely, share: 0.3, from: STEP_SIZE, to: STEP_SIZE },
  { name: 'closely', seeking: closely, share: 0.2, from: CAREFUL.stepSize, to: CAREFUL.stepSize },
  { seeking: free, share: 0.4, from: CAREFUL.stepSize, to: 0.00001 },
];

/** Goes on learning, from scenes that it has not seen. */
function learn({ name, seeking, share, from, to }: Stage, before: Params | undefined): Params {
  const scenes = scenesOf(digits, Number(argv.scenes));
  const own = Math.round(share * steps);
  const rise = (step: number): number => (seeking.isClose ? Math.min(1, (step + 1) / CAREFUL.rise) : 1);
  const trained = train(model(seeking, scenes), {
    gradients: 'automatic',
    params: before,
    steps: own,
    ...(seeking.isClose && { clip: CAREFUL.norm * scenes.length }),
    optMethod: { adam: { stepSize: (step: number) => rise(step) * (from + ((to - from) * step) / own) } },
    ...(name === undefined ? {} : { checkpoint: stageCheckpoint(name) }),
  });
  bounds.push(...trained.history.map((bound) => bound / scenes.length));
  return trained.params;
}

const params = stages.reduce<Params | undefined>((before, stage) => learn(stage, before), undefined) as Params;

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
  history: bounds,
  accuracy: right.length / tested.length,
  tested: tested.length,
  scenes: tested.slice(0, SHOWN).map(({ pixels }) => greyLevels(pixels)),
  explained: found.slice(0, SHOWN).map(({ canvas }) => greyLevels(canvas)),
};
