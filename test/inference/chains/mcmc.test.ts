import { beforeEach, describe, expect, test } from 'vitest';
import { Gaussian } from '../../../src/distributions/gaussian.ts';
import { incrementalMH } from '../../../src/inference/chains/incremental-mh.ts';
import { mcmc } from '../../../src/inference/chains/mcmc.ts';
import type { Trace } from '../../../src/inference/chains/trace.ts';
import { readOptions } from '../../../src/inference/options.ts';
import { machine } from '../../../src/runtime/machine.ts';
import { condition, factor, observe, sample } from '../../../src/runtime/primitives.ts';
import { query } from '../../../src/runtime/query.ts';
import { expectFrequencies, expectMean } from '../frequencies.ts';
import { die, flip, gaussianMean } from '../models.ts';
import { startTestRun } from '../test-run.ts';

const run = <T>(options: object, model: () => T) => mcmc.run(model, readOptions('MCMC', options, mcmc.options));
const runIncrementally = <T>(options: object, model: () => T) =>
  incrementalMH.run(model, readOptions('incrementalMH', options, incrementalMH.options));

beforeEach(() => void startTestRun(5));

describe('MCMC', () => {
  test('finds the posterior of a regression, to which a drift kernel helps', () => {
    const xs = [-2, -1, 0, 1, 2];
    const ys = [-3.1, -0.9, 1.2, 2.9, 5.1];
    const model = () => {
      const choose = (site: number) => {
        machine.address = machine.address.at(site);
        return sample(Gaussian({ mu: 0, sigma: 10 }), { driftKernel: (x) => Gaussian({ mu: x, sigma: 1 }) });
      };
      const [slope, intercept] = [choose(1), choose(2)];
      xs.forEach((x, i) => void observe(Gaussian({ mu: slope * x + intercept, sigma: 1 }), ys[i]));
      return [slope, intercept];
    };
    const result = run({ samples: 4000, lag: 24, burn: 500 }, model);
    // Slope and intercept are independent here, because the xs add up to 0.
    const precision = { slope: 10 + 0.01, intercept: 5 + 0.01 };
    const slope = xs.reduce((sum, x, i) => sum + x * ys[i], 0) / precision.slope;
    const intercept = ys.reduce((sum, y) => sum + y, 0) / precision.intercept;
    const values = result.samples!.map(({ value }) => value);
    expectMean(
      values.map(([a]) => a),
      slope,
      1 / precision.slope,
    );
    expectMean(
      values.map(([, b]) => b),
      intercept,
      1 / precision.intercept,
    );
  });

  test('makes burn + (lag + 1) · samples steps and tells those who watch', () => {
    const seen: string[] = [];
    const traces: Trace<unknown>[] = [];
    const watcher = {
      setup: (steps: number) => seen.push(`setup ${steps}`),
      initialize: () => seen.push('initialize'),
      iteration: (trace: Trace<unknown>) => void traces.push(trace),
      sample: ({ value, score }: { value: unknown; score: number }) => seen.push(`${value} ${score.toFixed(3)}`),
      finish: (trace: Trace<unknown>) => seen.push(`finish ${trace.value}`),
    };
    const result = run({ samples: 3, lag: 2, burn: 4, callbacks: [watcher] }, () => (flip(0.5) ? 'x' : 'x'));
    expect(seen).toEqual(['setup 13', 'initialize', 'x -0.693', 'x -0.693', 'x -0.693', 'finish x']);
    expect(traces).toHaveLength(13);
    expect(traces[0].choices[0].distribution.name).toBe('Bernoulli');
    expect(result.samples).toEqual(Array.from({ length: 3 }, () => ({ value: 'x', score: Math.log(0.5) })));
  });

  test('keeps the best sample only, if asked', () => {
    const model = () => {
      const x = die(6);
      factor(-Math.abs(x - 4));
      return x;
    };
    const { samples } = run({ samples: 200, onlyMAP: true }, model);
    expect(samples).toEqual([{ value: 4, score: Math.log(1 / 6) }]);
  });

  test('has a default for everything', () => {
    expect(run({}, () => flip()).samples).toHaveLength(100);
  });

  test('gives the same samples for the same seed, and others for another', () => {
    const values = (seed: number) => {
      startTestRun(seed);
      return run({ samples: 50 }, gaussianMean.model).samples!.map(({ value }) => value);
    };
    expect(values(1)).toEqual(values(1));
    expect(values(1)).not.toEqual(values(2));
  });

  test('reports progress with the acceptance ratio', () => {
    const { progress } = startTestRun(1);
    run({ samples: 400, verbose: true }, () => flip());
    expect(progress.length).toBeGreaterThan(100);
    expect(progress[0]).toEqual(['MCMC', 3, 400]);
  });

  test('tells how many proposals it accepted', () => {
    expect(run({ samples: 50 }, () => flip()).diagnostics).toMatchObject({ acceptance: 1 });
  });

  test('returns the table of a model that returns query', () => {
    const result = run({ samples: 10 }, () => {
      query.add('coin', flip(1));
      return query as unknown;
    });
    expect(result.samples![9].value).toEqual({ coin: true });
  });

  test('gives up a start that never succeeds, where it fails', () => {
    let attempts = 0;
    const model = () => {
      attempts++;
      flip();
      condition(false);
    };
    const failing = () => run({ maxInitAttempts: 250 }, model);
    expect(failing).toThrow(
      'MCMC found no execution to start from: 250 forward executions all met a factor of -Infinity or a condition ' +
        'that fails, the last one here.',
    );
    expect(attempts).toBe(250);
    try {
      failing();
    } catch (error) {
      expect((error as Error).stack).toMatch(/condition.*model.*mcmc\.test\.ts/s);
    }
  });

  test('starts from a rare execution', () => {
    const result = run({ samples: 10 }, () => {
      const coins = Array.from({ length: 10 }, () => flip());
      condition(coins.every((coin) => coin));
      return coins.length;
    });
    expect(result.support()).toEqual([10]);
  });

  test('leaves the machine as it was when the program throws', () => {
    const { handler, stream, store, address } = machine;
    let calls = 0;
    const model = () => {
      flip();
      if (++calls === 5) throw new Error('from the program');
      condition(calls % 2 === 0);
      return sample(Gaussian({ mu: 0, sigma: 1 }));
    };
    expect(() => run({}, model)).toThrow('from the program');
    expect(machine).toMatchObject({ handler, stream, store });
    expect(machine.address).toBe(address);
  });

  test('refuses a factor of Infinity', () => {
    expect(() => run({}, () => factor(Infinity))).toThrow('factor got Infinity: a weight must be finite.');
  });

  test('warns of samples that violate a condition after a permissive start', () => {
    const { warnings } = startTestRun(2);
    const kernel = { MH: { permissive: true } };
    const result = run({ samples: 5, kernel }, () => condition(false));
    expect(result.samples![0].score).toBe(-Infinity);
    expect(warnings[0]).toMatch('MCMC: 5 of the samples violate a condition');
  });

  test.each([
    [{ kernel: 'HM' }, "MCMC: kernel must be one of 'MH'"],
    [{ kernel: 'NUT' }, 'got the string "NUT". Did you mean \'NUTS\'?'],
    [{ kernel: { MH: { permisive: true } } }, "MCMC kernel MH has no option 'permisive'"],
    [{ samples: 0 }, 'MCMC: samples must be an integer of at least 1, got 0.'],
    [{ burnin: 3 }, "MCMC has no option 'burnin'"],
  ])('refuses %j', (options, message) => {
    expect(() => run(options, () => flip())).toThrow(message);
  });
});

describe('incrementalMH', () => {
  test('records the execution it starts from', () => {
    let executions = 0;
    runIncrementally({ samples: 1 }, () => {
      executions++;
      return sample(Gaussian({ mu: 0, sigma: 1 }));
    });
    expect(executions).toBe(1);
  });

  test('keeps 100 samples if not told otherwise', () => {
    expect(runIncrementally({}, () => flip()).samples).toHaveLength(100);
  });

  test('accepts the options that tune a cache', () => {
    const tuning = { dontAdapt: true, doFullRerun: true, cacheMinHitRate: 0.1, cacheFuseLength: 5, debuglevel: 1 };
    const more = { cacheIterFuseLength: 3, verboseLag: 10, verbose: true, burn: 10, lag: 7, samples: 4000 };
    const result = runIncrementally({ ...tuning, ...more }, () => {
      const [a, b] = [flip(), flip()];
      condition(a || b);
      return a;
    });
    const values = result.samples!.map(({ value }) => value);
    expectFrequencies(values, [
      [true, 2 / 3],
      [false, 1 / 3],
    ]);
  });
});
