/** The law on random programs: side by side, compiled and one by one give the same objectives and gradients. */
import { describe, expect, test } from 'vitest';
import { fewGroups } from '../../src/lanes/together.ts';
import { iwae } from '../../src/optimize/iwae.ts';
import { openAfter } from '../../src/optimize/open-steps.ts';
import { rws } from '../../src/optimize/rws.ts';
import { loadProgram } from '../../src/program/load.ts';
import { type Conduct as Asked, difference, follow, objectiveOf } from './estimates.ts';
import { randomProgram } from './random-program.ts';

const PART = 30;
const STEPS = 5;

type Rules = Pick<Asked, 'options' | 'objective'>;

/** The variance reductions of the estimator are part of the law too, and so are objectives with several samples. */
const OPTIONS: readonly Rules[] = [
  { options: { samples: 2 } },
  { options: { localWeights: false } },
  { options: { avgBaselines: false, removeZeroExpectation: false } },
  {},
  {},
  { objective: objectiveOf(iwae, { samples: 3 }) },
  { objective: objectiveOf(rws, { samples: 3, dream: 0 }) },
];

/** The same with values that are tried, of several choices that may have too many together. */
const TRIED: readonly Rules[] = [
  { options: { samples: 2, gradients: 'automatic' } },
  { options: { gradients: 'automatic' } },
  { options: { gradients: 'named' } },
];

/** Whether anything ran side by side, whether it branched, and whether any step was compiled. */
interface Conduct {
  readonly together: boolean;
  readonly branched: boolean;
  readonly compiled: boolean;
  /** Whether the program fails, as a few do: then it has to fail alike. */
  readonly fails: boolean;
  /** How side by side and one by one differ, with the program. */
  readonly breach: string | undefined;
}

async function holdToTheLaw(seed: number, tries: boolean): Promise<Conduct> {
  const code = randomProgram(seed);
  const program = await loadProgram({ code });
  const rules = tries ? TRIED : OPTIONS;
  const asked = rules[seed % rules.length];
  // The first step is run side by side, the second recorded, and the others are compiled where they can be, for open lanes too.
  openAfter.steps = 1;
  const { most } = fewGroups;
  // Two of three programs branch wherever they can; otherwise only those do that part into many groups.
  if (seed % 3 > 0) fewGroups.most = 1;
  const apart = follow(program, { sequential: true, compiled: false, steps: STEPS, ...asked });
  const together = follow(program, { sequential: false, compiled: true, steps: STEPS, ...asked });
  fewGroups.most = most;
  const differs = difference(apart, together);
  return {
    breach: differs && `program ${seed}: ${differs}\n${code}\n${together.explanation}`,
    together: together.explanation.includes('side by side'),
    branched: together.explanation.includes('each side of a condition'),
    compiled: /steps: [1-9]\d* compiled/.test(together.explanation),
    fails: apart.error !== undefined,
  };
}

/** Holds so many programs to it, from a number on. */
export function describeLaw(first: number, programs: number, tries = false): void {
  const rules = tries ? 'with values that are tried, ' : '';
  describe(`random programs, ${rules}side by side, compiled and one by one, give the same objectives and gradients`, () => {
    const seen: Conduct[] = [];
    const parts = Array.from({ length: Math.ceil(programs / PART) }, (_, k) => first + k * PART);
    test.each(parts)('from number %i on', async (from) => {
      const found: Conduct[] = [];
      for (let seed = from; seed < from + PART; seed++) found.push(await holdToTheLaw(seed, tries));
      seen.push(...found);
      expect(found.flatMap(({ breach }) => breach ?? []).join('\n')).toBe('');
    });

    test('which would mean nothing if they all failed or fell back', () => {
      const count = (is: (one: Conduct) => boolean): number => seen.filter(is).length;
      expect(count(({ fails }) => fails)).toBeLessThan(seen.length / 5);
      expect(count(({ together }) => together)).toBeGreaterThan(seen.length / 2);
      expect(count(({ branched }) => branched)).toBeGreaterThan(seen.length / 20);
      expect(count(({ compiled }) => compiled)).toBeGreaterThan(seen.length / 20);
    });
  });
}
