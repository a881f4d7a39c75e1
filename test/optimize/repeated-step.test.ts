import { describe, expect, test, vi } from 'vitest';
import { CompiledSteps } from '../../src/optimize/compiled-steps.ts';
import { numbersOf, runProgram } from './run-optimize.ts';

const marginal = `
  mapData({data: [1, 2.5, -0.5, 4]}, function(y) {
    var mu = modelParam({name: 'mu'});
    factor(Math.log(0.3 * Math.exp(Gaussian({mu: mu, sigma: 1}).score(y)) + 0.7 * Math.exp(Gaussian({mu: 0, sigma: 2}).score(y))));
  });`;

const tried = `
  var p = sigmoid(modelParam({name: 'p'}));
  mapData({data: [1, 2.5, -0.5, 4]}, function(y) {
    var z = sample(Discrete({ps: [p, 1 - p]}), {guide: Discrete({ps: [0.4, 0.6]})});
    observe(Gaussian({mu: [modelParam({name: 'a'}), 3][z], sigma: 1}), y);
  });`;

const drawn = `
  var z = sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: param({name: 'm'}), sigma: 1})});
  mapData({data: [1, 2.5, -0.5, 4]}, function(y) { observe(Gaussian({mu: z, sigma: 1}), y); });`;

const program = (body: string): string => `
  var history = [];
  var params = Optimize({model: function() {${body}}, steps: 60, optMethod: {adam: {stepSize: 0.05}},
    onFinish: function(result) { history.push(result.history); }});
  params`;

/** The parameters, and how many steps were repetitions. */
async function optimised(body: string): Promise<{ params: unknown; repeated: number }> {
  const repeat = vi.spyOn(CompiledSteps.prototype, 'repeat');
  try {
    const { value } = await runProgram(program(body));
    return { params: numbersOf(value), repeated: repeat.mock.results.filter((one) => one.value !== undefined).length };
  } finally {
    repeat.mockRestore();
  }
}

/** The same without repetitions. */
async function anew(body: string): Promise<unknown> {
  const repeat = vi.spyOn(CompiledSteps.prototype, 'repeat').mockReturnValue(undefined);
  try {
    return numbersOf((await runProgram(program(body))).value);
  } finally {
    repeat.mockRestore();
  }
}

describe('steps that depend on nothing but the parameters', () => {
  test.each([
    ['without choices', marginal],
    ['whose values are all tried', tried],
  ])('%s are repeated, with the same bits', async (_, body) => {
    const { params, repeated } = await optimised(body);
    expect(repeated).toBeGreaterThan(50);
    expect(params).toEqual(await anew(body));
  });

  test('are the only ones that are repeated', async () => {
    expect((await optimised(drawn)).repeated).toBe(0);
  });
});
