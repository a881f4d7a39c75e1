import { expect, test } from 'vitest';
import { Service } from '../../../src/cli/serve/service.ts';
import { Discrete } from '../../../src/distributions/discrete.ts';
import { startRun } from '../../../src/runtime/machine.ts';
import { quietRun } from '../../program/quiet-run.ts';

/** A service whose model fails as `failing` says of the data of one pass. */
function serving(failing: (data: readonly unknown[]) => boolean) {
  const posterior = Discrete({ ps: [0.5, 0.5] });
  const posteriors = (data: readonly unknown[]) => {
    if (failing(data)) throw new TypeError('something is broken');
    return data.map(() => posterior);
  };
  const run = quietRun(1);
  startRun(run);
  const served = { program: { posteriors, dreams: () => [{ data: 1 }] } } as never;
  const service = new Service(served, { samples: 10, method: 'importance', net: undefined, seed: 1 });
  const requests = [1, 2].map((data) => ({ data, samples: undefined, seed: undefined, format: 'summary' }));
  return { answers: service.answers(requests as never), warnings: run.warnings };
}

test('a request that cannot be answered does not keep others from their answers', () => {
  const { answers, warnings } = serving((data) => data.includes(2));
  expect(answers.map((answer) => 'result' in answer)).toEqual([true, false]);
  expect(warnings).toEqual([]);
});

test('requests that fail together and not one by one are answered, with a warning', () => {
  const { answers, warnings } = serving((data) => data.length > 1);
  expect(answers.every((answer) => 'result' in answer)).toBe(true);
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain('something is broken');
});
