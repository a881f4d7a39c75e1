import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { makeFolder } from '../../src/cli/make-folder.ts';

const top = mkdtempSync(join(tmpdir(), 'waymark-'));
afterAll(() => rmSync(top, { recursive: true }));

describe('a folder', () => {
  test('is made with those above it, and may be there already', () => {
    const folder = join(top, 'a/b/c');
    for (let i = 0; i < 2; i++) {
      makeFolder(folder);
      expect(statSync(folder).isDirectory()).toBe(true);
    }
  });

  test('cannot be made in a file, or in place of one', () => {
    writeFileSync(join(top, 'file'), '');
    expect(() => makeFolder(join(top, 'file'))).toThrow('EEXIST');
    expect(() => makeFolder(join(top, 'file/inside'))).toThrow('ENOTDIR');
  });

  test.runIf(process.platform === 'linux')('cannot be made where the file system takes none', () => {
    expect(() => makeFolder('/proc/waymark/inside')).toThrow('ENOENT');
  });
});
