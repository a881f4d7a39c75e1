/** Networks beside reference draws: the benchmark sbibm, and posteriordb. */
import { barFigure } from '../bars.ts';
import type { Claim, Figure, Table } from '../chapter.ts';
import { figure } from '../numbers.ts';
import { mean } from '../statistics.ts';

/** What the program `sbibm` gives. */
export interface BenchmarkRun {
  readonly task: string;
  /** Whether there are no reference draws. */
  readonly missing?: boolean;
  /** For each observation, the accuracy of the two-sample test, without and with the likelihood. */
  readonly observations?: readonly {
    readonly amortized: number;
    readonly weighed: number;
    readonly ess: number;
    readonly khat: number;
  }[];
}

/** Accuracies of neural posterior estimation after 100,000 simulations, as published, and what is to be reached here. */
const TASKS: Readonly<Record<string, { readonly published: number; readonly goal: number }>> = {
  gaussian_linear: { published: 0.506, goal: 0.506 },
  two_moons: { published: 0.542, goal: 0.542 },
  slcp: { published: 0.831, goal: 0.65 },
  sir: { published: 0.585, goal: 0.585 },
};

/** With the likelihood. */
const WEIGHED = 0.53;

export function benchmarkClaims({ task, observations = [], missing }: BenchmarkRun): Claim[] {
  const { published, goal } = TASKS[task];
  const accuracy = (name: 'amortized' | 'weighed'): number => mean(observations.map((one) => one[name]));
  const said = (name: 'amortized' | 'weighed'): string => (missing ? 'no reference draws' : accuracy(name).toFixed(3));
  const worst = observations.reduce((least, { ess }) => Math.min(least, ess), Infinity);
  const test = (bar: number): string => `two-sample test at most ${bar}, mean over ${observations.length} observations`;
  return [
    {
      claim: `${task}: the network alone`,
      paper: `neural posterior estimation: ${published}`,
      waymark: said('amortized'),
      test: test(goal),
      met: missing ? undefined : accuracy('amortized') <= goal,
    },
    {
      claim: `${task}: weighed by the likelihood`,
      paper: 'none',
      waymark: missing ? said('weighed') : `${said('weighed')}; effective sample size at least ${figure(worst)}`,
      test: test(WEIGHED),
      met: missing ? undefined : accuracy('weighed') <= WEIGHED,
    },
  ];
}

export function benchmarkFigures({ observations = [] }: BenchmarkRun): [Figure[], Table[]] {
  if (observations.length === 0) return [[], []];
  const bars = [
    { label: 'network', values: observations.map(({ amortized }) => amortized) },
    { label: 'weighed', values: observations.map(({ weighed }) => weighed) },
  ];
  const caption =
    'How well a classifier tells our draws from reference draws: 0.5 means not at all. Lines are intervals of about 95 %.';
  const [drawn, table] = barFigure({ name: 'two-sample', caption, measure: 'accuracy' }, bars);
  return [[drawn], [table]];
}

/** What the program `posterior` gives. */
export interface PosteriorRun {
  readonly name: string;
  readonly missing?: boolean;
  readonly samples?: number;
  readonly ess?: number;
  /** Null where samples are too few to tell. */
  readonly khat?: number | null;
  readonly parameters?: readonly {
    readonly name: string;
    readonly mean: number;
    readonly reference: number;
    /** Difference in standard errors, of ours and the reference's together. */
    readonly errors: number;
  }[];
}

const MOST_ERRORS = 4;
const TRUSTED = 0.7;

const largestError = ({ parameters = [] }: PosteriorRun): number =>
  parameters.reduce((most, { errors }) => Math.max(most, Math.abs(errors)), 0);

const isTrusted = ({ khat }: PosteriorRun): boolean => khat != null && khat < TRUSTED;

export function posteriorClaims(run: PosteriorRun): Claim[] {
  const { missing, khat, ess = 0, samples = 0 } = run;
  const most = largestError(run);
  const none = 'no reference draws';
  return [
    {
      claim: 'means as those of reference draws',
      paper: 'NUTS',
      waymark: missing ? none : `at most ${most.toFixed(1)} standard errors apart`,
      test: `all within ${MOST_ERRORS} standard errors, and weights that can be trusted`,
      met: missing ? undefined : most <= MOST_ERRORS && isTrusted(run),
    },
    {
      claim: 'weights can be trusted',
      paper: 'none',
      waymark: missing
        ? none
        : `k̂ ${khat?.toFixed(2) ?? 'unknown'}, effective sample size ${figure(ess)} of ${figure(samples)}`,
      test: `k̂ below ${TRUSTED}`,
      met: missing ? undefined : isTrusted(run),
    },
  ];
}

export function posteriorTable({ parameters = [] }: PosteriorRun): Table[] {
  const rows = parameters.map((one) => [one.name, one.mean, one.reference, one.errors]);
  if (rows.length === 0) return [];
  const head = ['parameter', 'mean', 'reference', 'standard errors'];
  return [{ name: 'means', caption: 'Means beside those of reference draws.', head, rows, fileOnly: true }];
}
