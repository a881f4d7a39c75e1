/** Rows under methods that sample or enumerate: every execution tells its choices and what the row was worth. */
import { loadProgram } from '../../../src/program/load.ts';
import { quietRun } from '../../program/quiet-run.ts';
import { alike, type Chosen, functionText, isDrawn, PRELUDE, plain, shown } from './row.ts';

export interface SamplingWay {
  readonly method: string;
  readonly sequential?: boolean;
  /** What `x` is drawn from; a few values if there is nothing. */
  readonly real?: string;
  /** What to write for the choices, if not the usual. */
  readonly choices?: string;
  /** Whether the weights of executions are known: they are what factors say. */
  readonly weighs?: 'evidence' | 'probabilities';
}

const REAL = 'gaussian(0, 1)';
const FEW = 'uniformDraw([-0.7, 0.4, 1.5])';
const PLACED = `var x = ${REAL}; var k = x > 0.6 ? 2 : x > -0.4 ? 1 : 0; var b = x * x > 0.5;`;
/** So many executions that the paths are recorded. */
const MANY = `var z = randomInteger(120); var k = randomInteger(3); var b = flip(0.4); var x = ${FEW};`;

/** Choices with guides that have parameters, and a parameter in what is made of them. */
const GUIDED = `var slope = param({name: 'slope', mu: 0.2, sigma: 0});
  var k = sample(RandomInteger({n: 3}), {guide: Discrete({ps: [1, 1, Math.exp(slope)]})});
  var b = sample(Bernoulli({p: 0.4}), {guide: Bernoulli({p: sigmoid(slope)})});
  var x = param({name: 'shift', mu: 0.1, sigma: 0}) + sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: slope, sigma: 1})});`;

export const SAMPLING: Readonly<Record<string, SamplingWay>> = {
  forward: { method: "method: 'forward', samples: 30" },
  importance: { method: "method: 'importance', samples: 30", weighs: 'evidence' },
  'importance, sequential': { method: "method: 'importance', samples: 12", weighs: 'evidence', sequential: true },
  'forward, guided': { method: "method: 'forward', samples: 30, guide: true", choices: GUIDED },
  'importance, guided': { method: "method: 'importance', samples: 30", choices: GUIDED },
  rejection: { method: "method: 'rejection', samples: 20, maxScore: 0" },
  SMC: { method: "method: 'SMC', particles: 30" },
  'SMC, rejuvenated': { method: "method: 'SMC', particles: 20, rejuvSteps: 2" },
  MH: { method: "method: 'MCMC', samples: 600" },
  'MH, sequential': { method: "method: 'MCMC', samples: 60", sequential: true },
  enumerate: { method: "method: 'enumerate'", choices: MANY, weighs: 'probabilities' },
  'enumerate, sequential': { method: "method: 'enumerate'", real: FEW, weighs: 'probabilities', sequential: true },
  'enumerate, likely first': {
    method: "method: 'enumerate', strategy: 'likelyFirst', maxExecutions: 100",
    real: FEW,
    weighs: 'probabilities',
  },
  NUTS: { method: "method: 'MCMC', kernel: 'NUTS', samples: 12, burn: 5, chains: 1", choices: PLACED },
  'NUTS, sequential': {
    method: "method: 'MCMC', kernel: 'NUTS', samples: 6, burn: 3, chains: 1",
    choices: PLACED,
    sequential: true,
  },
  'NUTS with discrete choices': { method: "method: 'MCMC', kernel: 'NUTS', samples: 12, burn: 5, chains: 1" },
  HMC: {
    method: "method: 'MCMC', kernel: {HMC: {steps: 3, stepSize: 0.3}}, samples: 12, burn: 5, chains: 1",
    choices: PLACED,
  },
};

/** A weight by numbers and truth values; others have none. Some factor comes before the row, some after it. */
interface Weight {
  readonly text: string;
  of(value: unknown): number;
}

const CASES: readonly Chosen[] = [0, 1, 2].flatMap((k) =>
  [false, true].flatMap((b) => [-1.7, -0.7, 0.4, 1.5].map((x) => ({ k, b, x }))),
);

function weightOf(code: string): Weight {
  const values = CASES.map((chosen) => plain(code)(chosen));
  if (values.every((value) => typeof value === 'boolean')) {
    return { text: 'v ? -0.2 : -1.1', of: (value) => (value ? -0.2 : -1.1) };
  }
  if (values.every((value) => typeof value === 'number' && !Number.isNaN(value))) {
    return { text: 'Math.atan(v) - 2', of: (value) => Math.atan(value as number) - 2 };
  }
  return { text: '-0.4', of: () => -0.4 };
}

/** The same choices, but for that of a number, which is one of an object. */
const drawnBy = (choices: string): string =>
  choices.includes('randomInteger(3)')
    ? choices.replace('var k = randomInteger(3);', 'var d = uniformDraw(objects); var k = d.n - 1;')
    : `${choices} var d = objects[k];`;

function programOf(rows: readonly string[], way: SamplingWay): string {
  const choices = way.choices ?? `var k = randomInteger(3); var b = flip(0.4); var x = ${way.real ?? REAL};`;
  const lines = rows.map(
    (code, i) => `
var row${i} = ${functionText(code)};
var model${i} = function() {
  ${isDrawn(code) ? drawnBy(choices) : choices}
  factor(b ? -0.1 : -0.6);
  var v = row${i}(k, b, x, ${isDrawn(code) ? 'd' : 'undefined'});
  factor(${weightOf(code).text});
  return {k: k, b: b, x: x, v: v};
};
let found${i};
try { found${i} = Infer({${way.method}, model: model${i}}); } catch (e) { found${i} = {failed: e.message}; }`,
  );
  return `${PRELUDE}${lines.join('\n')}\n[${rows.map((_, i) => `found${i}`).join(', ')}]`;
}

interface Result {
  readonly failed?: string;
  readonly samples?: readonly { readonly value: Chosen & { readonly v: unknown } }[];
  readonly logZ?: number;
  support(): readonly (Chosen & { readonly v: unknown })[];
  score(value: unknown): number;
}

/** What is wrong with each row, by its text; and how each was run. */
export async function sampleRows(rows: readonly string[], way: SamplingWay): Promise<(string | undefined)[]> {
  const program = await loadProgram({ code: programOf(rows, way) });
  const run = { ...quietRun(7), engine: { sequential: way.sequential ?? false } };
  const results = program.run(run) as Result[];
  return rows.map((code, i) => {
    const { failed } = results[i];
    if (failed !== undefined) return `fails: ${failed}`;
    return wrongWith(code, results[i], way);
  });
}

function wrongWith(code: string, result: Result, { weighs }: SamplingWay): string | undefined {
  const values = weighs === 'probabilities' ? result.support() : result.samples!.map(({ value }) => value);
  const checked = new Set<unknown>();
  for (const value of values) {
    if (checked.has(value)) continue;
    checked.add(value);
    const { k, b, x, v } = value;
    const expected = plain(code)({ k, b, x });
    if (!alike(v, expected)) {
      return `gives ${shown(v)}, not ${shown(expected)}, where k = ${k}, b = ${b}, x = ${x}`;
    }
  }
  const weight = weightOf(code);
  const total = ({ k, b, x }: Chosen): number => (b ? -0.1 : -0.6) + weight.of(plain(code)({ k, b, x }));
  if (weighs === 'evidence') return apart('logZ', result.logZ!, Math.log(mean(values.map((c) => Math.exp(total(c))))));
  if (weighs === 'probabilities') {
    const prior = ({ b }: Chosen): number => (b ? 0.4 : 0.6);
    const masses = values.map((chosen) => prior(chosen) * Math.exp(total(chosen)));
    const all = masses.reduce((a, mass) => a + mass, 0);
    if (values.length !== 18) return `finds ${values.length} of 18 executions`;
    for (const [i, value] of values.entries()) {
      const wrong = apart(`the probability of ${shown(value)}`, Math.exp(result.score(value)), masses[i] / all);
      if (wrong !== undefined) return wrong;
    }
  }
  return undefined;
}

const mean = (numbers: readonly number[]): number => numbers.reduce((a, x) => a + x, 0) / numbers.length;

function apart(what: string, found: number, expected: number): string | undefined {
  return Math.abs(found - expected) < 1e-9 ? undefined : `${what} is ${found}, not ${expected}`;
}
