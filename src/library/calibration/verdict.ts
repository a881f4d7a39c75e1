/** The verdict of a calibration, in words. */

import type { LogScore } from './log-score.ts';
import { adjusted, type Banded, shiftTest, spreadTest, type UniformCounts } from './uniform.ts';

/** One test: how probable it is that a calibrated posterior does as badly, by itself and among all tests that were made. */
export interface Test {
  readonly p: number;
  /** By Holm's correction for all quantities and tests: below the level, the posterior is not calibrated. */
  readonly adjusted: number;
}

/** How one quantity was inferred. */
export interface QuantityCalibration {
  readonly calibrated: boolean;
  /** `calibrated`, or what is wrong: too narrow, too wide, too low, too high, or of another shape. */
  readonly finding: string;
  /** Where true values lie in their posteriors, from 0 to 1, a number for each simulation: uniform if these are right. */
  readonly ranks: readonly number[];
  /** `shape` of the whole distribution of ranks, `shift` of their mean, `spread` of their variance. */
  readonly tests: { readonly shape: Test; readonly shift: Test; readonly spread: Test };
  /** The distribution function of the ranks less the straight line, with a band for all points at once. */
  readonly ecdf: Banded;
  /** How many true values the central intervals hold, by the share that these claim to hold, with such a band. */
  readonly coverage: Banded;
  /** What the posterior knows more than the prior. */
  readonly logScore: LogScore;
}

/** Tests of each quantity. */
const TESTS = 3;

/** What is found of every quantity, from its ranks. */
export function findings(
  ranks: readonly (readonly number[])[],
  scores: readonly LogScore[],
  counts: UniformCounts,
  level: number,
): QuantityCalibration[] {
  const shifts = ranks.map(shiftTest);
  const spreads = ranks.map(spreadTest);
  const plain = ranks.flatMap((own, q) => [counts.shapeTest(own), shifts[q].p, spreads[q].p]);
  const corrected = adjusted(plain);
  return ranks.map((own, q) => {
    const test = (k: number): Test => ({ p: plain[TESTS * q + k], adjusted: corrected[TESTS * q + k] });
    const tests = { shape: test(0), shift: test(1), spread: test(2) };
    const wrong: string[] = [];
    if (tests.shift.adjusted < level) wrong.push(shifts[q].z > 0 ? 'too low' : 'too high');
    if (tests.spread.adjusted < level) wrong.push(spreads[q].z > 0 ? 'too narrow' : 'too wide');
    if (wrong.length === 0 && tests.shape.adjusted < level) wrong.push('of another shape');
    const central = own.map((u) => Math.abs(2 * u - 1));
    return {
      calibrated: wrong.length === 0,
      finding: wrong.length === 0 ? 'calibrated' : wrong.join(' and '),
      ranks: own,
      tests,
      ecdf: counts.banded(own, level, true),
      coverage: counts.banded(central, level, false),
      logScore: scores[q],
    };
  });
}

const percent = (share: number): string => `${Math.round(100 * share)} %`;

const probability = (p: number): string => (p < 0.0001 ? 'p < 0.0001' : `p = ${Number(p.toPrecision(2))}`);

/** The share of true values in central intervals that claim to hold nine tenths. */
function coverageOfNine(ranks: readonly number[]): number {
  return ranks.filter((u) => Math.abs(2 * u - 1) <= 0.9).length / ranks.length;
}

/** How far the methods' own figures can be trusted. */
export interface MethodQuality {
  /** The effective sample size of a posterior, in the median; Infinity if they are exact. */
  readonly draws: number;
  /** Where weights tell: Pareto k̂ in the median, and the share of simulations where it is above 0.7. */
  readonly khat?: { readonly median: number; readonly bad: number };
}

/** Fewer independent draws tell little of where a true value lies. */
const FEW_DRAWS = 20;

export function verdictOf(
  found: ReadonlyMap<string, QuantityCalibration>,
  simulations: number,
  level: number,
  quality: MethodQuality,
): string {
  const all = [...found];
  const wrong = all.filter(([, { calibrated }]) => !calibrated);
  const tests = `${TESTS * all.length} tests at the level ${level}, corrected for their number`;
  const words =
    wrong.length === 0
      ? [`Calibrated, as far as ${simulations} simulations tell (${tests}).`]
      : [
          `Not calibrated (${simulations} simulations, ${tests}).`,
          ...wrong.map(([name, { finding, ranks, tests: made }]) => {
            const least = Math.min(...Object.values(made).map((test) => test.adjusted));
            return `Posteriors of ${name} are ${finding}: 90 % intervals hold ${percent(coverageOfNine(ranks))} of the true values (${probability(least)}).`;
          }),
        ];
  return [...words, ...scoreAdvice(all), ...qualityAdvice(quality)].join(' ');
}

/** Worse than the prior beyond doubt: by three standard errors. */
function scoreAdvice(all: readonly (readonly [string, QuantityCalibration])[]): string[] {
  const worse = all.filter(([, { logScore }]) => logScore.gain < -3 * logScore.se && logScore.gain < -0.01);
  return worse.map(([name]) => `Of ${name} the posterior knows less than the prior.`);
}

function qualityAdvice({ draws, khat }: MethodQuality): string[] {
  const advice: string[] = [];
  if (draws < FEW_DRAWS) {
    advice.push(
      `A posterior is worth ${draws.toFixed(1)} independent draws in the median, which is few: raise its samples.`,
    );
  }
  if (khat !== undefined && khat.bad > 0.1) {
    advice.push(
      `Pareto k̂ is above 0.7 in ${percent(khat.bad)} of the simulations: weights are not to be trusted there. Train the guides further, or draw more samples.`,
    );
  }
  return advice;
}

/** The result as `display` shows it: the verdict, and a row for each quantity. */
export function calibrationRows(found: ReadonlyMap<string, QuantityCalibration>): string[][] {
  const rows = [...found].map(([name, { finding, ranks, tests, logScore }]) => [
    name,
    percent(coverageOfNine(ranks)),
    probability(Math.min(...Object.values(tests).map((test) => test.adjusted))),
    `${logScore.gain.toFixed(2)} ± ${logScore.se.toFixed(2)}`,
    finding,
  ]);
  return [['quantity', '90 % holds', 'corrected', 'nats over prior', 'finding'], ...rows];
}
