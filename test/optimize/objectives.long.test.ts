/** Every objective with everything that steps know: minibatches, lanes, compiled steps, checkpoints, parameters of the model, data of any structure. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { numbersOf, runProgram } from './run-optimize.ts';

const OBJECTIVES = [
  "'ELBO'",
  '{ELBO: {samples: 2}}',
  '{IWAE: {samples: 3}}',
  '{EUBO: {traces: traces, batchSize: 2}}',
  "'dream'",
  '{RWS: {samples: 3, dream: 0.5}}',
  "'wakeSleep'",
  '[{ELBO: 1}, {IWAE: {samples: 2}}, {dream: 0.5}]',
];

/** Data differ in how many choices they have: as many as a recursion of coins makes. */
const RECURSION = `var depth = function(n, y) {
  var more = n < 2 && sample(Bernoulli({p: 0.4}), {guide: Bernoulli({p: sigmoid(param({name: 'w'}) * y - n)})});
  return more ? 1 + depth(n + 1, y) : 0;
};
var item = function(y) {
  var n = depth(0, y);
  var mu = modelParam({name: 'm'}) + n;
  var z = sample(Gaussian({mu: mu, sigma: 1}), {guide: Gaussian({mu: param({name: 'a'}) * y, sigma: softplus(param({name: 's'}))})});
  observe(Gaussian({mu: z, sigma: 0.7}), y);
};
var data = [0.4, 1.3, -0.6, 2.2, 0.1, 1.7];`;

const PROGRAMS: Readonly<Record<string, string>> = {
  minibatches: `${RECURSION} var model = function() { mapData({data: data, batchSize: 4}, item); };`,
  'all data': `${RECURSION} var model = function() { mapData({data: data}, item); };`,
  sequences: `var model = function() {
    mapData({data: [[0.4, 1.3, 0.2], [-0.6], [2.2, 0.1]]}, function(ys) {
      foldData({data: ys, init: 0}, function(before, y) {
        var z = sample(Gaussian({mu: modelParam({name: 'm'}) + before, sigma: 1}),
          {guide: Gaussian({mu: param({name: 'a'}) * y + before, sigma: softplus(param({name: 's'}))})});
        observe(Gaussian({mu: z, sigma: 0.7}), y);
        return z;
      });
    });
  };`,
};

const STEPS = 6;
const folder = mkdtempSync(join(tmpdir(), 'objectives-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The EUBO learns from executions that are given, of a model whose parameters are known. */
const TRACES = `Optimize(model, {steps: 1, checkGradients: false});
  var traces = Infer({method: 'SMC', particles: 4, model: model, saveTraces: true}).traces;`;

const text = (code: string, estimator: string, options = ''): string =>
  `${code} ${estimator.includes('traces') ? TRACES : ''}
  Optimize(model, {steps: ${STEPS}, estimator: ${estimator}, checkGradients: false, optMethod: {adam: {stepSize: 0.05}}, ${options}})`;

/** Stops the optimisation after a checkpoint, and goes on from there; and the same in one go, with a checkpoint. */
async function interrupted(code: string, estimator: string): Promise<{ resumed: unknown; inOne: unknown }> {
  const file = join(folder, `${readdirSync(folder).length}`);
  const options = `onStep: function(i) { return i === 4 && _top.stops(); }, checkpoint: {file: '${file}', every: 3, resume: true}`;
  const stage = globalThis as { stops?: () => boolean };
  stage.stops = () => {
    throw new Error('stopped');
  };
  await expect(runProgram(text(code, estimator, options))).rejects.toThrow('stopped');
  stage.stops = () => false;
  const resumed = (await runProgram(text(code, estimator, options))).value;
  rmSync(file);
  return { resumed, inOne: (await runProgram(text(code, estimator, options))).value };
}

describe.each(Object.entries(PROGRAMS))('%s', (_name, code) => {
  test.each(OBJECTIVES)('%s', async (estimator) => {
    const whole = numbersOf((await runProgram(text(code, estimator))).value);
    expect(whole.a[0]).not.toBe(0);
    // What a model is like is learned from data.
    const isOfData = /ELBO|IWAE|RWS|wake/.test(estimator);
    if (isOfData) expect(whole.m[0]).not.toBe(0);
    const alone = await runProgram(text(code, estimator), { engine: { sequential: true } });
    for (const [parameter, values] of Object.entries(numbersOf(alone.value))) {
      values.forEach((value, k) => {
        expect(whole[parameter][k], parameter).toBeCloseTo(value, 8);
      });
    }
    const { resumed, inOne } = await interrupted(code, estimator);
    expect(numbersOf(resumed)).toEqual(numbersOf(inOne));
  });
});
