/** Guides that know of each other: side by side, compiled, and one by one are the same. `law.long.test.ts` has more. */
import { test } from 'vitest';
import { holdToLaw } from './law.ts';

test('choices of data, and minibatches of them', async () => {
  await holdToLaw('fullRank', 'data', ['{ELBO: {samples: 2}}']);
  await holdToLaw('lowRank', 'minibatches', [`'ELBO'`]);
});

test('choices that come and go, and iterations', async () => {
  await holdToLaw('flow', 'choices that come and go', ['{ELBO: {samples: 2}}']);
  await holdToLaw('fullRank', 'loop', ['{ELBO: {samples: 2}}']);
});
