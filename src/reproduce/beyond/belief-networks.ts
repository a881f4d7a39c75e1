/** Sigmoid belief networks of two and three layers, learned by a bound of several samples. */
import type { Chapter, Claim } from '../chapter.ts';
import { curveFigure } from '../curves.ts';
import { digitsFolder, type Experiment, type Findings } from '../experiment.ts';
import { figure, withReach } from '../numbers.ts';
import { interval } from '../statistics.ts';

interface NetworkRun {
  /** Nats per image. */
  readonly history: readonly number[];
  readonly testNll: number;
  /** How many test images it is the mean of, drawn at random. */
  readonly images: number;
}

interface Network {
  readonly name: string;
  readonly layers: string;
  readonly origin: string;
  readonly published: string;
  /** Nats per test image. */
  readonly goal: number;
  readonly samples: number;
  readonly steps: number;
  readonly cost: number;
  readonly remarks: readonly string[];
}

const network = ({ name, layers, origin, published, goal, samples, steps, cost, remarks }: Network) => {
  const experiment: Experiment<NetworkRun> = {
    name,
    folder: `beyond/${name}`,
    title: `Sigmoid belief network of ${layers} layers`,
    origin,
    runs: { full: 1, quick: 1 },
    conditions: [
      {
        name: 'iwae',
        label: `${samples} samples`,
        program: name,
        args: { samples, fewer: 10, start: 0.9, images: 50_000, batch: 50, testSamples: 500, testBatches: 300 },
        quickArgs: { samples: 5, fewer: 2, images: 1000, batch: 20, testSamples: 20, testBatches: 5 },
        steps: { full: steps, quick: 60 },
        cost,
      },
    ],
    dataArguments: digitsFolder,
    chapter,
  };
  function chapter({ runs }: Findings<NetworkRun>): Chapter {
    const [bounds, table] = curveFigure(
      { name: 'bounds', caption: 'The bound while learning, in nats per image.', objective: 'bound', from: -250 },
      [{ label: `${samples} samples`, histories: runs.iwae.map(({ history }) => history) }],
    );
    const nll = interval(runs.iwae.map((run) => run.testNll));
    const claims: Claim[] = [
      {
        claim: `test NLL of at most ${figure(goal, 1)} nats`,
        paper: published,
        waymark: withReach(nll, 1),
        test: `the mean of ${figure(runs.iwae[0].images)} test images, by importance sampling, is at most that`,
        met: nll.mean <= goal,
      },
    ];
    return { figures: [bounds], tables: [table], claims, remarks };
  }
  return experiment;
};

export const sbn2 = network({
  name: 'sbn2',
  layers: 'two',
  origin: 'Mnih & Gregor 2014',
  published: 'NVIL 99.8',
  goal: 98,
  samples: 50,
  steps: 200_000,
  cost: 15,
  remarks: ['Choices at which nothing is differentiated are weighed against the other samples of their image (VIMCO).'],
});

export const sbn3 = network({
  name: 'sbn3',
  layers: 'three',
  origin: 'Mnih & Rezende 2016',
  published: 'VIMCO 91.9, RWS 92.5',
  goal: 91.9,
  samples: 50,
  steps: 500_000,
  cost: 25,
  remarks: [
    'The published runs saw each image some thousand times; here a thousand steps are one pass. Nine tenths of the steps weigh ten samples of each ' +
      'image, the last tenth fifty.',
  ],
});
