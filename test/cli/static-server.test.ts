import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fileFor, serveFolder } from '../../src/cli/static-server.ts';

describe('the file that a request is for', () => {
  test.each([
    ['/', '/site/index.html'],
    ['/a/b.js?x=1#y', '/site/a/b.js'],
    ['/a%20b.svg', '/site/a b.svg'],
    ['/../secret', '/site/secret'],
    ['/%2e%2e/secret', '/site/secret'],
    ['/..%2fsecret', undefined],
    ['/a/..%2f..%2f..%2fetc/passwd', undefined],
    ['/..%2fsite-other/x', undefined],
    ['/a%00.html', undefined],
    ['/%zz', undefined],
    ['//evil.example/x', '/site/x'],
  ])('%s', (url, file) => expect(fileFor('/site', url)).toBe(file));
});

describe('a folder that is served', () => {
  const top = mkdtempSync(join(tmpdir(), 'waymark-server-'));
  const folder = join(top, 'site');
  let server: Awaited<ReturnType<typeof serveFolder>>;
  let origin = '';

  beforeAll(async () => {
    mkdirSync(join(folder, 'inner'), { recursive: true });
    writeFileSync(join(folder, 'index.html'), '<h1>here</h1>');
    writeFileSync(join(folder, 'sandbox.html'), '');
    writeFileSync(join(folder, 'inner/a.js'), '1');
    writeFileSync(join(top, 'secret.txt'), 'secret');
    server = await serveFolder(folder, 0);
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => {
    server.close();
    rmSync(top, { recursive: true });
  });

  test('gives files with their types', async () => {
    const page = await fetch(`${origin}/`);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await page.text()).toBe('<h1>here</h1>');
    expect((await fetch(`${origin}/inner/a.js`)).headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  });

  test('keeps the frame of the playground in its sandbox, also by itself', async () => {
    const { headers } = await fetch(`${origin}/sandbox.html`);
    expect(headers.get('content-security-policy')).toBe('sandbox allow-scripts');
  });

  test.each(['/none.js', '/inner', '/..%2fsecret.txt', '/inner/'])('has no %s', async (path) => {
    expect((await fetch(`${origin}${path}`)).status).toBe(404);
  });

  test('takes nothing', async () => {
    expect((await fetch(`${origin}/`, { method: 'POST', body: 'x' })).status).toBe(405);
  });

  test('is heard on this machine alone', () => {
    expect((server.address() as AddressInfo).address).toBe('127.0.0.1');
  });
});
