/** Objects that go by several names and are changed under any, under gradients: side by side and compiled as one by one. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fewGroups } from '../../src/lanes/together.ts';
import { openAfter } from '../../src/optimize/open-steps.ts';
import type { GradientsOption } from '../../src/optimize/sites/rule.ts';
import { courseOf, difference } from './estimates.ts';
import { roamingModel } from './roaming-program.ts';

const FIRST = Number(process.env.FIRST ?? 0);
const COUNT = Number(process.env.COUNT ?? 5);
const STEPS = 7;

const WAYS: readonly { readonly title: string; readonly groups: number; readonly gradients?: GradientsOption }[] = [
  { title: 'in groups', groups: fewGroups.most },
  { title: 'on sides', groups: 1 },
  { title: 'with values that are tried', groups: 1, gradients: 'automatic' },
];

describe.each(WAYS)('$title', ({ groups, gradients }) => {
  const { most } = fewGroups;
  const { steps } = openAfter;
  beforeEach(() => {
    openAfter.steps = 1;
    fewGroups.most = groups;
  });
  afterEach(() => {
    openAfter.steps = steps;
    fewGroups.most = most;
  });

  test.each([
    ['for data', true],
    ['by itself', false],
  ])('%s', { timeout: 300_000 }, async (_name, isOfData) => {
    let beside = 0;
    for (let number = FIRST; number < FIRST + COUNT; number++) {
      const code = roamingModel(number, isOfData);
      const conduct = { steps: STEPS, options: { gradients } };
      const apart = await courseOf(code, { ...conduct, sequential: true, compiled: false });
      const together = await courseOf(code, { ...conduct, sequential: false, compiled: true });
      expect(apart.error, `program ${number}`).toBeUndefined();
      expect(difference(apart, together), `program ${number}: ${together.explanation}`).toBeUndefined();
      if (/data side by side|[1-9] compiled/.test(together.explanation)) beside++;
    }
    expect(beside).toBeGreaterThan(isOfData ? COUNT / 6 : 0);
  });
});
