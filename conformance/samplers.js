/**
 * Samplers: statistics of many draws against those of the distribution. The settings, the population's statistics
 * and the tolerances are those of WebPPL's tests/test-samplers.js.
 */
import * as compare from './compare.js';
import { requireFrom } from './webppl.js';

const TESTS = 'tests/test-samplers.js';
const FAMILIES = ['gamma', 'binomial', 'beta', 'gaussian', 'poisson', 'logNormal'];

/** How many standard deviations of the statistic upstream allows. */
const BREADTH = { mean: 8, variance: 8, skew: 100, kurtosis: 100 };

export function samplerCases() {
  const require = requireFrom(TESTS);
  const statistics = require('../src/math/statistics');
  return FAMILIES.flatMap((family) => {
    const metadata = require(`./test-data/sampler/${family}`);
    return metadata.settings.map((settings) => ({
      group: 'samplers',
      name: `${family}(${settings.params.join(',')})`,
      run: (waymark) => check(draw(waymark, family, settings), metadata, settings, statistics),
    }));
  });
}

function draw(waymark, family, { params, n }) {
  const construct = waymark[family[0].toUpperCase() + family.slice(1)];
  const names = Object.keys(construct.family.params);
  const distribution = construct(Object.fromEntries(names.map((name, i) => [name, params[i]])));
  const samples = new Float64Array(n);
  for (let i = 0; i < n; i++) samples[i] = distribution.sample();
  return samples;
}

function check(samples, metadata, settings, statistics) {
  const { params, skip = [] } = settings;
  const outside = samples.find((x) => !metadata.inSupport(params, x));
  if (outside !== undefined) return `${outside} is outside the support`;
  const population = metadata.populationStatisticFunctions;
  const problems = Object.keys(population)
    .filter((name) => !skip.includes(name))
    .map((name) => {
      const expected = population[name](params);
      return compare.within(name, statistic(name, samples, metadata, statistics), expected, tolerance(name, expected, metadata, settings)); // biome-ignore format: one thought
    });
  return problems.find((problem) => problem !== undefined);
}

function statistic(name, samples, metadata, statistics) {
  if (name !== 'mode') return statistics[name](samples);
  return metadata.type === 'integer' ? statistics.mode(samples) : statistics.kdeMode(samples);
}

function tolerance(name, expected, { moment, populationStatisticFunctions }, { params, n, reltol, abstol }) {
  if (reltol?.[name]) return Math.abs(reltol[name] * expected);
  if (abstol?.[name]) return abstol[name];
  const variance = populationStatisticFunctions.variance(params);
  const spread = {
    mean: () => variance / n,
    variance: () => moment(params, 4) / n - (variance ** 2 * (n - 3)) / (n * (n - 1)),
    skew: () => (6 * n * (n - 1)) / ((n - 2) * (n + 1) * (n + 3)),
    kurtosis: () => (24 * n * (n - 1) * (n - 1)) / ((n - 3) * (n - 2) * (n + 3) * (n + 5)),
  };
  return BREADTH[name] * Math.sqrt(spread[name]());
}
