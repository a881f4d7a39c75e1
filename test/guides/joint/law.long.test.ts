/** Guides that know of each other, with every program and objective: side by side, compiled, and one by one are the same. */
import { describe, test } from 'vitest';
import { holdToLaw } from './law.ts';
import { KINDS, PROGRAMS } from './programs.ts';

describe.each(KINDS)('%s', (kind) => {
  test.each(Object.keys(PROGRAMS))('%s', async (name) => {
    const sampled = name === 'minibatches' ? [] : ['{IWAE: {samples: 3}}', '{RWS: {samples: 3}}'];
    await holdToLaw(kind, name, [`'ELBO'`, '{ELBO: {samples: 3}}', ...sampled]);
  });
});
