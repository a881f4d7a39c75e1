/**
 * Holds every program of the repository to the ways in which its inferences run: `fleet.txt` is the table. A fast path that is
 * lost shows as a line that has changed. `npm run fleet` writes the table anew, to be reviewed as a difference.
 */
import { expect, test } from 'vitest';
import { fleet } from './programs.ts';
import { waysOf } from './ways.ts';

test('programs run in the ways that the table says', async () => {
  const found: string[] = [];
  for (const ship of fleet()) found.push(await waysOf(ship));
  await expect(`${found.join('\n\n')}\n`).toMatchFileSnapshot('fleet.txt');
}, 400_000);
