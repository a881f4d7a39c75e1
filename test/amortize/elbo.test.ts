/** The objective ELBO: where the network can be the posterior itself, it becomes that, and the bound the evidence. */
import { expect, test } from 'vitest';
import { failure, runProgram } from '../optimize/run-optimize.ts';

/** A choice that the other one depends on, and control flow. */
const COINS = `
  var model = function(data) {
    var a = flip(0.3);
    var k = a ? randomInteger(3) : 4;
    observe(Gaussian({mu: k, sigma: 1}), data.y);
    return a ? k : -1;
  };
  var data = {y: 2};`;

const normal = (x: number): number => Math.exp(-0.5 * x * x) / Math.sqrt(2 * Math.PI);

test('is the posterior of discrete choices, by the bound alone', async () => {
  const { value } = await runProgram(`${COINS}
    var net = Amortize(model, {example: data, data: [data], objective: 'ELBO', steps: 300, samples: 64, stepSize: 0.01, network: {hidden: 16}});
    var own = net.posterior(data, {samples: 4000, method: 'forward'});
    var weighed = net.posterior(data, {samples: 1000});
    [map(function(v) { return Math.exp(own.score(v)); }, [-1, 0, 1, 2]), net.summary().objective, weighed.logZ, weighed.diagnostics.ess]`);
  const [found, bound, logZ, ess] = value as [number[], number, number, number];
  const joint = [0.7 * normal(2), 0.1 * normal(2), 0.1 * normal(1), 0.1 * normal(0)];
  const evidence = joint.reduce((sum, p) => sum + p, 0);
  joint.forEach((p, i) => {
    const exact = p / evidence;
    // What 4,000 draws leave open, and 0.02 for what 300 steps do.
    expect(Math.abs(found[i] - exact)).toBeLessThan(0.02 + 4.5 * Math.sqrt((exact * (1 - exact)) / 4000));
  });
  expect(ess).toBeGreaterThan(950);
  expect(Math.abs(logZ - Math.log(evidence))).toBeLessThan(4.5 * Math.sqrt(0.05 / 1000));
  // A bound from below, close to what it bounds: a mean over the last fifty steps, in which it was still rising.
  expect(bound - Math.log(evidence)).toBeGreaterThan(-0.05);
  expect(bound - Math.log(evidence)).toBeLessThan(0.02);
});

test('is the posterior of numbers, beside dreams', async () => {
  const { value } = await runProgram(`
    var model = function(data) {
      var mu = gaussian(1, 2);
      map(function(y) { observe(Gaussian({mu: mu, sigma: 1}), y); }, data);
      return mu;
    };
    var data = [6, 7];
    var net = Amortize(model, {example: data, data: [data], objective: {dream: 1, ELBO: 1}, steps: 300, samples: 48, stepSize: 0.02, network: {components: 2}});
    var own = net.posterior(data, {samples: 4000, method: 'forward'});
    [expectation(own), Math.sqrt(expectation(own, function(x) { return x * x; }) - Math.pow(expectation(own), 2)), net.posterior(data, {samples: 1000}).diagnostics.ess]`);
  const [mean, sd, ess] = value as number[];
  // Precision 1/4 + 2.
  expect(Math.abs(mean - (1 / 4 + 13) / 2.25)).toBeLessThan(0.1);
  expect(Math.abs(sd - Math.sqrt(1 / 2.25))).toBeLessThan(0.1);
  expect(ess).toBeGreaterThan(850);
});

test('says where it cannot be', async () => {
  expect(await failure(`${COINS} Amortize(model, {example: data, objective: 'ELBO'});`)).toMatch(
    /the objective ELBO learns from data that are there; give some, as in data/,
  );
  expect(
    await failure(`
      var model = function(data) { var a = flip(0.5); condition(a); observe(Gaussian({mu: 0, sigma: 1}), data.y); return a; };
      Amortize(model, {example: {y: 0}, data: [{y: 0}], objective: 'ELBO', steps: 3, samples: 16});`),
  ).toMatch(/the objective ELBO is −Infinity.*Use the objective 'RWS'/s);
});
