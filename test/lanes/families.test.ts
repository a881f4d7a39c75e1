/** Families of numbers whose parameters differ between executions: side by side, recorded, and one by one. */
import { expect, test } from 'vitest';
import * as families from '../../src/distributions/index.ts';
import { scalarFamily } from '../../src/distributions/scalar-family.ts';
import { ALL } from '../distributions/table.ts';
import { both } from './both-ways.ts';

const ROWS = ALL.filter(({ family }) => {
  const { family: definition } = (families as unknown as Record<string, { family?: object }>)[family];
  return definition !== undefined && scalarFamily(definition) !== undefined;
});

/** Executions have one or the other parameters, draw by them, and score a value of the other's support. */
const model = (family: string, [one, other = one]: readonly object[]): string => {
  const [a, b] = [one, other].map((params) => Object.entries(params).map(([name, value]) => `${name}: ${value}`));
  const params = a.map((text, i) => {
    const [name, value] = text.split(': ');
    return `${name}: which ? ${value} : ${b[i].split(': ')[1]}`;
  });
  return `var which = flip(0.4);
    var d = ${family}({${params.join(', ')}});
    var x = sample(d);
    factor(d.score(x) / 10);
    observe(d, x);
    return [which, x];`;
};

test('the table has families of numbers', () => expect(ROWS.length).toBeGreaterThanOrEqual(20));

test.each(ROWS)('$family', async ({ family, params }) => {
  for (const method of [
    "method: 'importance', samples: 60",
    "method: 'SMC', particles: 40",
    "method: 'MCMC', samples: 60",
  ]) {
    const { together, alone, how } = await both(`Infer({${method}, model() { ${model(family, params)} }})`, 1);
    expect(together).toEqual(alone);
    if (!method.includes('MCMC')) expect(how).toContain('side by side');
  }
});
