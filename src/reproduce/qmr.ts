/** Section 6.2: diagnosis networks (QMR-DT). */
import { barFigure } from './bars.ts';
import type { Chapter, Claim } from './chapter.ts';
import { curveFigure, learningCurves } from './curves.ts';
import type { Condition, Experiment, Findings, Scale } from './experiment.ts';
import { figure, percent } from './numbers.ts';
import { ending, mean } from './statistics.ts';

interface DiagnosisRun {
  readonly history: readonly number[];
  /** Scores of predicted effects, with causes from the prior and from the guide. */
  readonly prior?: number;
  readonly guide?: number;
}

const STEPS = { full: 10_000, quick: 300 };
const DRAWS = { full: 100, quick: 5 };
/** A guide with a recurrent unit takes long to draw from. */
const GRU_DRAWS = 20;

const condition = (
  name: string,
  label: string,
  program: string,
  stepSize: number,
  reductions: string,
  cost: number,
  draws = DRAWS.full,
): Condition => ({
  name,
  label,
  program,
  args: { stepSize, reductions, draws },
  quickArgs: { draws: DRAWS.quick },
  steps: STEPS,
  cost,
});

export const qmr: Experiment<DiagnosisRun> = {
  name: 'qmr',
  title: 'QMR-DT',
  origin: 'section 6.2',
  runs: { full: 1, quick: 1 },
  conditions: [
    condition('no-reduction', 'amortized, no variance reduction', 'joint', 1e-5, 'none', 8),
    condition('local-weights', '+ local weights', 'joint', 1e-3, 'local', 8),
    condition('baselines', '+ baselines (joint guide)', 'joint', 1e-2, 'all', 8),
    condition('mean-field', 'mean field', 'mean-field', 1e-2, 'all', 28),
    condition('factored', 'factored', 'factored', 1e-2, 'all', 12),
    condition('gru', 'factored + GRU', 'gru', 1e-2, 'all', 25, GRU_DRAWS),
  ],
  dataArguments: () => ({}),
  chapter,
};

const drawsOf = (scale: Scale): string =>
  scale === 'full' ? `${DRAWS.full} draws, from the guide with GRU ${GRU_DRAWS},` : `${DRAWS.quick} draws`;

function chapter({ runs, scale }: Findings<DiagnosisRun>): Chapter {
  const curves = (names: readonly string[]) =>
    learningCurves(
      qmr.conditions.filter(({ name }) => names.includes(name)),
      runs,
    );
  const objective = 'ELBO of 1000 cases';
  const caption = 'Each point is the mean of the steps around it.';
  const [reductions, reductionsTable] = curveFigure(
    { name: 'elbo-variance-reduction', caption, objective },
    curves(['no-reduction', 'local-weights', 'baselines', 'mean-field']),
  );
  const [guides, guidesTable] = curveFigure(
    { name: 'elbo-guides', caption, objective },
    curves(['baselines', 'factored', 'gru']),
  );
  const judged = qmr.conditions.filter(({ name }) => ['baselines', 'factored', 'gru'].includes(name));
  const [scores, scoresTable] = barFigure(
    {
      name: 'active-effects',
      caption: `${drawsOf(scale)} for each of 100 test cases.`,
      measure: 'active effects predicted',
    },
    [
      { label: 'prior', values: runs.baselines.map(({ prior }) => prior as number) },
      ...judged.map(({ name, label }) => ({ label, values: runs[name].map(({ guide }) => guide as number) })),
    ],
  );
  return {
    figures: [reductions, guides, scores],
    tables: [reductionsTable, guidesTable, scoresTable],
    claims: claims(runs),
    remarks: [],
  };
}

/** Shares of the gain with all reductions: below the one there is no progress, above the other there is. */
const NO_PROGRESS = 0.05;
const PROGRESS = 0.5;

function claims(runs: Findings<DiagnosisRun>['runs']): Claim[] {
  const finals = (name: string) => mean(runs[name].map(({ history }) => ending(history)));
  const starts = (name: string) => mean(runs[name].map(({ history }) => mean(history.slice(0, 10))));
  const [none, local, all, meanField, gru] = ['no-reduction', 'local-weights', 'baselines', 'mean-field', 'gru'].map(
    finals,
  );
  const start = starts('no-reduction');
  const gain = (final: number) => (final - start) / (all - start);
  const prior = mean(runs.baselines.map((run) => run.prior as number));
  const guide = mean(runs.baselines.map((run) => run.guide as number));
  return [
    {
      claim: 'without variance reduction there is no progress',
      paper: '−250,000 before and after',
      waymark: `${figure(start)} before, ${figure(none)} after`,
      test: `the gain is below ${percent(NO_PROGRESS)} of that with all reductions`,
      met: gain(none) < NO_PROGRESS,
    },
    {
      claim: 'local weights make progress',
      paper: '−68,000',
      waymark: `${figure(local)}, ${percent(gain(local))} of the gain with all reductions`,
      test: `the gain is above ${percent(PROGRESS)} of that with all reductions`,
      met: gain(local) > PROGRESS,
    },
    {
      claim: 'with baselines it is best',
      paper: '−48,000',
      waymark: figure(all),
      test: 'the final ELBO is above those with fewer reductions and of mean field',
      met: all > local && all > none && all > meanField,
    },
    {
      claim: 'mean field is slow',
      paper: '−145,000',
      waymark: figure(meanField),
      test: 'after as many steps its ELBO is below that of the amortized guides with local weights and with baselines',
      met: meanField < local && meanField < all,
    },
    {
      claim: 'the guide predicts at least twice as many active effects as the prior',
      paper: '0.45 against 0.18',
      waymark: `${figure(guide, 2)} against ${figure(prior, 2)}`,
      test: 'the score of the guide is at least twice that of the prior',
      met: guide >= 2 * prior,
    },
    {
      claim: 'factored + GRU is at least level with the joint guide',
      paper: 'slightly better; both −47,000',
      waymark: `${figure(gru)} against ${figure(all)}`,
      test: 'its final ELBO is not below that of the joint guide by more than 1 %',
      met: gru >= all - 0.01 * Math.abs(all),
    },
  ];
}
