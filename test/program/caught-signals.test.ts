/** Functions of the host that catch whatever is thrown do not keep the runtime from ending an execution. */
import { describe, expect, test } from 'vitest';
import { run } from '../../src/program/run.ts';

const CATCHERS: Readonly<Record<string, string>> = {
  'attempt of lodash': "import _ from 'lodash'; const guard = _.attempt;",
  'attempt as a method': "import _ from 'lodash'; const guard = (f: () => void) => _.attempt(f);",
  'a function of a package': "import guard from 'lodash/attempt.js';",
};

const METHODS: readonly string[] = [
  "method: 'enumerate'",
  "method: 'enumerate', strategy: 'breadthFirst'",
  "method: 'enumerate', maxExecutions: 100",
  "method: 'rejection', samples: 50",
  "method: 'importance', samples: 100",
  "method: 'SMC', particles: 50",
  "method: 'SMC', particles: 50, rejuvSteps: 2",
  "method: 'PMCMC', particles: 10, sweeps: 5",
  "method: 'MCMC', samples: 100",
  "method: 'MCMC', samples: 600",
];

interface Found {
  support(): { k: number; after: boolean }[];
}

async function expectKept(code: string, file: string): Promise<void> {
  for (const sequential of [true, false]) {
    const { value } = await run(code, { seed: 1, file, engine: { sequential } });
    const kept = (value as Found).support().map(({ k }) => k);
    expect([...new Set(kept)].sort(), `sequential: ${sequential}`).toEqual([2, 3]);
  }
}

test.each(METHODS)('a program in the language of WebPPL: %s', async (method) => {
  const code = `
    var guard = _.attempt;
    Infer({${method}, model() {
      var k = randomInteger(4);
      guard(function() { condition(k > 1); });
      var after = flip(0.5);
      factor(after ? 0 : -1);
      return {k: k, after: after};
    }})`;
  await expectKept(code, 'program.wppl');
});

describe.each(Object.keys(CATCHERS))('%s', (name) => {
  test.each(METHODS)('%s', async (method) => {
    const code = `
      import { condition, factor, flip, Infer, randomInteger } from 'waymark';
      ${CATCHERS[name]}
      export default Infer({${method}, model: () => {
        const k = randomInteger(4);
        guard(() => { condition(k > 1); });
        const after = flip(0.5);
        factor(after ? 0 : -1);
        return {k, after};
      }});`;
    await expectKept(code, 'program.ts');
  });
});
