/**
 * Rows in models of `Optimize`, in lifted text: what executions found is read off the objective and its slope. Guides
 * are what the choices are drawn from, so that the objective is a sum of factors; each adds to the digest of what a row was
 * worth a number that tells which choices were made. The parameter `shift` is added to every `x`.
 */
import type { Model } from '../../../src/inference/algorithm.ts';
import { elbo } from '../../../src/optimize/elbo.ts';
import { PackedParameters } from '../../../src/optimize/packed-parameters.ts';
import { loadProgram } from '../../../src/program/load.ts';
import { Entry } from '../../../src/runtime/execution.ts';
import { ParameterTable } from '../../../src/runtime/parameters.ts';
import { sgd } from '../../../src/tensor/optimisers.ts';
import { quietRun } from '../../program/quiet-run.ts';
import { digestOf } from './digest.ts';
import { type Chosen, COMBINATIONS, functionText, isDrawn, PRELUDE, plain } from './row.ts';

export interface OptimisingWay {
  readonly sequential?: boolean;
  readonly compiled: boolean;
  readonly steps: number;
  /** Where `k` and `b` are from: data, choices of each datum, or choices of the execution. */
  readonly from: 'data' | 'choices of data' | 'choices';
  readonly samples?: number;
}

export const OPTIMISING: Readonly<Record<string, OptimisingWay>> = {
  'Optimize, data': { from: 'data', compiled: true, steps: 3 },
  'Optimize, data, sequential': { from: 'data', compiled: false, steps: 1, sequential: true },
  'Optimize, choices of data': { from: 'choices of data', compiled: true, steps: 4 },
  'Optimize, choices of data, sequential': { from: 'choices of data', compiled: true, steps: 2, sequential: true },
  'Optimize, choices': { from: 'choices', compiled: true, steps: 8 },
  'Optimize, choices, sequential': { from: 'choices', compiled: false, steps: 5, sequential: true },
  'Optimize, samples': { from: 'choices', compiled: true, steps: 3, samples: 4 },
};

/** So that no `x` is at a jump of what is rounded. */
const SHIFT = 0.3137;
const realOf = ({ k, b }: Omit<Chosen, 'x'>): number => 0.85 * k - (b ? 0.9 : 0.25);
const REAL_TEXT = '0.85 * k - (b ? 0.9 : 0.25)';
const casesAt = (shift: number): readonly Chosen[] =>
  COMBINATIONS.map((pair) => ({ ...pair, x: realOf(pair) + shift }));
const CASES = casesAt(SHIFT);
/** How many data, or samples, make choices. */
const MOST = 4;
/** The digit of a combination is the number of executions that made it. */
const UNIT = 1e4;
const unitOf = (i: number): number => UNIT * (MOST + 1) ** i;
const weightOf = (i: number): number => 1 + 0.37 * i;

const DATA = JSON.stringify(CASES.map(({ k, b }, i) => ({ k, b, x: realOf({ k, b }), weight: weightOf(i) })));
const CHOICES = `var k = sample(RandomInteger({n: 3}), {guide: Discrete({ps: [1, 1, Math.exp(slope)]})});
    var b = sample(Bernoulli({p: 0.5}), {guide: Bernoulli({p: sigmoid(slope)})});
    var x = shift + (${REAL_TEXT});`;
const DRAWN = CHOICES.replace(
  /var k = .*/,
  `var d = sample(Categorical({vs: objects}), {guide: Categorical({vs: objects, ps: [1, 1, Math.exp(slope)]})});
    var k = d.n - 1;`,
);
const COUNTED = `${UNIT} * Math.pow(${MOST + 1}, 2 * k + (b ? 1 : 0))`;

function programOf(rows: readonly string[], { from }: OptimisingWay): string {
  const models = rows.map((code, i) => {
    const digest = digestOf(code, CASES).text;
    const choices = isDrawn(code) ? DRAWN : CHOICES;
    const call = `row${i}(k, b, x, ${isDrawn(code) ? 'd' : 'undefined'})`;
    const bodies = {
      data: `mapData({data: DATA}, function(d) { var v = row${i}(d.k, d.b, shift + d.x, d.d); factor(d.weight * (${digest})); });`,
      'choices of data': `mapData({data: [1, 2, 3, 4]}, function(y) {
    ${choices}
    var v = ${call}; factor(${digest} + ${COUNTED}); });`,
      choices: `${choices} var v = ${call}; factor(${digest} + ${COUNTED});`,
    };
    return `
var row${i} = ${functionText(code)};
var model${i} = function() {
  var shift = modelParam({name: 'shift', mu: ${SHIFT}, sigma: 0});
  var slope = param({name: 'slope', mu: 0, sigma: 0});
  ${bodies[from]}
};`;
  });
  return `${PRELUDE}var DATA = ${DATA}.map(function(d) { return {...d, d: objects[d.k]}; });${models.join('\n')}\n[${rows.map((_, i) => `model${i}`).join(', ')}]`;
}

const OPTIONS = {
  ...{ avgBaselines: true, avgBaselineDecay: 0.9, localWeights: true, removeZeroExpectation: true },
  ...{ dumpGraph: false, debugWeights: false },
};

/** What is wrong with each row, if anything is. */
export async function optimiseRows(rows: readonly string[], way: OptimisingWay): Promise<(string | undefined)[]> {
  const program = await loadProgram({ code: programOf(rows, way) });
  const engine = { sequential: way.sequential ?? false, precision: 'double' as const };
  const models = program.run({ ...quietRun(5), engine }) as Model<unknown>[];
  return rows.map((code, i) => {
    try {
      return wrongWith(code, models[i], way);
    } catch (thrown) {
      return `fails: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
    }
  });
}

function wrongWith(code: string, model: Model<unknown>, way: OptimisingWay): string | undefined {
  const { samples = 1, compiled, steps, from } = way;
  const table = new ParameterTable();
  const packed = new PackedParameters(table, sgd(), 0);
  const estimate = elbo.start(model, new Entry(table), { ...OPTIONS, samples }, packed, { steady: compiled, steps });
  const executions = from === 'data' ? 1 : from === 'choices' ? samples : MOST;
  const summed = samples > 1 ? samples : 1;
  for (let step = 0; step < steps; step++) {
    const { objective, gradients } = estimate(step);
    if (gradients !== 'packed') packed.take(gradients);
    const slope = packed.gradientOf('shift')[0];
    const counts = from === 'data' ? CASES.map((_, i) => weightOf(i)) : countsIn(objective * summed, executions);
    if (counts === undefined) return `step ${step}: the objective is ${objective}, which no choices explain`;
    const expected = sumOf(counts, digestsAt(code, SHIFT));
    const found = from === 'data' ? objective : objective * summed - unitsOf(counts);
    if (!near(found, expected)) return `step ${step}: the objective is ${found}, not ${expected}`;
    const wrong = wrongSlope(code, counts, slope * summed);
    if (wrong !== undefined) return `step ${step}: ${wrong}`;
    // The parameters stay where they are: they move by nothing.
    packed.move(step, 0, 1);
  }
  estimate.end?.();
  return undefined;
}

function digestsAt(code: string, shift: number): number[] {
  const digest = digestOf(code, CASES);
  return casesAt(shift).map((chosen) => digest.of(plain(code)(chosen)));
}

/** By differences of what Node computes. Gradients point downhill. */
function wrongSlope(code: string, counts: readonly number[], found: number): string | undefined {
  const step = 1e-5;
  const above = digestsAt(code, SHIFT + step);
  const below = digestsAt(code, SHIFT - step);
  const smooth = digestOf(code, CASES).smooth;
  const expected = smooth ? (sumOf(counts, above) - sumOf(counts, below)) / (2 * step) : 0;
  const distance = Math.abs(-found - expected);
  return distance < 1e-4 * Math.max(1, Math.abs(expected)) ? undefined : `the gradient is ${-found}, not ${expected}`;
}

/** How often each combination was chosen, from the digits of the sum. */
function countsIn(sum: number, executions: number): number[] | undefined {
  const counts: number[] = [];
  let left = sum;
  for (let i = COMBINATIONS.length - 1; i >= 0; i--) {
    const count = Math.floor((left + UNIT / 2) / unitOf(i));
    counts[i] = count;
    left -= count * unitOf(i);
  }
  return counts.reduce((a, n) => a + n, 0) === executions ? counts : undefined;
}

const unitsOf = (counts: readonly number[]): number =>
  sumOf(
    counts,
    counts.map((_, i) => unitOf(i)),
  );
const sumOf = (counts: readonly number[], values: readonly number[]): number =>
  counts.reduce((total, count, i) => total + (count === 0 ? 0 : count * values[i]), 0);
const near = (found: number, expected: number): boolean =>
  Math.abs(found - expected) <= 1e-6 * Math.max(1, Math.abs(expected));
