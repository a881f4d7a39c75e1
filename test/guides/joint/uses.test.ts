/** Joint guides wherever guides are used, once they have been learned. */
import { describe, expect, test } from 'vitest';
import { both } from '../../lanes/both-ways.ts';
import { failure, runProgram } from '../../optimize/run-optimize.ts';
import { GUIDE, KINDS, PROGRAMS } from './programs.ts';

/** Two numbers of which the sum is observed: what is left of one depends on the other. */
const SUM = `
  var model = function() {
    var a = gaussian(0, 1);
    var b = gaussian(0, 1);
    observe(Gaussian({mu: a + b, sigma: 0.3}), 2);
    return a;
  };`;
const SUM_LOGZ = -0.5 * Math.log(2 * Math.PI * 2.09) - 2 / 2.09;
const SUM_MEAN = 2 / 2.09;

const train = (guide: string, steps = 400): string =>
  `Optimize(model, {autoGuide: ${guide}, steps: ${steps}, estimator: {ELBO: {samples: 4}},
    optMethod: {adam: {stepSize: schedules.cosine({from: 0.1, to: 0, steps: ${steps}})}}});`;

describe.each([...KINDS, 'laplace'] as const)('%s', (kind) => {
  test('importance sampling, SMC and forward sampling draw from the guide', async () => {
    const { value } = await runProgram(`${SUM} ${train(GUIDE[kind])}
      var by = function(options) { return Infer(_.assign({model: model, params: getParams()}, options)); };
      var importance = by({method: 'importance', guide: true, samples: 400});
      var smc = by({method: 'SMC', importance: 'autoGuide', particles: 400});
      [importance.diagnostics.ess, map(expectation, [importance, smc, by({method: 'forward', guide: true, samples: 400})]),
       [importance.normalizationConstant, smc.normalizationConstant]]`);
    const [ess, means, evidences] = value as [number, number[], number[]];
    // Of draws from the prior, a hundred of 400 would be worth something.
    expect(ess).toBeGreaterThan(250);
    // Five standard errors of 250 draws, and what a guide may be off the mean.
    for (const mean of means) expect(Math.abs(mean - SUM_MEAN)).toBeLessThan((5 * 0.72) / Math.sqrt(250));
    for (const logZ of evidences) expect(Math.abs(logZ - SUM_LOGZ)).toBeLessThan(0.15);
  });
});

test('samples from guides side by side are those of one by one', async () => {
  for (const [i, name] of Object.keys(PROGRAMS).entries()) {
    const learned = await runProgram(
      `${PROGRAMS[name]} ${train(GUIDE[KINDS[i % KINDS.length]], 8)} serializeParams(getParams())`,
    );
    for (const method of ['importance', 'forward']) {
      const code = `${PROGRAMS[name]} setParams(deserializeParams(${JSON.stringify(learned.value)}));
        Infer({model: model, method: '${method}', guide: true, samples: 60})`;
      const { together, alone, how } = await both(code, 4);
      expect(together, `${name}, ${method}`).toEqual(alone);
      expect(how, name).toMatch(/side by side/);
    }
  }
});

test('densities are those of what is drawn, in every support and for choices of data', async () => {
  for (const name of ['supports', 'minibatches']) {
    const { value } = await runProgram(`${PROGRAMS[name].replace('sigma: 0.5}), y', 'sigma: 2}), y')}
      var prior = evidence(model, {samples: 4000});
      ${train(GUIDE.fullRank, 100)}
      [prior, evidence(model, {samples: 400})]`);
    const [prior, guided] = value as { logZ: number; se: number }[];
    expect(Math.abs(prior.logZ - guided.logZ)).toBeLessThan(5 * Math.hypot(prior.se, guided.se));
    expect(guided.se).toBeLessThan(0.3);
  }
});

test('a choice has the guide that it was given last, and without a word goes on with that', async () => {
  const { value } = await runProgram(`${SUM}
    var names = function() { return _.uniq(map(function(name) { return name.split('$')[1]; }, _.keys(getParams()))); };
    ${train(`'meanField'`, 2)}
    var first = names();
    ${train(`'fullRank'`, 2)}
    var second = names();
    Optimize(model, {steps: 2});
    var third = names();
    ${train(`{flow: {hidden: 2, bins: 2}}`, 2)}
    var fourth = names();
    ${train(`'meanField'`, 2)}
    [first, second, third, fourth, names()]`);
  expect(value).toEqual([['mf'], ['fullRank'], ['fullRank'], ['flow'], ['mf']]);
});

test('posteriors of data know what all share', async () => {
  const { value } = await runProgram(`
    var model = function() {
      var mean = gaussian(0, 10);
      return mapData({data: [4, 6, 5, 5.5]}, function(y) {
        var z = gaussian(mean, 1);
        observe(Gaussian({mu: z, sigma: 1}), y);
        return z;
      });
    };
    Optimize(model, {autoGuide: 'laplace', steps: 5});
    var found = posteriors(model, {samples: 400, method: 'forward'});
    map(expectation, found)`);
  // The mean is about 5.1, and each number half way between that and its datum.
  [4.55, 5.55, 5.05, 5.3].forEach((expected, i) => {
    expect(Math.abs((value as number[])[i] - expected)).toBeLessThan(0.2);
  });
});

test.each([`{IWAE: {samples: 4}}`, `{RWS: {samples: 4}}`, `{EUBO: {traces: traces, batchSize: 20}}`])(
  'objective %s',
  async (estimator) => {
    const { value } = await runProgram(`${SUM}
    var traces = Infer({method: 'SMC', particles: 2000, saveTraces: true, model: model}).traces;
    var told = function() { return evidence(model, {samples: 200}).ess; };
    ${train(`'fullRank'`, 1)}
    var before = told();
    Optimize(model, {autoGuide: 'fullRank', steps: 300, estimator: ${estimator},
      optMethod: {adam: {stepSize: schedules.cosine({from: 0.1, to: 0, steps: 300})}}});
    [before, told()]`);
    const [before, after] = value as number[];
    expect(before).toBeLessThan(100);
    expect(after).toBeGreaterThan(140);
  },
);

describe('in words', () => {
  test('--explain-guides says what each choice depends on', async () => {
    const { warnings } = await runProgram(`${SUM} Optimize(model, {autoGuide: 'fullRank', steps: 1});`, {
      engine: { explainGuides: true },
    });
    expect(warnings.join('\n')).toMatch(
      /Gaussian is guided by its part of a Gaussian of full rank that is automatic \(pathwise\)\n.*given 1 number before it \(pathwise\)/,
    );
  });

  test('kinds that do not exist, sizes that are none, and objectives that do not fit are refused', async () => {
    const because = (options: string): Promise<string> => failure(`${SUM} Optimize(model, {${options}});`);
    expect(await because(`autoGuide: 'fullrank'`)).toBe(
      "Optimize: autoGuide must be one of 'meanField', 'network', 'fullRank', 'lowRank', 'flow', 'laplace', or an object such as {meanField: {…}} with its " +
        'options, got the string "fullrank". Did you mean \'fullRank\'?',
    );
    expect(await because(`autoGuide: {lowRank: {rank: 0}}`)).toMatch(/rank must be/);
    expect(await because(`autoGuide: 'laplace', estimator: {IWAE: {samples: 2}}`)).toMatch(
      /^autoGuide: 'laplace' looks for the maximum of the density, and takes no other estimator than 'ELBO'/,
    );
    expect(
      await failure(
        `${SUM} Optimize(model, {autoGuide: {lowRank: {rank: 2}}}); Optimize(model, {autoGuide: {lowRank: {rank: 3}}});`,
      ),
    ).toMatch(/rank is 3, and parameters have been learned with rank 2/);
  });

  test('laplace says where there is no maximum', async () => {
    const { warnings } = await runProgram(`
      var model = function() {
        var a = gaussian(0, 1);
        var b = gaussian(0, 1);
        factor(0.5 * (a * a + b * b) + a * b);
      };
      Optimize(model, {autoGuide: 'laplace', steps: 3});`);
    expect(warnings.join('\n')).toMatch(
      /the density does not fall off in all directions from the choice at .*:\d+:\d+/,
    );
  });
});
