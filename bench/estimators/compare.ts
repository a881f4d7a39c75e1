/**
 * Rules for gradients, program by program: how far the mean of many estimates is from the exact gradient, in standard errors,
 * and what is left of the variance after one second of CPU time spent on estimates (variance of one, times seconds for one).
 * All of it is done in several rounds with other random numbers: where two rules are compared, the spread of their ratio over rounds says how
 * well it is known. ESTIMATOR_STEPS says how many steps each takes (2000 if it is not set), and ESTIMATOR_PROGRAMS what the names of programs have in them.
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

const STEPS = Number(process.env.ESTIMATOR_STEPS ?? 2000);
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
}

const WAYS: readonly Way[] = [
  { name: 'default', rule: '', samples: 1, gradients: 'automatic' },
  { name: 'default × 4', rule: '', samples: 4, gradients: 'automatic' },
  { name: 'score', rule: 'score', samples: 1, gradients: 'named' },
  { name: 'score × 4', rule: 'score', samples: 4, gradients: 'named' },
  { name: 'leaveOneOut × 4', rule: 'leaveOneOut', samples: 4, gradients: 'named' },
  { name: 'enumerate', rule: 'enumerate', samples: 1, gradients: 'named' },
  { name: 'measure', rule: 'measure', samples: 1, gradients: 'named' },
  { name: 'NVIL', rule: 'nvil', samples: 1, gradients: 'named' },
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

async function measure(
  text: string,
  way: Way,
  params: object,
  exact: Map<string, Float64Array> | undefined,
): Promise<Measured> {
  const model = await modelOf(text);
  const table = tableOf(params as never);
  const { samples, gradients: how } = way;
  // Once to have everything compiled.
  gradientMoments(model, table, { samples }, 2, { warmUp: WARM_UP, gradients: how });
  const { gradients } = gradientMoments(model, table, { samples }, STEPS, { warmUp: WARM_UP, gradients: how });
  const each = Math.ceil(STEPS / ROUNDS);
  const timed = Array.from({ length: ROUNDS }, (_, round) => {
    const start = process.cpuUsage();
    const first = (round + 1) * (STEPS + WARM_UP);
    const found = gradientMoments(model, table, { samples }, each, { warmUp: WARM_UP, first, gradients: how });
    const { user, system } = process.cpuUsage(start);
    return { variance: totalVariance(found.gradients), seconds: (user + system) / 1e6 / (each + WARM_UP) };
  });
  // The least of all rounds: the first to run a program is not to pay for V8's compiling, nor anyone for a busy machine.
  const seconds = Math.min(...timed.map((round) => round.seconds));
  const rounds = timed.map((round) => round.variance * round.seconds);
  return { bias: biasOf(gradients, exact), variance: totalVariance(gradients) * seconds, rounds };
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

test('rules for gradients', async () => {
  const rows: string[][] = [['program', ...WAYS.map(({ name }) => name)]];
  const worse: string[] = [];
  const unsure: string[] = [];
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
    const found: (Measured | undefined)[] = [];
    for (const way of WAYS) {
      const text = textFor(code, way);
      found.push(text === undefined ? undefined : await measure(text, way, params, exact));
    }
    // How many executions a step has is up to the program: the default is held to rules with as many.
    for (const own of [0, 1]) {
      const alike = (k: number): boolean => WAYS[k].samples === WAYS[own].samples;
      const best = found.reduce(
        (a, b, k) => (b !== undefined && alike(k) && b.variance < found[a]!.variance ? k : a),
        own,
      );
      const [ours, theirs] = [found[own]!, found[best]!];
      if (ours.variance < NOTHING || ours.variance <= FACTOR * theirs.variance) continue;
      const which = `${name}, ${WAYS[own].name}: ${WAYS[best].name}`;
      if (theirs.variance < NOTHING) worse.push(`${which} leaves nothing to chance`);
      else {
        const { ratio, error } = ratioOf(ours, theirs);
        const text = `${which} is ${ratio.toFixed(1)} ± ${error.toFixed(1)} times better`;
        (ratio - 2 * error > FACTOR ? worse : unsure).push(text);
      }
    }
    rows.push([name, ...found.map((one) => (one === undefined ? '' : figure(one)))]);
    say(`${i + 1} of ${programs.length}: ${rows[i + 1].join(' | ')}`);
  }
  say('\nVariance of the gradient after a second of CPU time; in brackets how many standard errors the mean is off:');
  for (const row of rows) say(`| ${row.join(' | ')} |`);
  say(
    `\nThe default is not the best by more than ${FACTOR} times in ${worse.length} cases, in ${programs.length} programs:`,
  );
  for (const line of worse) say(`  ${line}`);
  say(`\nIn ${unsure.length} more cases it may be as well within ${FACTOR} times, by two standard errors:`);
  for (const line of unsure) say(`  ${line}`);
});
