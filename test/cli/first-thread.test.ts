/** Programs that look small, and are not: they are run again in a thread, and nobody notices. */
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Command, finished } from './command.ts';

const waymark = new Command('first-thread');
afterAll(() => waymark.remove());

const DEEP = 'const f = (g, n) => n === 0 ? 0 : 1 + g(g, n - 1);\n';

test('what is deeper than the short stack has a longer one, and says everything once', async () => {
  waymark.write(
    'deep.wppl',
    `var f = function(g, n) { return n == 0 ? 0 : 1 + g(g, n - 1); };\ndisplay('begins');\nf(f, 50000)`,
  );
  expect(await waymark.run('run', 'deep.wppl')).toEqual({ code: 0, stdout: 'begins\n50000\n', stderr: '' });
});

test('programs cannot catch that the stack is short', async () => {
  waymark.write(
    'catch.js',
    `${DEEP}let found;\ntry { found = f(f, 50000); } catch { found = 'caught'; }\nexport default found;\n`,
  );
  expect(await waymark.run('run', 'catch.js')).toEqual({ code: 0, stdout: '50000\n', stderr: '' });
});

test('errors are told with their places', async () => {
  waymark.write('wrong.wppl', 'var f = function() { return flip(2); };\nf()');
  const { code, stderr } = await waymark.run('run', 'wrong.wppl');
  expect(code).toBe(1);
  expect(stderr).toMatch(/wrong\.wppl:1:29/);
});

test('a program that fills the memory of the first thread goes on in another', async () => {
  waymark.write(
    'large.wppl',
    `display('begins');\nInfer({method: 'forward', samples: 200000, model: function() { return {a: [uniform(0, 1), 'x']}; }}).samples.length`,
  );
  const command = join(waymark.home, 'bin/waymark.js');
  const { code, stdout } = await waymark.node('--max-old-space-size=64', command, 'run', 'large.wppl', '--sequential');
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'begins\n200000\n' });
});

test('a function that calls itself for ever, and keeps what it makes, ends with a message', async () => {
  waymark.write(
    'endless.wppl',
    'var list = function(all) { return list({first: [1, 2, 3, 4], rest: all}); };\nlist({})',
  );
  const command = join(waymark.home, 'bin/waymark.js');
  const { code, stderr } = await waymark.node('--max-old-space-size=128', command, 'run', 'endless.wppl');
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^The program needs more memory/) });
});

test('Ctrl-C ends it while it computes', async () => {
  waymark.write(
    'long.wppl',
    "display('begins');\nInfer({method: 'MCMC', samples: 1000000, lag: 1000, model: function() { return uniform(0, 1); }})",
  );
  const child = waymark.start('run', 'long.wppl');
  const ended = Promise.all([finished(child), once(child, 'exit')]);
  await once(child.stdout!, 'data');
  child.kill('SIGINT');
  const [{ stderr }, [code, signal]] = await ended;
  expect({ stderr, code, signal }).toEqual({ stderr: '', code: null, signal: 'SIGINT' });
});
