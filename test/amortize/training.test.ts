import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { AmortizedModel } from '../../src/amortize/amortized.ts';
import { failure, runProgram } from '../optimize/run-optimize.ts';

const folder = mkdtempSync(join(tmpdir(), 'waymark-amortize-'));
afterAll(() => rmSync(folder, { recursive: true }));

const MODEL = `
  var model = function(data) {
    var rate = gamma(2, 1);
    map(function(d) {
      var isOdd = flip(0.2);
      observe(Poisson({mu: isOdd ? 10 : rate}), d.count);
      observe(Categorical({vs: ['red', 'blue'], ps: isOdd ? [0.9, 0.1] : [0.2, 0.8]}), d.colour);
    }, data);
    return rate;
  };
  var example = [{count: 1, colour: 'red'}, {count: 2, colour: 'blue'}];
  var data = [{count: 3, colour: 'blue'}, {count: 11, colour: 'red'}, {count: 2, colour: undefined}];
  var options = {example: example, samples: 64, stepSize: 0.01};`;

describe('training', () => {
  test('goes on from a checkpoint as if it had not been interrupted', async () => {
    const file = join(folder, 'kept.net');
    // The same program each time, so that the same is drawn.
    const train = async (more: string): Promise<AmortizedModel> =>
      (await runProgram(`${MODEL} Amortize(model, _.assign({steps: 12}, options, ${more}))`)).value as AmortizedModel;
    const whole = await train('{}');
    const interrupted = await train(`{checkpoint: '${file}', stopAtPlateau: 1}`);
    const again = await train(`{checkpoint: '${file}'}`);
    expect(interrupted.summary().steps).toBeLessThan(12);
    expect(again.summary().steps).toBe(12);
    for (const [name, { data }] of whole.learned.parameters.table) {
      expect(again.learned.parameters.get(name), name).toEqual(data);
    }
  });

  test('learns from names and counts, with parts of the data missing, and from data that are there', async () => {
    const { value } = await runProgram(`${MODEL}
      var ess = function(net) { return net.posterior(data, {samples: 500}).diagnostics.ess; };
      var gaps = function() { return repeat(3, function() {
        return {count: 1, colour: flip(0.3) ? undefined : 'red'}; }); };
      var net = Amortize(model, {exampleOf: gaps, samples: 64, stepSize: 0.01, steps: 70, stopAtPlateau: 60});
      var both = Amortize(model, {exampleOf: gaps, samples: 64, stepSize: 0.01, steps: 40, data: [data], objective: {dream: 1, RWS: 1}});
      [ess(Amortize(model, {exampleOf: gaps, samples: 64, steps: 0})), ess(net), ess(both),
       map(function(site) { return site.head; }, net.summary().sites)]`);
    const [before, dreamt, both, heads] = value as [number, number, number, string[]];
    expect(dreamt).toBeGreaterThan(5 * before);
    expect(both).toBeGreaterThan(5 * before);
    expect(heads.filter((head) => head === 'list').length).toBeGreaterThanOrEqual(2);
  });

  test('takes objectives by turns, as an object or a list, each with its weight and samples', async () => {
    const objective = async (given: string): Promise<number> =>
      (
        await runProgram(
          `${MODEL} Amortize(model, _.assign({steps: 6, data: [data], objective: ${given}}, options)).summary().objective`,
        )
      ).value as number;
    const object = await objective('{dream: 1, RWS: 2}');
    expect(await objective('[{dream: 1}, {RWS: 2}]')).toBe(object);
    expect(await objective('["dream", {RWS: {}, weight: 2}]')).toBe(object);
    expect(await objective('["dream", {RWS: {samples: 16}, weight: 2}]')).not.toBe(object);
    expect(await objective('"dream"')).not.toBe(object);
  });

  test('tells who asks that dreams are made one by one, and why', async () => {
    const told = async (before: string, model: string): Promise<string[]> => {
      const warnings: string[] = [];
      const train = `Amortize(${model}, _.assign({steps: 1}, options)).summary().steps`;
      await runProgram(`${MODEL} ${before} ${train}`, {
        engine: { explainBatching: true },
        warn: (message) => void warnings.push(message),
      });
      return warnings.filter((message) => message.includes('dreams'));
    };
    expect(await told('', 'model')).toEqual([]);
    const counting = 'var seen = {n: 0}; var counted = function(data) { seen.n = seen.n + 1; return model(data); };';
    const [message, ...others] = await told(counting, 'counted');
    expect(message).toMatch(/How Amortize \(dreams\) at .* ran: dreams one by one, because .*change what others see/);
    expect(others).toEqual([]);
  });

  test('draws by its own seed, if it has one', async () => {
    const { value } = await runProgram(`${MODEL}
      var trained = function(seed) { return Amortize(model, _.assign({steps: 3}, options, seed)).summary().objective; };
      [trained({seed: 7}), trained({seed: 7}), trained({seed: 8}), trained({}), trained({})]`);
    const [first, again, other, without, next] = value as number[];
    expect(again).toBe(first);
    expect(other).not.toBe(first);
    expect(next).not.toBe(without);
  });

  test('warns where nothing of the data is observed, and asks for data', async () => {
    const code = (example: string, observed: string): string => `var net = Amortize(function(data) {
      var x = gaussian(0, 1); ${observed}
    }, {example: ${example}, steps: 1, samples: 8});`;
    const gaussian = (value: string): string => `observe(Gaussian({mu: x, sigma: 1}), ${value});`;
    for (const [example, observed, isNothing] of [
      ['{x: 0}', gaussian('data.y'), true],
      ['{y: 0}', '', true],
      ['{y: 0}', gaussian('data.y'), false],
      ['{y: 0}', 'factor(-x * x * data.y);', true],
      ['{y: 1}', 'factor(-x * x * data.y);', false],
    ] as const) {
      const { warnings } = await runProgram(code(example, observed));
      expect(
        warnings.map((text) => /^Amortize: the model observes nothing of the data/.test(text)),
        observed,
      ).toEqual(isNothing ? [true] : []);
    }
    expect(await failure(`${code('{y: 0}', gaussian('data.y'))} net.posterior();`)).toMatch(
      /needs the data .* as in net\.posterior\(data\); got undefined/,
    );
  });

  test('says what it cannot do', async () => {
    expect(await failure(`${MODEL} Amortize(model, {example: example, objective: 'IWAE'});`)).toMatch(
      /objective must be 'dream', 'RWS' or 'ELBO'.*got the string "IWAE"/,
    );
    expect(await failure(`${MODEL} Amortize(model, {example: example, objective: {dream: -1}});`)).toMatch(
      /the weight of dream must be a finite number of at least 0, got -1/,
    );
    expect(await failure(`${MODEL} Amortize(model, {example: example, objective: []});`)).toMatch(/objective must be/);
    expect(await failure(`${MODEL} Amortize(model, {example: example, seed: 0.5});`)).toMatch(
      /seed must be a whole number/,
    );
    expect(await failure(`${MODEL} Amortize(model, {example: example, objective: 'RWS'});`)).toMatch(
      /give some, as in data/,
    );
  });
});
