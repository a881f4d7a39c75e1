// What the programs of section 6.2 share: the data, the model around a way of drawing causes, and how a guide is judged.
import {
  argv,
  Bernoulli,
  expectation,
  Infer,
  map,
  mapData,
  mean,
  observe,
  type Params,
  type QmrGraph,
  sample,
} from 'waymark';
import { givenData, train } from '../training.ts';
import { drawEffects, noisyOrProb } from './network.ts';

interface Cases {
  readonly graph: QmrGraph;
  readonly train: readonly boolean[][];
  readonly test: readonly boolean[][];
}

const cases = givenData<Cases>();
export const { graph } = cases;

/** Draws the causes behind some effects, from their prior or from a guide. */
export type Diagnose = (effects: readonly boolean[]) => boolean[];

/** The variance reductions of section 4.3 that a condition leaves out. */
const reductions = {
  none: { localWeights: false, avgBaselines: false, removeZeroExpectation: false },
  local: { avgBaselines: false },
  all: {},
};

const modelOf = (diagnose: Diagnose) => () => {
  mapData({ data: cases.train, batchSize: 20 }, (effects) => {
    const causes = diagnose(effects);
    mapData({ data: effects }, (effect, i) => {
      observe(Bernoulli({ p: noisyOrProb(graph.symptomNodes[i], causes) }), effect);
    });
  });
};

/** Learns with the step size and the variance reductions of the condition. */
export const learn = (diagnose: Diagnose) =>
  train(modelOf(diagnose), {
    optMethod: { adam: { stepSize: Number(argv.stepSize) } },
    estimator: { ELBO: reductions[argv.reductions as keyof typeof reductions] },
  });

/** The same for guides that can diagnose cases they have not seen, which are then judged by their predictions. */
export const learnAndPredict = (diagnose: Diagnose) => {
  const { params, history } = learn(diagnose);
  return { history, prior: score(fromPrior), guide: score(diagnose, params) };
};

const fromPrior: Diagnose = () =>
  map(({ priorProb }) => sample(Bernoulli({ p: priorProb })), graph.diseaseNodes as { priorProb: number }[]);

/** The mean score of effects that are predicted from diagnosed causes, over the test cases and `--draws` of each. */
function score(diagnose: Diagnose, params: Params = {}): number {
  const scores = cases.test
    .filter((effects) => effects.some(Boolean))
    .map((effects) => {
      const predict = () => agreement(effects, drawEffects(graph, diagnose(effects)));
      return expectation(Infer({ method: 'forward', guide: true, samples: Number(argv.draws), params }, predict));
    });
  return mean(scores);
}

/** The smaller of the share of true effects that are predicted, and the share of predicted ones that are true. */
function agreement(actual: readonly boolean[], predicted: readonly boolean[]): number {
  const both = actual.filter((on, i) => on && predicted[i]).length;
  const most = Math.max(actual.filter(Boolean).length, predicted.filter(Boolean).length);
  return both / most;
}
