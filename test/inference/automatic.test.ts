import { beforeEach, describe, expect, test } from 'vitest';
import { Bernoulli } from '../../src/distributions/bernoulli.ts';
import { Gaussian } from '../../src/distributions/gaussian.ts';
import { Infer } from '../../src/inference/infer.ts';
import { machine, runsDirectly } from '../../src/runtime/machine.ts';
import { condition, factor, observe, sample } from '../../src/runtime/primitives.ts';
import { flip, gaussianMean, weighted } from './models.ts';
import { startTestRun } from './test-run.ts';

let warnings: string[];
beforeEach(() => {
  warnings = startTestRun(4).warnings;
});

const gaussian = (mu: number, sigma: number) => sample(Gaussian({ mu, sigma }));

describe('enumerates', () => {
  test('what is finite, without a word', () => {
    const result = Infer(() => [flip(0.2), flip(0.5)].filter(Boolean).length);
    expect(Math.exp(result.score(2))).toBeCloseTo(0.1, 14);
    expect(result.method).toBe('enumerate');
    expect(result.samples).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  test('what is finite and has no possible execution to an error', () => {
    expect(() => Infer(() => condition(flip(0)))).toThrow('enumerate: no execution of this program is possible');
  });

  test('up to the size that the first execution suggests', () => {
    const flips = (n: number) => Infer({ samples: 10 }, () => Array.from({ length: n }, () => flip()).length).method;
    expect(flips(16)).toBe('enumerate');
    expect(flips(17)).toBe('rejection');
  });

  test('until it has made too many executions, inner ones included, unless samples would take as many', () => {
    const inner = () => Infer({ method: 'forward', samples: 40_000 }, () => flip()).score(true);
    const model = () => {
      for (let i = 0; i < 5; i++) flip();
      inner();
      return true;
    };
    const { reason } = Infer({ samples: 1 }, model);
    expect(reason).toBe('not enumerate, because there are more than 1000000 executions');
    expect(Infer({ samples: 4 }, model).method).toBe('enumerate');
  });
});

describe('rejects', () => {
  test('if there are continuous choices', () => {
    const result = Infer(() => {
      const x = gaussian(0, 1);
      condition(x > 0);
      return x;
    });
    expect(result.method).toBe('rejection');
    expect(result.reason).toBe('not enumerate, because Gaussian is continuous');
    expect(result.samples).toHaveLength(1000);
    // Half-normal: mean √(2/π), variance 1 − 2/π.
    expect(Math.abs(result.mean() - Math.sqrt(2 / Math.PI))).toBeLessThan(5 * Math.sqrt((1 - 2 / Math.PI) / 1000));
    expect(Math.abs(Math.exp(result.logZ!) - 0.5)).toBeLessThan(5 * Math.sqrt(0.25 / 2000));
    expect(warnings).toEqual([]);
  });

  test('if there are infinitely many executions', () => {
    const geometric = (): number => (flip(0.5) ? 1 + geometric() : 0);
    const result = Infer(geometric);
    expect(result.method).toBe('rejection');
    expect(Math.abs(result.mean() - 1)).toBeLessThan(5 * Math.sqrt(2 / 1000));
  });

  test('if recursion has no end on some path but the first', () => {
    const deep = (): number => (sample(weighted([false, 1], [true, 1])) ? 1 + deep() : 0);
    const result = Infer(deep);
    expect(result.method).toBe('rejection');
    expect(result.reason).toMatch(
      /^not enumerate, because an execution (made 1000|overflowed the stack after \d+) choices$/,
    );
  });

  test('as many samples as it is told', () => {
    expect(Infer({ samples: 17 }, () => gaussian(0, 1)).samples).toHaveLength(17);
  });

  test('and says so if it is asked to', () => {
    Infer({ samples: 1, verbose: true }, () => gaussian(0, 1));
    expect(warnings).toEqual([
      'Infer chose method rejection (not enumerate, because Gaussian is continuous). ' +
        'Give the option method to choose yourself.',
    ]);
  });
});

describe('runs a chain', () => {
  test('if a density is observed', () => {
    const result = Infer(gaussianMean.model);
    expect(result.method).toBe('MCMC');
    expect(result.reason).toBe(
      'not enumerate, because Gaussian is continuous; not rejection, because the density of a Gaussian is observed',
    );
    expect(warnings).toEqual([
      `Infer chose method MCMC (${result.reason}). Give the option method to choose yourself.`,
    ]);
    expect(result.samples).toHaveLength(1000);
    // Ten steps between samples make them worth at least half as many independent ones.
    expect(Math.abs(result.mean() - gaussianMean.mean)).toBeLessThan(5 * Math.sqrt(gaussianMean.variance / 500));
  });

  test('if factors exceed 0', () => {
    const result = Infer({ samples: 10 }, () => {
      const x = gaussian(0, 1);
      factor(1 + Math.abs(x));
    });
    expect(result.method).toBe('MCMC');
    expect(result.reason).toContain('add up to');
  });

  test('if executions are accepted too rarely', () => {
    const result = Infer({ samples: 50 }, () => {
      const x = gaussian(0, 1);
      factor(-9 - Math.abs(x));
      return x;
    });
    expect(result.method).toBe('MCMC');
    expect(result.reason).toMatch(/not rejection, because only \d+ of 10000 executions were accepted$/);
  });

  test('if choices follow the last factor only', () => {
    const result = Infer({ samples: 10 }, () => gaussian(gaussianMean.model(), 1));
    expect(result.method).toBe('MCMC');
  });
});

describe('filters particles', () => {
  const walk = () => {
    let x = 0;
    for (let i = 0; i < 3; i++) {
      x = gaussian(x, 1);
      observe(Gaussian({ mu: x, sigma: 1 }), 1);
    }
    return x;
  };

  test('if there are choices between factors', () => {
    const result = Infer(walk);
    expect(result.method).toBe('SMC');
    expect(result.reason).toMatch(/; there are choices between factors$/);
    expect(result.samples).toHaveLength(1000);
    // Kalman filter by hand.
    let [mean, variance] = [0, 0];
    for (let i = 0; i < 3; i++) {
      variance += 1;
      mean += (variance / (variance + 1)) * (1 - mean);
      variance = variance / (variance + 1);
    }
    expect(Math.abs(result.mean() - mean)).toBeLessThan(5 * Math.sqrt(variance / 200));
  });

  test('and falls back on a chain when that fails', () => {
    // Rare enough for every one of 20 particles to fail, common enough for a chain to start.
    const result = Infer({ samples: 20 }, () => {
      const x = gaussian(0, 1);
      observe(Gaussian({ mu: x, sigma: 1 }), 0);
      const y = gaussian(0, 1);
      condition(y > 3.5);
      return y > 3.5;
    });
    expect(result.method).toBe('MCMC');
    expect(result.support()).toEqual([true]);
  });
});

describe('leaves nothing behind', () => {
  test('after trying methods that did not suit', () => {
    Infer({ samples: 10 }, () => gaussian(0, 1));
    expect(runsDirectly()).toBe(true);
    expect(() => factor(0)).toThrow('need an inference');
    expect(Number.isFinite(sample(Gaussian({ mu: 0, sigma: 1 })))).toBe(true);
  });

  test('inside another inference', () => {
    const outer = Infer({ method: 'rejection', samples: 5 }, () => {
      const { handler } = machine;
      Infer({ samples: 5 }, () => gaussian(0, 1));
      expect(machine.handler).toBe(handler);
      observe(Bernoulli({ p: 0.5 }), true);
      return Infer(() => flip(0.3)).score(true);
    });
    expect(outer.support()).toHaveLength(1);
    expect(outer.mean()).toBeCloseTo(Math.log(0.3), 14);
  });
});
