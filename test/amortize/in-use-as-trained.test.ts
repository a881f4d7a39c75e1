import { expect, test } from 'vitest';
import type { AmortizedModel } from '../../src/amortize/amortized.ts';
import { Network } from '../../src/amortize/network.ts';
import { Trainer } from '../../src/amortize/trainer.ts';
import { wakes } from '../../src/amortize/wake.ts';
import { runProgram } from '../optimize/run-optimize.ts';

/** Programs with every kind of head, iterations, recursion, and lists that point to earlier choices. */
const PROGRAMS = {
  clusters: `
    var model = function(data) {
      var k = 1 + poisson(2);
      var means = repeat(k, function() { return gaussian(0, 5); });
      map(function(y) { observe(Gaussian({mu: uniformDraw(means), sigma: 1}), y); }, data);
      return k;
    };
    var example = [0, 0, 0];`,
  walk: `
    var walk = function(i, x, data) {
      if (i === data.length) { return x; }
      var next = flip(0.3) ? gaussian(x, 2) : uniform(x - 1, x + 1);
      observe(Gaussian({mu: next, sigma: 0.5}), data[i]);
      return walk(i + 1, next, data);
    };
    var model = function(data) { return walk(0, 0, data); };
    var example = [0, 0, 0];`,
};

const SIZES = ['{}', '{heads: 0, token: 8, read: 4}'];

test.each(Object.entries(PROGRAMS).flatMap(([name, text]) => SIZES.map((sizes) => [name, sizes, text] as const)))(
  'of %s a network %s says in use what it says in training',
  async (_, sizes, text) => {
    const { value } = await runProgram(
      `${text} Amortize(model, {example: example, steps: 10, samples: 64, stepSize: 0.05, network: ${sizes}})`,
    );
    const { model, learned } = value as AmortizedModel;
    const { parameters, sites, shape } = learned;
    const network = new Network(parameters, learned.sizes);
    // By plans for many executions, and by loops for few.
    for (const count of [40, 6]) {
      const dreams = wakes(model, learned, network, [1, -2, 4], count);
      const ratios = dreams.ratios!;
      const trainer = new Trainer(parameters, learned.sizes, sites, shape);
      const logWeights = ratios.map((ratio) => (Number.isNaN(ratio) ? -Infinity : 0));
      const trained = trainer.evaluate({ ...dreams, logWeights }).value;
      const guided = ratios.filter((ratio) => !Number.isNaN(ratio));
      const used = guided.reduce((sum, ratio) => sum + ratio, 0) / guided.length;
      // It says something.
      expect(guided.reduce((sum, ratio) => sum + Math.abs(ratio), 0) / guided.length).toBeGreaterThan(0.05);
      expect(trained).toBeCloseTo(used, 3);
    }
  },
);
