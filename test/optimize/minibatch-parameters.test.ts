/** Minibatches whose data have parameters of their own: compiled steps find those of the data at hand. */
import { expect, test } from 'vitest';
import { runProgram } from './run-optimize.ts';

const MODEL = `
  var data = map(function(i) { return (i % 2 ? 1 : -1) + Math.sin(i); }, _.range(20));
  var model = function() {
    var m = modelParam({name: 'm', mu: 0.5});
    mapData({data: data, batchSize: 5}, function(y) {
      var z = sample(Gaussian({mu: m, sigma: 1}));
      var k = flip(0.3);
      var v = param({dims: [3, 1]});
      factor(T.sumreduce(v) * y - T.sumreduce(T.mul(v, v)));
      observe(Gaussian({mu: k ? z : -z, sigma: 0.5}), y);
    });
  };`;

interface Found {
  history: number[];
  params: Record<string, number[]>;
  said: string;
}

async function optimised(options: string, sequential = false): Promise<Found> {
  const { value, warnings } = await runProgram(
    `${MODEL}
    var history = [];
    var params = Optimize(model, {steps: 30, ${options}, onFinish(r) { r.history.forEach(x => history.push(x)); }});
    ({history, params: _.mapValues(params, p => T.toScalars(p))})`,
    { engine: { explainBatching: true, precision: 'double', sequential } },
  );
  return { ...(value as Omit<Found, 'said'>), said: warnings.join('\n') };
}

test.each([
  "optMethod: 'adam'",
  'optMethod: {sgd: {stepSize: 0.01, mu: 0.5}}',
  "optMethod: 'adagrad', weightDecay: 0.01",
  "estimator: {ELBO: {samples: 3}}, optMethod: 'adam'",
])('%s', async (options) => {
  const compiled = await optimised(options);
  const executed = await optimised(`${options}, onStep(i, x) { history.length; }`);
  const apart = await optimised(options, true);
  expect(compiled.said).toMatch(/steps: 2\d compiled/);
  expect(executed.said).toContain('steps: 0 compiled');
  for (const other of [executed, apart]) {
    expect(Object.keys(compiled.params).sort()).toEqual(Object.keys(other.params).sort());
    compiled.history.forEach((objective, i) => {
      expect(Math.abs(objective - other.history[i])).toBeLessThan(1e-9 * Math.max(1, Math.abs(objective)));
    });
    for (const [name, numbers] of Object.entries(compiled.params)) {
      numbers.forEach((x, i) => {
        expect(Math.abs(x - other.params[name][i]), name).toBeLessThan(1e-9);
      });
    }
  }
});

test.each([1, 3])('the results of a minibatch are not there, with %i executions a step', async (samples) => {
  const code = `Optimize(function() {
    var all = mapData({data: [1, 2, 3], batchSize: 2}, function(y) { return flip(0.5) ? 1 : y; });
    factor(all === undefined ? 7 : all.length);
  }, {steps: 3, gradients: 'paper', estimator: {ELBO: {samples: ${samples}}}, onFinish(r) { globalStore.told = r.history; }});
  globalStore.told`;
  for (const sequential of [false, true]) {
    const { value } = await runProgram(code, { engine: { sequential } });
    // Guides that start as their targets cost nothing.
    for (const objective of value as number[]) expect(objective).toBeGreaterThan(6.9);
  }
});

test.each(["'ELBO'", '{IWAE: {samples: 2}}', '{RWS: {samples: 2}}'])(
  'a minibatch of no data counts nothing: %s',
  async (estimator) => {
    const history = async (batch: string) =>
      (
        await runProgram(`
        var model = function() {
          var x = sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: param({name: 'm'}), sigma: 1})});
          mapData({data: []${batch}}, function(y) { observe(Gaussian({mu: x, sigma: 1}), y); });
        };
        var found = [];
        Optimize(model, {steps: 3, estimator: ${estimator}, onFinish(r) { r.history.forEach(x => found.push(x)); }});
        found`)
      ).value;
    expect(await history(', batchSize: 0')).toEqual(await history(''));
  },
);
