/** Reweighted wake–sleep on a mixture, from a start far from the truth. */
import type { Chapter, Claim } from '../chapter.ts';
import { curveFigure, learningCurves } from '../curves.ts';
import type { Experiment, Findings } from '../experiment.ts';
import { figure, withReach } from '../numbers.ts';
import { interval } from '../statistics.ts';

interface MixtureRun {
  /** Nats per point. */
  readonly history: readonly number[];
  /** The distance of the learned weights of components from the true ones. */
  readonly offWeights: number;
  /** The mean distance of the guide of a test point from its exact posterior. */
  readonly offGuide: number;
}

/** Weights are this far off after 50,000 points where nothing but chance is: √(Σ w (1 − w) / n) is 0.0044. */
const WEIGHTS_GOAL = 0.02;
const GUIDE_GOAL = 0.1;

const learning = { program: 'mixture', steps: { full: 100_000, quick: 8000 }, cost: 0.5 };

export const rws: Experiment<MixtureRun> = {
  name: 'rws',
  folder: 'beyond/rws',
  title: 'Mixture from a far start',
  origin: 'Le et al. 2019',
  runs: { full: 3, quick: 1 },
  conditions: [
    { name: 'rws', label: 'RWS', args: { samples: 5, dream: 0 }, ...learning },
    { name: 'dreams', label: 'RWS, one part in 500 dreams', args: { samples: 5, dream: 0.002 }, ...learning },
  ],
  dataArguments: () => ({}),
  chapter,
};

function chapter({ runs }: Findings<MixtureRun>): Chapter {
  const [bounds, table] = curveFigure(
    { name: 'bounds', caption: 'The bound of five samples, in nats per point.', objective: 'bound', from: -30 },
    learningCurves(rws.conditions, runs),
  );
  const off = {
    name: 'distances',
    caption: 'Euclidean distances from the truth, means over runs.',
    head: ['objective', 'weights of components', 'guides of test points'],
    rows: rws.conditions.map(({ name, label }) => [
      label,
      withReach(interval(runs[name].map((run) => run.offWeights)), 4),
      withReach(interval(runs[name].map((run) => run.offGuide)), 4),
    ]),
  };
  const weights = interval(runs.dreams.map((run) => run.offWeights));
  const guides = interval(runs.dreams.map((run) => run.offGuide));
  const claims: Claim[] = [
    {
      claim: 'five samples and a few dreams find the weights of the mixture',
      paper: 'curves',
      waymark: withReach(weights, 4),
      test: `the mean distance from the true weights is at most ${figure(WEIGHTS_GOAL, 2)}`,
      met: weights.mean <= WEIGHTS_GOAL,
    },
    {
      claim: 'and the guide is the posterior',
      paper: 'curves',
      waymark: withReach(guides, 3),
      test: `the mean distance from the exact posteriors of test points is at most ${figure(GUIDE_GOAL, 1)}`,
      met: guides.mean <= GUIDE_GOAL,
    },
  ];
  return { figures: [bounds], tables: [table, off], claims, remarks };
}

const remarks = [
  'At the start the first component has e¹⁹ times the weight of the last. A guide that learns only from its own samples seldom sees what ' +
    'it leaves out; one part in 500 of what it learns comes from dreams. Half of it is too much: dreams are what the model makes up, and while that is far from ' +
    'the data they teach to believe in what the model believes in. One run with half of it ended 0.14 from the weights, one without dreams 0.03.',
];
