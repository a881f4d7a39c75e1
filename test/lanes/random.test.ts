import { describe, expect, test } from 'vitest';
import { fewGroups } from '../../src/lanes/together.ts';
import type { ElboOptions } from '../../src/optimize/elbo.ts';
import { openAfter } from '../../src/optimize/open-steps.ts';
import { loadProgram } from '../../src/program/load.ts';
import { difference, follow } from './estimates.ts';
import { randomProgram } from './random-program.ts';

/** How many programs are tried; other numbers than these can be tried by hand. */
const { PROGRAMS = '120', FIRST = '0' } = process.env;
const PART = 30;
const STEPS = 5;

/** The variance reductions of the estimator are part of the law too. */
const OPTIONS: readonly Partial<ElboOptions>[] = [
  { samples: 2 },
  { localWeights: false },
  { avgBaselines: false, removeZeroExpectation: false },
  {},
  {},
  {},
];

/** Whether anything ran side by side, whether it branched, and whether any step was compiled. */
interface Conduct {
  readonly together: boolean;
  readonly branched: boolean;
  readonly compiled: boolean;
  /** Whether the program fails, as a few do: then it has to fail alike. */
  readonly fails: boolean;
}

async function holdToTheLaw(seed: number): Promise<Conduct> {
  const code = randomProgram(seed);
  const program = await loadProgram({ code });
  const options = OPTIONS[seed % OPTIONS.length];
  const apart = follow(program, { sequential: true, compiled: false, steps: STEPS, options });
  // The first step is run side by side, the second recorded, and the others are compiled where they can be, for open lanes too.
  openAfter.steps = 1;
  const { most } = fewGroups;
  // Two of three programs branch wherever they can; otherwise only those do that part into many groups.
  if (seed % 3 > 0) fewGroups.most = 1;
  const together = follow(program, { sequential: false, compiled: true, steps: STEPS, options });
  fewGroups.most = most;
  expect(difference(apart, together), `program ${seed}:\n${code}\n${together.explanation}`).toBeUndefined();
  return {
    together: together.explanation.includes('side by side'),
    branched: together.explanation.includes('each side of a condition'),
    compiled: /steps: [1-9]\d* compiled/.test(together.explanation),
    fails: apart.error !== undefined,
  };
}

describe('random programs, side by side, compiled and one by one, give the same objectives and gradients', () => {
  const parts = Array.from({ length: Math.ceil(Number(PROGRAMS) / PART) }, (_, k) => Number(FIRST) + k * PART);
  test.each(parts)('from number %i on', async (first) => {
    const seen: Conduct[] = [];
    for (let seed = first; seed < first + PART; seed++) seen.push(await holdToTheLaw(seed));
    // It would be no test if they all failed or fell back.
    expect(seen.filter(({ fails }) => fails).length).toBeLessThan(PART / 5);
    expect(seen.filter(({ together }) => together).length).toBeGreaterThan(PART / 2);
    expect(seen.filter(({ branched }) => branched).length).toBeGreaterThan(PART / 20);
    expect(seen.filter(({ compiled }) => compiled).length).toBeGreaterThan(PART / 20);
  });
});
