import { expect, test } from 'vitest';
import { run } from '../../src/program/run.ts';
import { PROGRAMS } from './law-programs.ts';

async function explained(code: string): Promise<string> {
  const said: string[] = [];
  const options = { seed: 1, file: 'program.wppl', engine: { explainBatching: true } };
  await run(`${code}\nOptimize({model: model, steps: 3}); 1`, { ...options, warn: (message) => said.push(message) });
  return said.join('\n');
}

test.each([
  ['two lists', ['7 side by side', '7 side by side, in 2 groups', '6 side by side']],
  [
    'two lists of each datum',
    ['960 side by side', '768 side by side', 'mapData at program.wppl:4:7: 3 data side by side'],
  ],
  ['minibatches with two lists of each datum', ['8 side by side', '2 data side by side']],
  ['fields of an object', ['5 side by side', '7 data side by side']],
  ['variables of each datum that inner functions change', ['7 data side by side, in 3 groups', 'steps: 1 compiled']],
  ['lists that are filtered', ['13 to 416 side by side', '3 to 96 data side by side']],
])('iterations run side by side: %s', async (name, found) => {
  const how = await explained(PROGRAMS[name]);
  for (const text of found) expect(how).toContain(text);
  expect(how).not.toContain('one by one');
});
