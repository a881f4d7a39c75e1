/** Functions of a lodash that a program imports mean what those of Waymark's own mean; gradients that end in callbacks of others are told of. */
import { expect, test } from 'vitest';
import { type RunOptions, run } from '../../src/program/run.ts';

const IMPORTS = `import { Optimize, param, factor, getParams, sample, Bernoulli } from 'waymark';\nimport _ from 'lodash';\n`;

async function optimised(body: string, options: RunOptions = {}): Promise<number> {
  const code = `${IMPORTS}
    const f = (t: number): number => t + 1;
    const g = (t: number): number => t * 2;
    Optimize({steps: 1, verbose: false, checkGradients: false, optMethod: {sgd: {stepSize: 1}}, model: () => {
      const x: any = param({name: 'x', mu: 1, sigma: 0});
      const b = sample(Bernoulli({p: 0.5}), {guide: () => Bernoulli({p: 0.5})});
      ${body}
    }});
    export default getParams();`;
  const { value } = await run(code, { seed: 1, language: 'ts', warn: () => {}, ...options });
  return (value as { x: { data: Float64Array } }).x.data[0];
}

test.each([
  ['_.without([f, g], b ? f : g).length * x', 1],
  ['_.cloneDeep({a: [x]}).a[0] * x', 2],
  ['_.sum([x, x * x])', 3],
  ['_.chain([x, 2]).map((t) => t * x).sum().value()', 4],
])('the slope of %s', async (code, slope) => {
  // One step of size 1 up the slope, from 1.
  expect(await optimised(`factor(${code});`)).toBeCloseTo(1 + slope, 9);
});

test('a gradient that ends in a callback of host code is told of', async () => {
  const said: string[] = [];
  await optimised('factor(x + _.cond([[() => true, () => x * x]])());', { warn: (message) => said.push(message) });
  expect(said.join('\n')).toContain('no gradient passes through');
});
