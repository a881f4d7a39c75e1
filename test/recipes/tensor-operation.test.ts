/** A new elementwise operation is a line and its gradient: the tests of operations and devices then hold for it. */
import { expect, test, vi } from 'vitest';
import type { Share } from '../../src/tensor/gradient/elementwise-rules.ts';
import type { Op } from '../../src/tensor/node.ts';

vi.mock('../../src/tensor/elementwise/table.ts', async (original) => {
  const table = await original<typeof import('../../src/tensor/elementwise/table.ts')>();
  return { ...table, BUMP: table.define('bump', 1, 'a / (1 + a * a)') };
});

vi.mock('../../src/tensor/gradient/elementwise-rules.ts', async (original) => {
  const rules = await original<typeof import('../../src/tensor/gradient/elementwise-rules.ts')>();
  const { BUMP } = (await import('../../src/tensor/elementwise/table.ts')) as unknown as { BUMP: Op };
  const { add, div, square, sub, weigh } = await import('../../src/tensor/ops/arithmetic.ts');
  const share: Share = (g, _y, a) => weigh(g, div(sub(1, square(a)), square(add(1, square(a)))));
  return { ...rules, elementwiseRules: new Map([...rules.elementwiseRules, [BUMP, [share]]]) };
});

vi.mock('../tensor/cases.ts', async (original) => {
  const table = await original<typeof import('../tensor/cases.ts')>();
  return { ...table, cases: table.cases.filter(({ name }) => name.startsWith('bump ')), laneCases: [] };
});

const { cases } = await import('../tensor/cases.ts');

test('the table of cases has rows for it', () => {
  expect(cases.length).toBeGreaterThan(0);
});

// The tests that are made of that table, of these rows alone.
await import('../tensor/gradients.test.ts');
await import('../tensor/devices.test.ts');
