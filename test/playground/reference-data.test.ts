import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { publicNames } from '../../build/reference/public-names.ts';
import { referenceData } from '../../playground/build/reference-data.ts';

describe('what the editor knows of the library', () => {
  const { entries, options } = referenceData(fileURLToPath(new URL('../../docs/reference', import.meta.url)));
  const named = (name: string) => entries.find((entry) => entry.name === name)!;

  test('every public name that is no type', () => {
    const known = new Set(entries.map(({ name }) => name));
    const values = publicNames().filter(({ declaration }) => declaration.kind !== 'type');
    expect(values.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
  });

  test('how families and their helpers are called, and with what', () => {
    expect(named('Gaussian')).toMatchObject({ kind: 'class', signature: 'Gaussian({mu, sigma})' });
    expect(named('gaussian').signature).toBe('gaussian(mu, sigma)');
    expect(named('gaussian').doc).toContain('sigma: a finite number greater than 0');
  });

  test('members of objects', () => {
    for (const name of ['T.dot', 'T.add', 'nn.mlp', 'viz.hist'])
      expect(named(name)?.signature, name).toMatch(/^\w+\.\w+\(/);
  });

  test('options of methods, without marks of Markdown', () => {
    const burn = options.find(({ name, of }) => name === 'burn' && of === 'MCMC')!;
    expect(burn.signature).toBe('burn: an integer of at least 0 (default 0)');
    for (const { signature } of [...entries, ...options]) expect(signature).not.toMatch(/\\\||`/);
  });
});
