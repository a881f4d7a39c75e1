/** The module that `waymark export` writes: in a page that evaluates no text, and in Node with nothing installed. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBrowser, type Stage, stage } from './browser.ts';

const MODEL = `
import { flip, Gaussian, gaussian, map, observe, poisson, repeat, sum } from 'waymark';
export const model = (data) => {
  const k = 1 + poisson(1);
  const total = sum(repeat(k, () => gaussian(1, 1)));
  const isWide = flip(0.5);
  map((y) => observe(Gaussian({ mu: total, sigma: isWide ? 2 : 0.5 }), y), data);
  return { k, total, isWide };
};
export default { model, example: [0, 1, 2] };`;

const TRAIN = `
import { Amortize } from 'waymark';
import { model } from './model.js';
Amortize(model, { example: [0, 1, 2], steps: 60, samples: 64, stepSize: 0.01 }).save('model.net');
export default 0;`;

/** What is asked of the module, wherever it runs. */
const ASK = `
import { example, posterior, posteriors } from './model.js';
const one = posterior([2, 2.5, 1.5], { samples: 400, seed: 7 });
const two = posteriors([[2, 2.5, 1.5], example], { samples: 50, seed: 7 });
export const found = JSON.stringify({
  mean: one.summary.total.mean, ess: one.ess, weight: one.weights.reduce((sum, w) => sum + w, 0), count: two.length,
  first: two[0].samples[0], length: example.length,
});`;

const PAGE = `<!doctype html><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' 'wasm-unsafe-eval'">
<title>exported</title><script type="module" src="page.js"></script>`;

const command = fileURLToPath(new URL('../../bin/waymark.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'waymark-exported-'));
const out = join(folder, 'out');

beforeAll(() => {
  writeFileSync(join(folder, 'model.js'), MODEL);
  writeFileSync(join(folder, 'train.js'), TRAIN);
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [command, ...args], { cwd: folder, stdio: 'ignore' });
  run('run', 'train.js', '--seed', '1', '--quiet');
  mkdirSync(out);
  run('export', 'model.js', '--net', 'model.net', '--out', 'out');
  writeFileSync(join(out, 'ask.js'), ASK);
  writeFileSync(join(out, 'page.js'), "import { found } from './ask.js';\ndocument.title = found;\n");
  writeFileSync(join(out, 'index.html'), PAGE);
  writeFileSync(join(out, 'package.json'), '{"type": "module"}');
});

afterAll(() => rmSync(folder, { recursive: true }));

/** In Node, where no package can be found. */
function inNode(): string {
  const text = "import('./ask.js').then(({ found }) => process.stdout.write(found));";
  return execFileSync(process.execPath, ['-e', text], { cwd: out, encoding: 'utf8', env: { PATH: process.env.PATH } });
}

describe('an exported module', () => {
  test('runs in Node with nothing installed', () => {
    expect(readdirSync(out)).not.toContain('node_modules');
    const found = JSON.parse(inNode());
    expect(found.count).toBe(2);
    expect(found.length).toBe(3);
    expect(found.weight).toBeCloseTo(1, 9);
    expect(found.first).toHaveProperty('k');
    // Three observations around 2 say more than the prior's mean of 2 does: what is far from both is wrong.
    expect(Math.abs(found.mean - 2)).toBeLessThan(0.5);
    expect(found.ess).toBeGreaterThan(20);
  });

  describe.skipIf(findBrowser() === undefined)('in a page', () => {
    let here: Stage;
    beforeAll(async () => {
      here = await stage(out);
    });
    afterAll(() => here.end());

    test('runs without leave to evaluate text, asks nobody for anything, and gives what Node gives', async () => {
      const asked: string[] = [];
      const page = await here.open();
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await page.reload();
      await page.waitForFunction(() => document.title.startsWith('{'));
      expect(new Set(asked)).toEqual(new Set(['/', '/page.js', '/ask.js', '/model.js']));
      const [there, node] = [JSON.parse(await page.title()), JSON.parse(inNode())];
      expect(there.first.k).toBe(node.first.k);
      expect(there.mean).toBeCloseTo(node.mean, 6);
      expect(there.ess).toBeCloseTo(node.ess, 3);
    });
  });
});
