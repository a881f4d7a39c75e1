import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Command, finished } from './command.ts';

let waymark: Command;
beforeAll(() => {
  waymark = new Command('reproduce');
});
afterAll(() => waymark.remove());

/** A few short documents in the form of the abstracts. */
const corpus = {
  numWords: 12,
  indexToWordDict: Object.fromEntries(Array.from({ length: 12 }, (_, i) => [i, `word${i}`])),
  documents: [
    [0, 1, 2, 0],
    [3, 4, 5],
    [6, 7, 6],
    [8, 9, 10, 11],
  ],
};

/** Waits until a file of that kind is in the folder. */
async function appears(folder: string, ending: string): Promise<void> {
  while (!existsSync(folder) || !readdirSync(folder).some((name) => name.endsWith(ending))) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe('waymark reproduce', () => {
  test('goes on after it was killed, and reports what was found', async () => {
    writeFileSync(join(waymark.folder, 'corpus.json'), JSON.stringify(corpus));
    const given = ['reproduce', 'lda', '--corpus', 'corpus.json', '--steps', '400', '--workers', '1', '--out', 'found'];
    const runs = join(waymark.folder, 'found/lda/runs');

    const killed = waymark.start(...given);
    const end = finished(killed);
    await appears(runs, '.checkpoint');
    killed.kill('SIGKILL');
    expect((await end).code).toBe(null);
    const kept = readdirSync(runs).filter((name) => name.endsWith('.json'));
    const before = kept.map((name) => statSync(join(runs, name)).mtimeMs);

    const resumed = await waymark.run(...given);
    expect(resumed).toMatchObject({ code: 0 });
    expect(resumed.stderr).toContain('goes on from its checkpoint');
    expect(kept.map((name) => statSync(join(runs, name)).mtimeMs)).toEqual(before);
    expect(readdirSync(runs).sort()).toEqual(
      ['document-guide-1', 'marginalised-1', 'mean-field-1', 'word-guide-1'].map((name) => `${name}.json`),
    );
    for (const name of readdirSync(runs)) {
      const { value } = JSON.parse(readFileSync(join(runs, name), 'utf8'));
      expect(value.history).toHaveLength(400);
      expect(value.topWords).toHaveLength(5);
    }

    expect(resumed.stdout).toMatch(/^Latent Dirichlet allocation: \d+ of 11 claims met/);
    const folder = join(waymark.folder, 'found');
    const page = readFileSync(join(folder, 'report.html'), 'utf8');
    expect(page).toContain('marginalised mean field reaches at least the ELBO of word-level guide');
    expect(page.match(/<svg /g)).toHaveLength(1);
    expect(page).not.toMatch(/(src|href)="http/);
    expect(readFileSync(join(folder, 'report.md'), 'utf8')).toContain('![');
    expect(readFileSync(join(folder, 'lda/topics.csv'), 'utf8')).toMatch(/^topic 1,topic 2,.*\nword\d+,/);
    expect(readFileSync(join(folder, 'claims.csv'), 'utf8').split('\n')).toHaveLength(13);

    const again = await waymark.run(...given);
    expect(again).toEqual({ code: 0, stdout: resumed.stdout, stderr: '' });
    const other = await waymark.run(...given, '--quick');
    expect(other).toMatchObject({ code: 0 });
  });

  test.each([
    [['ldaa'], "There is no experiment ldaa. Did you mean 'lda'?\n"],
    [['cone'], 'There is no experiment cone. To run it: waymark reproduce beyond cone.\n'],
    [['beyond', 'lda'], 'There is no experiment lda. To run it: waymark reproduce lda.\n'],
    [['beyond', 'con'], "There is no experiment con. Did you mean 'cone'?\n"],
    [['beyond', 'cone', '--jsb', 'nowhere'], '--jsb nowhere: there is no such file.\n'],
    [['lda', '--steps', '0'], "--steps must be a whole number of at least 1, got '0'.\n"],
    [['vae-sbn', '--mnist', 'nowhere'], '--mnist nowhere: there is no such folder.\n'],
    [['lda', '--out', 'taken.txt'], '--out taken.txt cannot be made: there is a file of that name.\n'],
  ])('%j is refused', async (given, message) => {
    waymark.write('taken.txt', 'text');
    expect(await waymark.run('reproduce', ...given)).toEqual({ code: 1, stdout: '', stderr: message });
  });

  test('a program that fails is named, and nothing is reported of its experiment', async () => {
    waymark.write('broken.json', JSON.stringify({ numWords: 2, indexToWordDict: {} }));
    const { code, stdout, stderr } = await waymark.run(
      'reproduce',
      'lda',
      '--corpus',
      'broken.json',
      '--out',
      'broken',
    );
    expect(code).toBe(1);
    expect(stdout).toBe('Left out, since a condition failed: lda.\n');
    expect(stderr).toMatch(/^lda: data failed\.\n/);
  });
});
