import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Command } from './command.ts';

let waymark: Command;
beforeAll(() => {
  waymark = new Command('playground');
});
afterAll(() => waymark.remove());

describe('waymark playground', () => {
  test('says what to do where it was not built', async () => {
    const { code, stderr } = await waymark.run('playground');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'The playground has not been built: npm run playground builds it.\n',
    });
  });

  test('serves what was built until it is ended', async () => {
    mkdirSync(join(waymark.home, 'dist/playground'), { recursive: true });
    writeFileSync(join(waymark.home, 'dist/playground/index.html'), 'the page');
    const child = waymark.start('playground', '--port', '0');
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const line = await new Promise<string>((resolve) => child.stdout!.once('data', (bytes) => resolve(String(bytes))));
    const [, port] = /^The playground is at http:\/\/localhost:(\d+)\/ /.exec(line)!;
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('the page');
    const taken = await waymark.run('playground', '--port', port);
    expect(taken).toMatchObject({ code: 1, stdout: '' });
    expect(taken.stderr).toBe(
      `Port ${port} cannot be had: another program listens there. Give another --port, or none.\n`,
    );
    child.kill('SIGINT');
    expect(await ended).toBe(130);
  });
});
