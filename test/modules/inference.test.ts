import { describe, expect, test } from 'vitest';
import { withRun, withSeed } from '../../src/index.ts';
import { compileModule } from '../../src/modules/compile-module.ts';
import { run } from '../../src/program/index.ts';
import { machine } from '../../src/runtime/machine.ts';
import { ParameterTable } from '../../src/runtime/parameters.ts';
import { asItIs, compiled } from './app-module.ts';

type Work = () => unknown;

/** What `work` finds out in a program and as a function of an app is the same, to the last digit. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'an optimisation over lanes that diverge': `
    import { Gaussian, gaussian, mapData, observe, Optimize, param } from 'waymark';
    const data: number[] = [0.3, -1.2, 2.5, 0.1];
    const model = () => {
      const m = gaussian(0, 2);
      mapData({ data }, (y) => { if (y > 1) { const x = gaussian(m, 1); observe(Gaussian({ mu: x, sigma: 1 }), y); } else observe(Gaussian({ mu: m * 2, sigma: 1 }), y); });
      return m;
    };
    const numbers = (params: ReturnType<typeof Optimize>) => Object.values(params).map((tensor) => Array.from(tensor.data));
    const work = () => numbers(Optimize({ model, steps: 30, verbose: false, optMethod: { adam: { stepSize: 0.05 } } }));`,
  NUTS: `
    import { beta, binomial, Binomial, gaussian, Infer, observe } from 'waymark';
    const posterior = () => Infer({ method: 'MCMC', kernel: 'NUTS', samples: 30, burn: 30, model: () => { const p = beta(2, 3); observe(Binomial({ p, n: 10 }), 7); return p; } });
    const work = () => posterior().samples.map(({ value }) => value);`,
  'chains, particles and enumeration': `
    import { condition, flip, Infer, map, mem, repeat, uniform } from 'waymark';
    const strength = () => mem((name: string) => uniform(0, 1) + name.length);
    const model = () => { const s = strength(); const winner = s('a') > s('bb') ? 'a' : 'bb'; condition(flip(0.8) || winner === 'a'); return winner; };
    const methods = [{ method: 'MCMC', samples: 200 }, { method: 'SMC', particles: 100 }, { method: 'rejection', samples: 50 }] as const;
    const work = () => methods.map((options) => Infer({ ...options, model }).score('bb')).concat(Infer({ method: 'enumerate' }, () => { let n = 0; for (let i = 0; i < 3; i++) n += flip(0.3) ? 1 : 0; return n; }).score(2));`,
  'names of WebPPL': `
    import { flip, map, repeat, sum } from 'waymark';
    import * as old from 'waymark/webppl';
    import { MCMC, idF } from 'waymark/webppl';
    const model = () => sum(map(idF, repeat(3, () => flip(0.3) ? 1 : 0)));
    const work = () => [old.Enumerate(model).score(2), MCMC(model, { samples: 50 }).score(1), old.numeric.fact(4)];`,
  'networks with guides': `
    import { Gaussian, affine, gaussian, mapData, observe, Optimize, param, sample, T, Vector } from 'waymark';
    const modelWith = (layer: ReturnType<typeof affine>) => () => mapData({ data: [1, 2, 3] }, (y) => {
      const out = layer(Vector([y]));
      const z = sample(Gaussian({ mu: 0, sigma: 1 }), { guide: () => Gaussian({ mu: T.get(out, 0), sigma: Math.exp(T.get(out, 1)) }) });
      observe(Gaussian({ mu: z, sigma: 1 }), y);
    });
    const work = () => Object.values(Optimize(modelWith(affine('l', { in: 1, out: 2 })), { steps: 5, verbose: false })).map((tensor) => Array.from(tensor.data));`,
};

/** As a run has them: none at its beginning. */
function afresh<R>(work: () => R): R {
  const { params } = machine;
  machine.params = new ParameterTable();
  try {
    return work();
  } finally {
    machine.params = params;
  }
}

describe('modules of apps infer as programs do', () => {
  for (const [name, code] of Object.entries(PROGRAMS)) {
    test(name, async () => {
      const { value } = await run(`${code}\nexport default work();`, { seed: 5, language: 'ts' });
      const { work } = await compiled(`${code}\nexport { work };`);
      expect(afresh(() => withSeed(5, work as Work))).toEqual(value);
    });
  }
});

const HELPER = 'export const double = (x: number) => x * 2;';
const USER = `import { Gaussian, gaussian, observe, Optimize } from 'waymark';
  import { double } from './helper';
  export const model = () => { const m = gaussian(0, 1); observe(Gaussian({ mu: double(m), sigma: 1 }), 2); return m; };
  export const learn = () => Optimize({ model, steps: 3, verbose: false });`;

describe('what a model calls in other modules', () => {
  const warningsOf = (work: Work): string[] => {
    const warnings: string[] = [];
    afresh(() => withRun({ seed: 1, warn: (message) => warnings.push(message) }, work));
    return warnings;
  };

  test('has gradients if it is compiled', async () => {
    const helper = await compiled(`import 'waymark';\n${HELPER}`);
    const { learn } = await compiled(USER, { './helper': helper });
    expect(warningsOf(learn as Work)).toEqual([]);
  });

  test('loses them if not, which is said', async () => {
    const { learn } = await compiled(USER, { './helper': asItIs(HELPER) });
    const warnings = warningsOf(learn as Work);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('no gradient passes through');
  });

  test('may be a model that was compiled without the word for gradients', async () => {
    const { model } = await compiled(
      `import { Gaussian, gaussian, observe } from 'waymark';
       export const model = () => { const m = gaussian(0, 1); if (m > 0) observe(Gaussian({ mu: m * 2, sigma: 1 }), 2); return m; };`,
    );
    const { learn } = await compiled(
      `import { Optimize } from 'waymark'; import { model } from './model';
       export const learn = () => Optimize({ model, steps: 3, verbose: false });`,
      { './model': { model } },
    );
    expect(warningsOf(learn as Work)).toEqual([]);
  });

  test('a model that is not compiled is told how to be', () => {
    const { learn } = asItIs(USER, { './helper': asItIs(HELPER) });
    expect(warningsOf(learn as Work)[0]).toContain('node --import waymark/register');
  });
});

test('functions called by the host again and again do not go deeper and deeper', async () => {
  const { walk } = await compiled(
    `import { flip } from 'waymark';
     const step = () => flip(0.5) ? 1 : -1;
     export function walk(n: number) { let s = 0; for (let i = 0; i < n; i++) s += step(); return s; }`,
  );
  const depth = (): number => {
    let levels = 0;
    for (let { address } = machine; address.parent !== null; address = address.parent) levels++;
    return levels;
  };
  (walk as (n: number) => number)(3);
  const before = depth();
  for (let i = 0; i < 50; i++) (walk as (n: number) => number)(3);
  expect(depth()).toBe(before);
});

describe('.wppl programs as modules', () => {
  test('have their value and their names', async () => {
    const { code } = await compileModule(
      `var prior = 0.3;
       var wet = function(rain) { return rain ? flip(0.9) : flip(0.1); };
       Infer({method: 'enumerate', model: function() { var rain = flip(idF(prior)); condition(wet(rain)); return rain; }})`,
      { file: 'rain.wppl' },
    );
    const { default: rain, prior, wet } = asItIs(code) as { default: { score(v: boolean): number }; prior: number; wet: unknown }; // biome-ignore format: one line
    expect(Math.exp(rain.score(true))).toBeCloseTo((0.3 * 0.9) / (0.3 * 0.9 + 0.7 * 0.1), 10);
    expect(prior).toBe(0.3);
    expect(typeof wet).toBe('function');
  });

  test('optimise', async () => {
    const { code } = await compileModule(
      `var model = function() { var m = gaussian(0, 1); observe(Gaussian({mu: m, sigma: 1}), 2); return m; };
       var learn = function() { return Optimize({model: model, steps: 3, verbose: false}); };`,
      { file: 'learn.wppl' },
    );
    const { learn } = asItIs(code) as { learn(): object };
    expect(Object.keys(afresh(() => withSeed(1, learn)))).toHaveLength(2);
  });

  test('say what they cannot have', async () => {
    await expect(compileModule('argv', { file: 'a.wppl' })).rejects.toThrow(
      'a.wppl uses argv, which programs have under',
    );
  });
});
