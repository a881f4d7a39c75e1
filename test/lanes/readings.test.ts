/** Programs that name several methods: their text for columns is read side by side by some, and recorded by others. */
import { expect, test } from 'vitest';
import { run } from '../../src/program/run.ts';

async function both(code: string, seed: number) {
  const said: string[] = [];
  const { value } = await run(code, { seed, engine: { explainBatching: true }, warn: (text) => said.push(text) });
  const alone = await run(code, { seed, engine: { sequential: true }, warn: () => {} });
  return { together: value, alone: alone.value, how: said.filter((text) => text.startsWith('How')) };
}

const MODELS = `
  var xs = [0.5, 1, 2, 3];
  var model = function() {
    var draw = gaussian;
    var m = draw(0, 2);
    var s = gamma(2, 1);
    map(function(x) { observe(Gaussian({mu: m * x, sigma: s + 0.1}), 2 * x + 0.3); }, xs);
    return m > 1 ? m : -m;
  };
  var coins = function() {
    var heads = repeat(11, function() { return flip(0.4); });
    condition(sum(heads) > 2);
    return sum(heads);
  };
  var samples = function(d) { return [d.samples, d.logZ]; };
  var chain = function() { return Infer({method: 'MCMC', samples: 600, model: model}).samples; };
  var table = function() {
    var d = Infer({method: 'enumerate', model: coins});
    return map(function(n) { return d.score(n); }, d.support());
  };`;

test('samples, particles, chains and enumerations take turns', async () => {
  const code = `${MODELS}
    [
      samples(Infer({method: 'importance', samples: 100, model: model})), chain(), table(),
      samples(Infer({method: 'SMC', particles: 100, model: model})), chain(),
      samples(Infer({method: 'rejection', samples: 100, model: coins})), table()
    ]`;
  const { together, alone, how } = await both(code, 3);
  expect(together).toEqual(alone);
  for (const [method, manner] of [
    ['importance', 'side by side'],
    ['SMC', 'side by side'],
    ['rejection', 'side by side'],
    ['MCMC', 'steps compute what was recorded'],
    ['enumerate', 'paths compute what was recorded'],
  ]) {
    expect(how.some((line) => line.includes(`How ${method}`) && line.includes(manner))).toBe(true);
  }
});

test('an enumeration that is recorded while executions around it run side by side', async () => {
  const code = `
    var model = function() {
      var p = uniformDraw([0.2, 0.5, 0.9]);
      var d = Infer({method: 'enumerate', model() {
        var heads = sum(repeat(11, function() { return flip(p); }));
        return p > 0.4 ? heads : -heads;
      }});
      var x = sample(d);
      observe(Gaussian({mu: x, sigma: 1}), 4);
      return [x, p * 2];
    };
    Infer({method: 'SMC', particles: 50, model: model}).samples`;
  const { together, alone, how } = await both(code, 4);
  expect(together).toEqual(alone);
  expect(how.join('\n')).toContain('paths compute what was recorded');
  expect(how.join('\n')).toContain('50 particles side by side');
});

test('chains beside gradients', async () => {
  const code = `${MODELS}
    var fit = function() {
      var m = sample(Gaussian({mu: 0, sigma: 2}), {guide() { return Gaussian({mu: param({name: 'm'}), sigma: 1}); }});
      observe(Gaussian({mu: m, sigma: 1}), 1);
      return m;
    };
    Optimize({model: fit, steps: 5, verbose: false});
    [chain(), table(), Infer({method: 'MCMC', kernel: 'HMC', samples: 20, model: fit}).samples, chain(), getParams('m')]`;
  const { together, alone, how } = await both(code, 5);
  expect(together).toEqual(alone);
  expect(how.filter((line) => line.includes('steps compute what was recorded'))).toHaveLength(1);
  expect(how.filter((line) => line.includes('paths compute what was recorded'))).toHaveLength(1);
});

test('what is not recorded says why', async () => {
  const counting = `
    var n = {runs: 0};
    Infer({method: 'MCMC', samples: 600, model() { n.runs = 1; return gaussian(0, 1); }}).samples`;
  expect((await both(counting, 1)).how.join('\n')).toContain('functions of the program change what others see');
});

test.each([
  ['Number(process.env.NOT_SET ?? 1) + process.argv.length * 0', 'side by side'],
  ["(process.env.IS_SET = '1', 1)", 'one by one'],
  ['process.uptime()', 'one by one'],
])('a model that names process, in %s, runs %s', async (code, way) => {
  const said: string[] = [];
  const model = `function() { var x = gaussian(0, ${code}); factor(-x * x); return flip(0.5); }`;
  await run(`Infer({method: 'importance', samples: 200, model: ${model}})`, {
    seed: 1,
    engine: { explainBatching: true },
    warn: (message) => said.push(message),
  });
  expect(said.join('\n')).toContain(way);
});
