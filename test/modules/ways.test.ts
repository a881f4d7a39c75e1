/** In which way the inferences of apps run, in the forms that apps have. Whatever the way, results are those of one by one. */
import { beforeAll, describe, expect, test } from 'vitest';
import { withRun } from '../../src/index.ts';
import { loadProgram } from '../../src/program/load.ts';
import { machine } from '../../src/runtime/machine.ts';
import type { Conduct } from '../../src/runtime/reasons.ts';
import { quietRun } from '../program/quiet-run.ts';
import { asItIs, compiled } from './app-module.ts';

interface App {
  /** A module that exports `work`; `./other` is the second one. */
  readonly code: string;
  readonly other?: string;
  /** Whether that is not compiled. */
  readonly isHost?: boolean;
  /** The way, or why one by one. */
  readonly way: string;
}

const LIBRARY =
  "import { Gaussian, condition, flip, gaussian, globalStore, Infer, map, mapData, mem, observe, repeat, sample, uniform } from 'waymark';\n";
const SMC = "method: 'SMC', particles: 60";
const MODEL =
  '{ const m = gaussian(0, 1); observe(Gaussian({ mu: m, sigma: 1 }), m > 0 ? 1 : 2); return Math.round(m * 10); }';
const values = (call: string): string => `export const work = () => (${call}).samples.map(({ value }) => value);`;

const APPS: Readonly<Record<string, App>> = {
  'a model at the call': { code: values(`Infer({ ${SMC}, model: () => ${MODEL} })`), way: 'columns' },
  'a model by its name': {
    code: `const model = () => ${MODEL};\n${values(`Infer({ ${SMC}, model })`)}`,
    way: 'columns',
  },
  'options first': { code: `function model() ${MODEL}\n${values(`Infer({ ${SMC} }, model)`)}`, way: 'columns' },
  'the model first': { code: values(`Infer(() => ${MODEL}, { ${SMC} })`), way: 'columns' },
  'the library as a whole': {
    code: `import * as w from 'waymark';\n${values(`w.Infer({ ${SMC}, model: () => ${MODEL} })`)}`,
    way: 'columns',
  },
  'samples by weights': {
    code: values(`Infer({ method: 'importance', samples: 60, model: () => ${MODEL} })`),
    way: 'columns',
  },
  'a chain': {
    code: values(
      `Infer({ method: 'MCMC', samples: 2000, model: () => { const m = gaussian(0, 1); observe(Gaussian({ mu: m, sigma: 1 }), 2); return m; } })`,
    ),
    way: 'recording',
  },
  'data as a parameter': {
    code: `const infer = (data: number[]) => Infer({ ${SMC}, model: () => { const m = gaussian(0, 1); map((y: number) => observe(Gaussian({ mu: m, sigma: 1 }), y), data); return m; } });\n${values('infer([1, 2, 3])')}`,
    way: 'columns',
  },
  'a model as a parameter': {
    code: `const model = () => ${MODEL};\nconst infer = (given: () => number) => Infer({ ${SMC}, model: given });\n${values('infer(model)')}`,
    way: 'columns',
  },
  'a model that a function makes': {
    code: `const make = (s: number) => () => { const m = gaussian(0, s); condition(m < s); return m; };\n${values(`Infer({ ${SMC}, model: make(2) })`)}`,
    way: 'columns',
  },
  'a model that was made before': {
    code: `const make = (s: number) => () => { const m = gaussian(0, s); condition(m < s); return m; };\nconst model = make(2);\n${values(`Infer({ ${SMC}, model })`)}`,
    way: 'columns',
  },
  'a model of another module': {
    other: `export const model = () => ${MODEL};`,
    code: `import { model } from './other';\n${values(`Infer({ ${SMC}, model })`)}`,
    way: 'columns',
  },
  'a helper and data of another module': {
    other: 'const scale = 2; export const double = (x: number) => x * scale; export const data = [{ y: 1 }, { y: 2 }];',
    code: `import { data, double } from './other';\n${values(`Infer({ ${SMC}, model: () => { const m = gaussian(0, 1); data.forEach(({ y }) => observe(Gaussian({ mu: double(m), sigma: 1 }), y)); return m; } })`)}`,
    way: 'columns',
  },
  'a module as a whole': {
    other: 'export const double = (x: number) => x * 2;',
    code: `import * as helpers from './other';\n${values(`Infer({ ${SMC}, model: () => helpers.double(gaussian(0, 1)) })`)}`,
    way: 'columns',
  },
  'enums and constants': {
    code: `enum Width { Narrow = 1, Wide = 3 }\nconst limits = { low: -1, high: 1 };\n${values(`Infer({ ${SMC}, model: () => { const m = gaussian(0, Width.Wide); condition(m > limits.low); return m; } })`)}`,
    way: 'columns',
  },
  'state elsewhere in the module': {
    code: `let clicks = 0; export const click = () => { clicks++; };\nconst button: { onclick?: () => void } = {}; button.onclick = () => { clicks = 3; };\n${values(`Infer({ ${SMC}, model: () => ${MODEL} })`)}`,
    way: 'columns',
  },
  'a method of a class, and async': {
    code: `class Estimate { constructor(readonly data: number[]) {} run() { const { data } = this; return Infer({ ${SMC}, model: () => { const m = gaussian(0, 1); data.map((y) => observe(Gaussian({ mu: m, sigma: 1 }), y)); return m; } }); } }\nexport const load = async () => [1];\n${values('new Estimate([1, 2]).run()')}`,
    way: 'columns',
  },
  'an inference inside': {
    code: values(
      `Infer({ ${SMC}, model: () => { const p = uniform(0.1, 0.9); const guess = Infer({ method: 'enumerate' }, () => flip(p) && flip(0.5)); condition(sample(guess)); return p; } })`,
    ),
    way: 'columns',
  },
  'choices that are remembered': {
    code: values(
      `Infer({ ${SMC}, model: () => { const s = mem((name: string) => uniform(0, 1) + name.length); condition(s('a') < s('b')); return s('a'); } })`,
    ),
    way: 'columns',
  },
  'a model that counts': {
    code: `let calls = 0;\nexport const work = () => { calls = 0; Infer({ ${SMC}, model: () => { calls++; return flip(0.5); } }); return calls; };`,
    way: 'one by one; state: functions of the program change what others see (app.ts:3:',
  },
  'a model that collects': {
    code: `const seen: number[] = [];\nexport const work = () => { seen.length = 0; Infer({ ${SMC}, model: () => { const x = uniform(0, 1); seen.push(x); return x; } }); return seen; };`,
    way: 'one by one; state: functions of the program change what others see (app.ts:3:',
  },
  'a model that counts in another module': {
    other:
      'let calls = 0; export const count = () => { calls++; }; export const reset = () => { const n = calls; calls = 0; return n; };',
    code: `import { count, reset } from './other';\nexport const work = () => { reset(); Infer({ ${SMC}, model: () => { count(); return flip(0.5); } }); return reset(); };`,
    way: 'one by one; state: count may keep state',
  },
  'a function that is not compiled': {
    isHost: true,
    other: 'let calls = 0; export const next = () => ++calls; export const reset = () => { calls = 0; };',
    code: `import { next, reset } from './other';\nexport const work = () => { reset(); return Infer({ ${SMC}, model: () => flip(0.5) ? next() : 0 }).samples.map(({ value }) => value); };`,
    way: 'one by one; state: next may keep state',
  },
  'an object of a class': {
    code: `class Counter { n = 0; bump() { return ++this.n; } }\nexport const work = () => { const counter = new Counter(); return Infer({ ${SMC}, model: () => flip(0.5) ? counter.bump() : 0 }).samples.map(({ value }) => value); };`,
    way: 'one by one; state: Counter may keep state',
  },
  'an object of a class that is given': {
    other: 'class Counter { n = 0; bump() { return ++this.n; } } export const counter = new Counter();',
    code: `import { counter } from './other';\nexport const work = () => { counter.n = 0; return Infer({ ${SMC}, model: () => flip(0.5) ? counter.bump() : 0 }).samples.map(({ value }) => value); };`,
    way: 'one by one; state: an object of Counter may keep state',
  },
  'a class in the model': {
    code: `class Point { constructor(readonly x: number) {} }\n${values(`Infer({ ${SMC}, model: () => new Point(gaussian(0, 1)).x })`)}`,
    way: 'one by one; state: Point may keep state',
  },
  'what the page has': {
    code: values(
      `Infer({ ${SMC}, model: () => typeof (globalThis as any).document === 'undefined' ? gaussian(0, 1) : 0 })`,
    ),
    way: 'one by one; state: functions of the program may use globalThis',
  },
  'a callback that looks on': {
    code: `let steps = 0;\nexport const work = () => { steps = 0; return [Infer({ method: 'MCMC', samples: 60, callbacks: [{ iteration() { steps++; } }], model: () => ${MODEL} }).samples.map(({ value }) => value), steps]; };`,
    way: 'one by one',
  },
  'the store': {
    code: values(
      `Infer({ ${SMC}, model: () => { globalStore.n = (globalStore.n ?? 0) + (flip(0.5) ? 1 : 2); return globalStore.n; } })`,
    ),
    way: 'one by one; state: functions of the program change what others see',
  },
};

async function appOf({ code, other, isHost }: App): Promise<() => unknown> {
  const given = other === undefined ? {} : { './other': isHost ? asItIs(other) : await compiled(LIBRARY + other) };
  const { work } = await compiled(LIBRARY + code, given, 'app.ts');
  return work as () => unknown;
}

function run(work: () => unknown, sequential: boolean): { value: unknown; told: Conduct[] } {
  const told: Conduct[] = [];
  const value = withRun({ seed: 3, engine: { sequential } }, () => {
    machine.run.conduct = (how) => told.push(how);
    return work();
  });
  return { value, told };
}

// What is known of a program that ran before in the same thread says nothing of an app's models.
beforeAll(async () => {
  const code = 'var f = function() { var xs = []; xs.push(1); return xs; }; f()';
  (await loadProgram({ code })).run(quietRun());
});

describe('inferences of apps', () => {
  for (const [name, app] of Object.entries(APPS)) {
    test(name, async () => {
      const work = await appOf(app);
      const { value, told } = run(work, false);
      const [how] = told.slice(-1);
      const because = how.code === undefined ? '' : `; ${how.code}: ${how.reason}`;
      expect(`${how.way}${because}`.slice(0, app.way.length)).toBe(app.way);
      expect(how.place).toMatch(/^app\.ts:\d+:\d+$/);
      expect(value).toEqual(run(work, true).value);
    });
  }
});

test('what they say of how they ran', async () => {
  const work = await appOf(APPS['an object of a class']);
  const warnings: string[] = [];
  withRun({ seed: 1, engine: { explainBatching: true }, warn: (message) => warnings.push(message) }, work);
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toMatch(
    /^How SMC at app\.ts:3:\d+ ran: 60 particles one by one, because Counter may keep state: it is not compiled/,
  );
});

describe('whether executions of a model do the same', () => {
  const MODELS: Readonly<Record<string, Omit<App, 'way'>>> = {
    even: { code: `const model = () => ${MODEL};` },
    recursive: { code: 'const model = (): number => (flip(0.5) ? 1 + model() : 0);' },
    uneven: { code: 'const model = () => { let n = 0; while (n < 9) { if (flip(0.5)) break; n++; } return n; };' },
    'uneven in another module': {
      other: 'export const draw = () => { let n = 0; while (n < 9) { if (flip(0.5)) break; n++; } return n; };',
      code: "import { draw } from './other';\nconst model = () => draw() + gaussian(0, 1);",
    },
  };
  for (const [name, { code, other }] of Object.entries(MODELS)) {
    test(name, async () => {
      const infer = `export const work = () => Infer({ method: 'importance', samples: 60, model });`;
      const work = await appOf({ code: `${code}\n${infer}`, other, way: '' });
      let found: string | undefined;
      withRun({ seed: 3 }, () => {
        machine.run.conduct = () => {
          found = machine.program.evenness;
        };
        return work();
      });
      expect(found).toBe(name.split(' ')[0]);
    });
  }
});
