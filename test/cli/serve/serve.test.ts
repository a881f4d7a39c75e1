import type { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Command } from '../command.ts';

let waymark: Command;
beforeAll(() => {
  waymark = new Command('serve');
  waymark.write(
    'guided.wppl',
    `var model = function() {
      return mapData({data: [{y: 1}, {y: 2}]}, function(d) {
        var x = sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: d.y * param({name: 'slope'}), sigma: 0.8})});
        observe(Gaussian({mu: x, sigma: 1}), d.y);
        return x;
      });
    };
    model`,
  );
  waymark.write('learn.wppl', `setParams({slope: 0.5}); saveParams(getParams(), 'slope.params');`);
  waymark.write(
    'plain.ts',
    `import { gaussian, observe, Gaussian, map } from 'waymark';
    const model = (ys: number[]) => {
      const mu = gaussian(0, 1);
      map((y) => observe(Gaussian({ mu, sigma: 1 }), y), ys);
      return { mu };
    };
    export default { model, example: [0, 1] };`,
  );
  waymark.write('number.ts', 'export default 3;');
});
afterAll(() => waymark.remove());

async function served(...args: string[]): Promise<{ child: ChildProcess; url: string }> {
  const child = waymark.start('serve', '--port', '0', '--seed', '1', ...args);
  let said = '';
  child.stderr!.on('data', (bytes) => {
    said += bytes;
  });
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout!.once('data', (bytes) => resolve(String(bytes)));
    child.once('exit', () => reject(new Error(said)));
  });
  return { child, url: /(http:\/\/127\.0\.0\.1:\d+)\//.exec(line)![1] };
}

interface Figures {
  readonly mean: number;
}

/** What may be in an answer. */
interface Body {
  readonly summary: Figures & { readonly mu: Figures };
  readonly samples: readonly number[];
  readonly ess: number;
  readonly khat: number;
  readonly error: { readonly message: string };
  readonly posteriors: readonly Body[];
}

async function ask(url: string, body: object, path = '/posterior'): Promise<{ status: number; body: Body }> {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as Body };
}

describe('waymark serve', () => {
  test('posteriors of single data, with parameters from a file', async () => {
    expect(await waymark.run('run', 'learn.wppl')).toMatchObject({ code: 0 });
    const { child, url } = await served('guided.wppl', '--params', 'slope.params', '--samples', '2000');
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const { body } = await ask(url, { data: { y: 3 } });
    // N(1.5, 1/√2), from more than 1000 independent samples.
    expect(body.ess).toBeGreaterThan(1000);
    expect(Math.abs(body.summary.mean - 1.5)).toBeLessThan((5 * Math.SQRT1_2) / Math.sqrt(1000));
    expect(body.khat).toBeLessThan(0.7);
    const twice = await Promise.all(
      [1, 2].map(() => ask(url, { data: { y: 1 }, samples: 3, format: 'samples', seed: 4 })),
    );
    expect(twice[0].body.samples).toHaveLength(3);
    expect(twice[0]).toEqual(twice[1]);
    const many = await Promise.all([-2, 0, 2].map((y) => ask(url, { data: { y } })));
    expect(many.map(({ body: { summary } }) => Math.round(summary.mean))).toEqual([-1, 0, 1]);
    expect(await ask(url, { data: { x: 3 } })).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining("field 'x'") } },
    });
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  test('a model of its data, with an example', async () => {
    const { child, url } = await served('plain.ts');
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const { body } = await ask(url, { data: [[1, 1, 1], [], 'a'], samples: 3000 }, '/posteriors');
    const [three, none, wrong] = body.posteriors;
    expect(Math.abs(three.summary.mu.mean - 0.75)).toBeLessThan(0.1);
    expect(Math.abs(none.summary.mu.mean)).toBeLessThan(0.1);
    expect(wrong.error.message).toBe('data must be a list, got "a".');
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  });

  test('a network, trained by another program', async () => {
    waymark.write(
      'train.ts',
      `import { Amortize } from 'waymark';
      import plain from './plain.ts';
      Amortize(plain.model, {example: [0, 1], steps: 20, samples: 64}).save('mu.net');`,
    );
    expect(await waymark.run('run', 'train.ts', '--quiet')).toMatchObject({ code: 0, stderr: '' });
    const { child, url } = await served('plain.ts', '--net', 'mu.net');
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const { body } = await ask(url, { data: [1, 1], samples: 3000 });
    expect(Math.abs(body.summary.mu.mean - 2 / 3)).toBeLessThan((5 * Math.sqrt(1 / 3)) / Math.sqrt(body.ess));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  test.each([
    [['number.ts'], 'There is nothing to serve'],
    [['guided.wppl', '--params', 'none.params'], "--params: there is no file 'none.params'"],
    [['guided.wppl', '--params', 'a', '--net', 'b'], '--params and --net do not go together'],
    [['plain.ts', '--net', 'none.net'], 'there is no file'],
  ])('%j', async (args, message) => {
    const { code, stdout, stderr } = await waymark.run('serve', ...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(message);
  });
});
