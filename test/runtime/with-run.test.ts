import { describe, expect, test } from 'vitest';
import { display, flip, Infer, repeat, setParams, uniform, withRun, withSeed } from '../../src/index.ts';
import { machine } from '../../src/runtime/machine.ts';

const draws = (): number[] => Array.from({ length: 5 }, () => uniform(0, 1));

describe('withSeed', () => {
  test('gives the same numbers again, whatever was drawn before', () => {
    const first = withSeed(7, draws);
    draws();
    expect(withSeed(7, draws)).toEqual(first);
    expect(withSeed(8, draws)).not.toEqual(first);
    const infer = () => Infer({ method: 'MCMC', samples: 50, model: () => uniform(0, 1) }).samples?.map((s) => s.value);
    expect(withSeed(1, infer)).toEqual(withSeed(1, infer));
  });

  test('leaves what is around it as it was', () => {
    const outside = withSeed(1, () => [...draws(), ...draws()]);
    const interrupted = withSeed(1, () => {
      const before = draws();
      withSeed(2, draws);
      expect(() => withSeed(3, () => draws()[9].toFixed())).toThrow(TypeError);
      return [...before, ...draws()];
    });
    expect(interrupted).toEqual(outside);
  });

  test('needs a whole number and a function that is done when it returns, outside models', () => {
    expect(() => withSeed(0.5, draws)).toThrow('withSeed needs a whole number, got 0.5.');
    expect(() => withSeed(1, 3 as never)).toThrow('withSeed needs a function to call, got 3.');
    expect(() => withSeed(1, async () => 1)).toThrow('this one is async. Wait for its data first.');
    expect(() => Infer({ method: 'enumerate' }, () => withSeed(1, () => flip(0.5)))).toThrow(
      'withSeed starts a run, which nothing inside a model can: call it around Infer or Optimize.',
    );
  });
});

describe('withRun', () => {
  test('tells its listeners, and nobody else', () => {
    const seen: unknown[] = [];
    const work: number[] = [];
    withRun(
      {
        seed: 1,
        output: (value, text) => seen.push([value, text]),
        progress: () => ({ update: (done) => work.push(done), finish() {} }),
      },
      () => {
        display({ a: 1 });
        Infer({ method: 'rejection', samples: 5000, model: () => flip(0.5) });
      },
    );
    expect(seen).toEqual([[{ a: 1 }, '{ a: 1 }']]);
    // More often on a slow machine.
    expect(work).toContain(4096);
  });

  test('ends where a listener aborts, between steps, and with the reason', () => {
    const controller = new AbortController();
    let steps = 0;
    const chain = () => Infer({ method: 'MCMC', samples: 1e7, model: () => flip(0.5) });
    const progress = () => ({
      update(done: number) {
        steps = done;
        if (done > 10_000) controller.abort(new Error('long enough'));
      },
      finish() {},
    });
    expect(() => withRun({ signal: controller.signal, progress }, chain)).toThrow('long enough');
    expect(steps).toBeLessThan(30_000);
    let called = false;
    expect(() => withRun({ signal: controller.signal }, () => { called = true; })).toThrow('long enough'); // biome-ignore format: short
    expect(called).toBe(false);
  });

  test('ends an inference of few and slow executions, in every method', () => {
    const slow = (): boolean => {
      const until = performance.now() + 20;
      while (performance.now() < until);
      return flip(0.5);
    };
    const methods = [
      { method: 'MCMC', samples: 1000 },
      { method: 'forward', samples: 1000 },
      { method: 'importance', samples: 1000 },
      { method: 'rejection', samples: 1000 },
      { method: 'SMC', particles: 1000 },
      { method: 'PMCMC', particles: 1000, sweeps: 2 },
      { method: 'enumerate', maxExecutions: 1000 },
    ] as const;
    for (const options of methods) {
      const controller = new AbortController();
      const progress = () => ({ update: () => controller.abort(new Error(options.method)), finish() {} });
      let executions = 0;
      const model = () => {
        const choices = repeat(10, () => flip(0.5));
        executions++;
        return choices.concat(slow());
      };
      expect(() => withRun({ signal: controller.signal, progress }, () => Infer({ ...options, model }))).toThrow(
        options.method,
      );
      expect(executions, options.method).toBeLessThan(100);
    }
  });

  test('has the parameters of the run around it', () => {
    setParams({});
    expect(withRun({ seed: 1 }, () => machine.params)).toBe(machine.params);
  });
});
