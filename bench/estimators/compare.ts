/**
 * Rules for gradients, program by program: how far the mean of many estimates is from the exact gradient, in standard errors,
 * and what is left of the variance after one second of CPU time spent on estimates (variance of one, times seconds for one).
 * All of it is done in several rounds with other random numbers: where two rules are compared, the spread of their ratio over rounds says how
 * well it is known. Each round has all rules, one after the other, so that no rule pays alone for what V8 compiles.
 *
 * Parameters stand still. What rules remember of earlier steps (the running mean, NVIL's network) is then as good as it can be, and
 * better than while parameters move: where such a rule is ahead of one that needs no memory, that is said apart.
 *
 * ESTIMATOR_STEPS says how many steps each takes (500 if it is not set: two minutes in all), and ESTIMATOR_PROGRAMS what the names of programs have in them.
 */
import { test } from 'vitest';
import { exactGradient } from '../../test/optimize/exact-elbo.ts';
import {
  gradientMoments,
  type Moments,
  modelOf,
  tableOf,
  totalVariance,
} from '../../test/optimize/gradient-samples.ts';
import { RULE_PROGRAMS, withRule } from '../../test/optimize/rule-programs.ts';
import { VECTOR_PROGRAMS } from '../../test/optimize/vector-programs.ts';
import { LARGER_PROGRAMS } from './programs.ts';

const STEPS = Number(process.env.ESTIMATOR_STEPS ?? 500);
const WARM_UP = 30;
const ROUNDS = 5;
/** Less than this is rounding. */
const NOTHING = 1e-17;
/** Further from the best than this is worth a word. */
const FACTOR = 2;

interface Way {
  readonly name: string;
  readonly rule: string;
  readonly samples: number;
  readonly gradients: 'named' | 'automatic';
  /** It subtracts what it has learned from earlier steps. */
  readonly remembers?: true;
}

const WAYS: readonly Way[] = [
  { name: 'default', rule: '', samples: 1, gradients: 'automatic' },
  { name: 'default × 4', rule: '', samples: 4, gradients: 'automatic' },
  { name: 'score', rule: 'score', samples: 1, gradients: 'named', remembers: true },
  { name: 'score × 4', rule: 'score', samples: 4, gradients: 'named', remembers: true },
  { name: 'leaveOneOut × 4', rule: 'leaveOneOut', samples: 4, gradients: 'named' },
  { name: 'enumerate', rule: 'enumerate', samples: 1, gradients: 'named' },
  { name: 'measure', rule: 'measure', samples: 1, gradients: 'named' },
  { name: 'NVIL', rule: 'nvil', samples: 1, gradients: 'named', remembers: true },
  { name: 'MuProp', rule: 'muprop', samples: 1, gradients: 'named' },
  { name: 'REBAR', rule: 'rebar', samples: 1, gradients: 'named' },
];

interface Measured {
  /** In standard errors; undefined where the exact gradient is not known. */
  readonly bias: number | undefined;
  /** Variance after a second of CPU time. */
  readonly variance: number;
  /** The same in each round. */
  readonly rounds: readonly number[];
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);

function biasOf(gradients: Map<string, Moments>, exact: Map<string, Float64Array> | undefined): number | undefined {
  if (exact === undefined) return undefined;
  let most = 0;
  for (const [name, slopes] of exact) {
    const { mean, standardError } = gradients.get(name)!;
    slopes.forEach((slope, k) => {
      const error = Math.abs(mean[k] - slope);
      if (error > 1e-6) most = Math.max(most, error / standardError[k]);
    });
  }
  return most;
}

interface Round {
  /** Of one estimate. */
  readonly variance: number;
  /** For one estimate. */
  readonly seconds: number;
}

/** A rule in a program, ready to be measured. */
interface Trial {
  readonly bias: number | undefined;
  readonly variance: number;
  round(number: number): Round;
}

async function trialOf(
  text: string,
  { samples, gradients: how }: Way,
  params: object,
  exact: Map<string, Float64Array> | undefined,
): Promise<Trial> {
  const model = await modelOf(text);
  const table = tableOf(params as never);
  const estimates = (steps: number, first: number): Map<string, Moments> =>
    gradientMoments(model, table, { samples }, steps, { warmUp: WARM_UP, first, gradients: how }).gradients;
  const gradients = estimates(STEPS, 0);
  const each = Math.ceil(STEPS / ROUNDS);
  return {
    bias: biasOf(gradients, exact),
    variance: totalVariance(gradients),
    round(number) {
      const start = process.cpuUsage();
      const found = estimates(each, (number + 1) * (STEPS + WARM_UP));
      const { user, system } = process.cpuUsage(start);
      return { variance: totalVariance(found), seconds: (user + system) / 1e6 / (each + WARM_UP) };
    },
  };
}

/** All ways that a program has, in rounds. */
async function measureAll(
  code: string,
  params: object,
  exact: Map<string, Float64Array> | undefined,
): Promise<(Measured | undefined)[]> {
  const trials: (Trial | undefined)[] = [];
  for (const way of WAYS) {
    const text = textFor(code, way);
    trials.push(text === undefined ? undefined : await trialOf(text, way, params, exact));
  }
  const rounds = Array.from({ length: ROUNDS }, (_, number) => trials.map((trial) => trial?.round(number)));
  return trials.map((trial, k) => {
    if (trial === undefined) return undefined;
    const own = rounds.map((round) => round[k]!);
    // The least of all rounds: nobody is to pay for a busy machine.
    const seconds = Math.min(...own.map((round) => round.seconds));
    return {
      bias: trial.bias,
      variance: trial.variance * seconds,
      rounds: own.map((round) => round.variance * round.seconds),
    };
  });
}

/** How many times larger what is left of the variance is, and the standard error of that, from the rounds. */
function ratioOf(ours: Measured, theirs: Measured): { readonly ratio: number; readonly error: number } {
  const logs = ours.rounds.map((own, i) => Math.log(own / theirs.rounds[i]));
  const mean = logs.reduce((sum, log) => sum + log, 0) / ROUNDS;
  const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (ROUNDS - 1);
  const ratio = ours.variance / theirs.variance;
  return { ratio, error: ratio * Math.sqrt(variance / ROUNDS) };
}

/** The program for a way; undefined if it has no such choices. */
function textFor(code: string, { rule }: Way): string | undefined {
  return rule === '' ? code.replaceAll(/RULE|ANY|VECTOR/g, 'noAutoGuide: true') : withRule(code, rule);
}

const figure = ({ bias, variance }: Measured): string =>
  `${variance < NOTHING ? 'exact' : variance.toExponential(1)}${bias === undefined ? '' : ` (${bias.toFixed(1)})`}`;

/** Cases in which a rule is more than so many times better than the default. */
interface Cases {
  readonly worse: string[];
  /** The better rule knows something of earlier steps. */
  readonly remembered: string[];
  /** Less than two standard errors beyond it. */
  readonly unsure: string[];
}

/** How many executions a step has is up to the program: the default is held to rules with as many. */
function compare(name: string, own: number, found: readonly (Measured | undefined)[], cases: Cases): void {
  const ours = found[own]!;
  if (ours.variance < NOTHING) return;
  const better = WAYS.flatMap((way, k) => {
    const theirs = found[k];
    if (theirs === undefined || way.samples !== WAYS[own].samples) return [];
    return ours.variance > FACTOR * theirs.variance ? [{ way, theirs }] : [];
  }).sort((a, b) => a.theirs.variance - b.theirs.variance);
  // One that is as good without a memory says more than one with it.
  const best = better.find(({ way }) => way.remembers === undefined) ?? better[0];
  if (best === undefined) return;
  const { way, theirs } = best;
  const which = `${name}, ${WAYS[own].name}: ${way.name}`;
  if (theirs.variance < NOTHING) cases.worse.push(`${which} leaves nothing to chance`);
  else {
    const { ratio, error } = ratioOf(ours, theirs);
    const { worse, remembered, unsure } = cases;
    const kind = ratio - 2 * error <= FACTOR ? unsure : way.remembers ? remembered : worse;
    kind.push(`${which} is ${ratio.toFixed(1)} ± ${error.toFixed(1)} times better`);
  }
}

test('rules for gradients', async () => {
  const rows: string[][] = [['program', ...WAYS.map(({ name }) => name)]];
  const cases: Cases = { worse: [], remembered: [], unsure: [] };
  const programs = [
    ...Object.entries(LARGER_PROGRAMS).map(([name, program]) => ({ name, ...program, small: false })),
    ...Object.entries({ ...RULE_PROGRAMS, ...VECTOR_PROGRAMS }).map(([name, program]) => ({
      name,
      ...program,
      small: true,
    })),
  ].filter(({ name }) => name.includes(process.env.ESTIMATOR_PROGRAMS ?? ''));
  for (const [i, { name, code, params, small }] of programs.entries()) {
    const plain = await modelOf(withRule(code, 'score')!);
    const exact = small ? exactGradient(plain, tableOf(params)) : undefined;
    const found = await measureAll(code, params, exact);
    for (const own of [0, 1]) compare(name, own, found, cases);
    rows.push([name, ...found.map((one) => (one === undefined ? '' : figure(one)))]);
    say(`${i + 1} of ${programs.length}: ${rows[i + 1].join(' | ')}`);
  }
  say('\nVariance of the gradient after a second of CPU time; in brackets how many standard errors the mean is off:');
  for (const row of rows) say(`| ${row.join(' | ')} |`);
  const { worse, remembered, unsure } = cases;
  const list = (title: string, lines: readonly string[]): void => say([`\n${title}`, ...lines].join('\n  '));
  list(
    `The default is not the best by more than ${FACTOR} times in ${worse.length} cases, in ${programs.length} programs:`,
    worse,
  );
  list(
    `In ${remembered.length} more only by what is known of earlier steps, at parameters that stand still:`,
    remembered,
  );
  list(`In ${unsure.length} more it may be as well within ${FACTOR} times, by two standard errors:`, unsure);
});
