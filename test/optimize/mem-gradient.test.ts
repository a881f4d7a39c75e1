/** Choices that `mem` makes when a datum first asks for them belong to all data that ask for them. */
import { describe, expect, test } from 'vitest';
import { exactElbo, exactGradient } from './exact-elbo.ts';
import { gradientMoments, modelOf, tableOf } from './gradient-samples.ts';

const STEPS = 600;
const DATA = 'var data = [{y: 1.5, group: 0}, {y: -0.4, group: 1}, {y: 2.1, group: 0}, {y: 0.3, group: 1}];';
const FLIP = "sample(Bernoulli({p: 0.3}), {guide: Bernoulli({p: sigmoid(param({name: 'q'}))})})";
const NORMAL = "sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: param({name: 'q'}), sigma: 0.3})})";

/** `made` is what is remembered, `before` what comes before the data. */
const model = (made: string, batch = '', before = ''): string => `${DATA} var model = function() {
  var kind = mem(function(g) { return ${made}; });
  ${before}
  mapData({data: data${batch}}, function(d) { observe(Gaussian({mu: 2 * kind(d.group) - d.group, sigma: 1}), d.y); });
}; model`;

const PROGRAMS: Readonly<Record<string, string>> = {
  'a discrete choice asked for before the data': model(`${FLIP} ? 1 : 0`, '', 'kind(0); kind(1);'),
  'a real choice first asked for by a datum': model(NORMAL),
  'a discrete choice first asked for by a datum': model(`${FLIP} ? 1 : 0`),
  'a choice without its own argument, first asked for by a datum': `${DATA} var model = function() {
    var shared = mem(function() { return ${FLIP}; });
    mapData({data: data}, function(d) { observe(Gaussian({mu: shared() ? 1 : d.group, sigma: 1}), d.y); });
  }; model`,
  'a choice that data ask for by choices of their own': `${DATA} var model = function() {
    var level = mem(function(z) { return ${NORMAL}; });
    mapData({data: data}, function(d) {
      var z = sample(Bernoulli({p: 0.6}), {guide: Bernoulli({p: sigmoid(param({name: 'q'}) * (d.y - 1))})});
      observe(Gaussian({mu: level(z) + (z ? 1 : 0), sigma: 0.5}), d.y);
    });
  }; model`,
  'a discrete choice that data ask for by choices of their own': `${DATA} var model = function() {
    var level = mem(function(z) { return ${FLIP} ? 1 : -1; });
    mapData({data: data}, function(d) {
      var z = sample(Bernoulli({p: 0.6}), {guide: Bernoulli({p: sigmoid(param({name: 'q'}) * (d.y - 1))})});
      observe(Gaussian({mu: level(z), sigma: 0.7}), d.y);
    });
  }; model`,
  'functions that data of data ask for, one within the other': `${DATA} var model = function() {
    var base = mem(function() { return ${FLIP}; });
    mapData({data: data.slice(0, 2)}, function(d) {
      var own = mem(function(k) { return ${FLIP} && base() ? 1 : 0; });
      mapData({data: [0, 1]}, function(k) { observe(Gaussian({mu: own(0) + own(k), sigma: 1}), d.y + k); });
    });
    factor(base() ? 0.3 : 0);
  }; model`,
  'a function made before the execution': `${DATA} var shared = mem(function() { return ${FLIP}; });
    var model = function() {
      mapData({data: data}, function(d) { observe(Gaussian({mu: shared() ? 1 : d.group, sigma: 1}), d.y); });
    }; model`,
};

/** What cannot be right: that a minibatch asked for a choice does not say how many of the data do. */
const REFUSED: Readonly<Record<string, string>> = {
  'a discrete choice first asked for by a datum of a minibatch': model(`${FLIP} ? 1 : 0`, ', batchSize: 2'),
  'a real choice first asked for by a datum of a minibatch': model(NORMAL, ', batchSize: 2'),
};

/** Without local weights the plain way only, and every other program: they are the same estimator with more noise. */
async function holdToExact(code: string, plain: boolean, turn = 0): Promise<void> {
  const run = await modelOf(code, plain);
  const table = tableOf({ q: 0.4 });
  const [elbo, slope] = [exactElbo(run, table), exactGradient(run, table).get('q')![0]];
  for (const localWeights of plain && turn % 2 === 0 ? [true, false] : [true]) {
    const { gradients, objective } = gradientMoments(run, table, { localWeights }, STEPS, { steady: !plain });
    // Four standard errors, and rounding.
    const near = (mean: number, standardError: number, exact: number): void =>
      expect(Math.abs(mean - exact), `${mean} ± ${standardError}, exactly ${exact}`).toBeLessThan(
        4 * standardError + 1e-6,
      );
    near(objective.mean, objective.standardError, elbo);
    const { mean, standardError } = gradients.get('q')!;
    near(mean[0], standardError[0], slope);
  }
}

describe.each([true, false])('step by step: %s', (plain) => {
  test.each(Object.entries(PROGRAMS).map(([name, code], turn) => [name, code, turn] as const))(
    '%s',
    (_name, code, turn) => holdToExact(code, plain, turn),
  );
  test.each(Object.entries(REFUSED))('%s is refused', async (_name, code) => {
    await expect(holdToExact(code, plain)).rejects.toThrow(
      'A function given to mem makes its choices when a datum of a minibatch asks for them first.',
    );
  });
});

test('what a minibatch asks for may have been drawn before', () =>
  holdToExact(model(NORMAL, ', batchSize: 2', 'kind(0); kind(1);'), false));
