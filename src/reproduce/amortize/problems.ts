/** Amortised inference: networks that `Amortize` trains, held to exact posteriors, to reference draws, and to their own claims. */
import type { Chapter, Claim } from '../chapter.ts';
import type { Condition, Experiment, Findings, ProgramArguments } from '../experiment.ts';
import { figure, percent } from '../numbers.ts';
import { mean } from '../statistics.ts';
import { type CalibrationRun, calibrationClaim, calibrationFigures } from './calibration.ts';
import {
  type BenchmarkRun,
  benchmarkClaims,
  benchmarkFigures,
  type PosteriorRun,
  posteriorClaims,
  posteriorTable,
} from './references.ts';

interface MarkovRun {
  readonly samples: number;
  readonly runs: readonly { readonly ess: number; readonly distance: number; readonly evidenceError: number }[];
}

interface LoopRun {
  readonly name: string;
  /** Effective sample size, as a share of the samples. */
  readonly ess: number;
  /** Over the exact one, and its standard error. */
  readonly evidence: number;
  readonly error: number;
}

/** A problem is an experiment with one condition. */
function problem<R>(
  name: string,
  title: string,
  origin: string,
  given: Omit<Condition, 'name' | 'label'>,
  chapter: (run: R) => Partial<Chapter>,
): Experiment<R> {
  return {
    name,
    folder: 'amortize',
    title,
    origin,
    runs: { full: 1, quick: 1 },
    conditions: [{ name: 'network', label: title, ...given }],
    dataArguments: ({ sbibm, posteriordb }): ProgramArguments => ({
      ...(sbibm !== undefined && { sbibm }),
      ...(posteriordb !== undefined && { posteriordb }),
    }),
    chapter: ({ runs }: Findings<R>) => ({
      figures: [],
      tables: [],
      claims: [],
      remarks: [],
      ...chapter(runs.network[0]),
    }),
  };
}

const hmm = problem<MarkovRun>(
  'hmm',
  'Hidden Markov model of three states',
  'inference compilation in Anglican',
  {
    program: 'hmm',
    steps: { full: 6000, quick: 100 },
    cost: 60,
    args: { samples: 10_000 },
    quickArgs: { samples: 1000 },
  },
  (run) => ({ claims: markovClaims(run) }),
);

const loop = (number: number) =>
  problem<LoopRun>(
    `marsaglia-${number}`,
    `Normal mean drawn by a rejection loop, problem ${number}`,
    'pyprob, and amortized rejection sampling',
    {
      program: 'marsaglia',
      steps: { full: 4000, quick: 150 },
      cost: 60,
      args: { problem: number - 1, samples: 50_000 },
      quickArgs: { samples: 2000 },
    },
    (run) => ({ claims: loopClaims(run) }),
  );

/** Simulators, with the units of their networks, the normals of a mixture, steps, and rounds in which the two-sample test learns. */
const benchmark = (task: string, hidden: number, components: number, steps: number, stepSize: number, epochs: number) =>
  problem<BenchmarkRun>(
    task.replaceAll('_', '-'),
    `Simulator ${task}`,
    'sbibm',
    {
      program: 'sbibm',
      steps: { full: steps, quick: 100 },
      cost: 60,
      args: {
        task,
        simulations: 100_000,
        hidden,
        components,
        stepSize,
        draws: 10_000,
        weighed: 50_000,
        epochs,
        observations: 10,
      },
      quickArgs: { simulations: 10_000, hidden: 32, draws: 500, weighed: 2000, epochs: 10, observations: 1 },
    },
    (run) => {
      const [figures, tables] = benchmarkFigures(run);
      return { figures, tables, claims: benchmarkClaims(run), remarks: TWO_SAMPLE };
    },
  );

const TWO_SAMPLE = [
  'In the two-sample test a network with two layers of 10 d units is trained to tell draws of ours from reference draws, with coordinates scaled by ' +
    'the reference; its accuracy is that of a fivefold cross-validation. 0.5 means that it cannot tell them apart.',
];

/** Models of posteriordb, with steps, dreams of a step, how often it learns from the datum instead, and the size of the network. */
const posterior = (name: string, steps: number, dreams: number, awake = 1, hidden = 48, layers = 1) =>
  problem<PosteriorRun>(
    name,
    `Posterior of ${name.replaceAll('-', ' ')}`,
    'posteriordb',
    {
      program: 'posterior',
      steps: { full: steps, quick: 10 },
      cost: 100,
      args: { name, dreams, awake, hidden, layers, samples: 20_000 },
      quickArgs: { dreams: 32, samples: 500 },
    },
    (run) => ({ claims: posteriorClaims(run), tables: posteriorTable(run) }),
  );

const universal = (program: string) =>
  problem<CalibrationRun>(
    program,
    `Calibration: ${program}`,
    'own programs',
    {
      program: 'calibration',
      steps: { full: 4000, quick: 30 },
      cost: 60,
      args: { program, simulations: 500, samples: 1000 },
      quickArgs: { simulations: 20, samples: 100 },
    },
    (run) => ({ claims: [calibrationClaim(run)], figures: calibrationFigures(run) }),
  );

/** The problems, in the order of their suite. */
export const amortizeProblems = [
  hmm,
  ...[1, 2, 3].map(loop),
  benchmark('gaussian_linear', 32, 8, 6000, 0.003, 50),
  benchmark('two_moons', 64, 24, 30_000, 0.01, 100),
  benchmark('slcp', 96, 24, 30_000, 0.005, 100),
  benchmark('sir', 48, 8, 15_000, 0.003, 100),
  posterior('eight-schools', 4000, 256),
  posterior('gaussian-process', 2500, 512, 0.3, 96, 3),
  posterior('hidden-markov', 2500, 64),
  posterior('lotka-volterra', 4000, 128),
  ...['clusters', 'recursion', 'memory', 'switching', 'missing', 'rejecting'].map(universal),
] as const;

const MARKOV = { ess: 0.9, distance: 0.006 };

function markovClaims({ samples, runs }: MarkovRun): Claim[] {
  const ess = mean(runs.map((run) => run.ess));
  const distance = mean(runs.map((run) => run.distance));
  const often = `mean over ${runs.length} posteriors of ${figure(samples)} samples`;
  return [
    {
      claim: 'hidden Markov model: effective sample size',
      paper: 'inference compilation: 57 %',
      waymark: percent(ess, 1),
      test: `at least ${percent(MARKOV.ess)} of the samples; ${often}`,
      met: ess >= MARKOV.ess,
    },
    {
      claim: 'hidden Markov model: marginals of the states',
      paper: 'inference compilation: 0.0075 from the exact ones',
      waymark: `${distance.toFixed(4)} from the exact ones`,
      test: `a distance of at most ${MARKOV.distance}, mean over the times; ${often}`,
      met: distance <= MARKOV.distance,
    },
  ];
}

const LOOP = { ess: 0.5, evidence: 0.01 };

function loopClaims({ name, ess, evidence, error }: LoopRun): Claim[] {
  return [
    {
      claim: `mean drawn by a rejection loop (${name}): effective sample size`,
      paper: 'at least 1.6 %',
      waymark: percent(ess, 1),
      test: `at least ${percent(LOOP.ess)} of the samples`,
      met: ess >= LOOP.ess,
    },
    {
      claim: `mean drawn by a rejection loop (${name}): evidence`,
      paper: 'exact',
      waymark: `${evidence.toFixed(4)} of the exact one, standard error ${error.toFixed(4)}`,
      test: 'within 1 % of the exact one',
      met: Math.abs(evidence - 1) <= LOOP.evidence,
    },
  ];
}
