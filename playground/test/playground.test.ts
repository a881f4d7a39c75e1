import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBrowser, type Stage, stage } from './browser.ts';
import { expectStatus, run, text, write } from './playground-page.ts';

const example = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../examples/${name}`, import.meta.url)), 'utf8');

const WAIT = { timeout: 20_000 };

/** Moves the pointer over a chart until something is said. */
async function pointAlong(page: Page, width: number, height: number): Promise<void> {
  const { x, y } = (await page.locator('.chart img').boundingBox())!;
  for (let part = 0.1; part < 1; part += 0.1) {
    await page.mouse.move(x + width * part, y + height * part);
    if (await page.locator('.chart-tip').isVisible()) return;
  }
}

describe.skipIf(findBrowser() === undefined)('the playground', () => {
  let here: Stage;
  beforeAll(async () => {
    here = await stage();
  });
  afterAll(() => here.end());

  test('runs a program that somebody wrote, and draws what it found', async () => {
    const page = await here.open();
    await write(
      page,
      "display('so far');\nviz(Infer({method: 'enumerate', model: function() { return flip(0.3) + flip(0.5); }}));",
    );
    await run(page);
    await expectStatus(page, /^Done in/);
    expect(await page.locator('pre.output').innerText()).toBe('so far');
    const chart = page.locator('.chart img');
    await chart.waitFor();
    expect(await chart.getAttribute('alt')).toContain('0.3500');
    const { width, height } = (await chart.boundingBox())!;
    expect(Math.min(width, height)).toBeGreaterThan(50);
    const natural = await chart.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth);
    expect(natural).toBeGreaterThan(100);
    // Pointing at a bar says what it stands for.
    const tip = page.locator('.chart-tip');
    await expect.poll(() => pointAlong(page, width, height).then(() => tip.textContent()), WAIT).toMatch(/0\.[135]/);
    await page.mouse.move(0, 0);
    await tip.waitFor({ state: 'hidden' });
  });

  test('the same seed gives the same, another seed another', async () => {
    const page = await here.open();
    await write(page, 'gaussian(0, 1)');
    const results: string[] = [];
    for (const seed of ['7', '7', '8']) {
      await page.locator('#seed').fill(seed);
      await run(page);
      results.push(await page.locator('pre.value').innerText());
    }
    expect(results[1]).toBe(results[0]);
    expect(results[2]).not.toBe(results[0]);
  });

  test('stops an endless loop, and runs the next program', async () => {
    const page = await here.open();
    await write(page, "display('begun');\nvar loop = function() { while (true) {} };\nloop();");
    await page.locator('#run').click();
    await page.getByText('begun', { exact: true }).waitFor();
    await page.locator('#stop').click();
    await expectStatus(page, /^Stopped after/);
    await write(page, '20 + 22');
    await run(page);
    expect(await page.locator('pre.value').innerText()).toBe('42');
  });

  test('shows an error at its line, with the calls that led there', async () => {
    const page = await here.open();
    await write(
      page,
      'var deep = function(x) {\n  return x.a.b;\n};\nvar model = function() {\n  return deep(flip());\n};\nInfer({method: "enumerate", model: model});',
    );
    await run(page);
    await expectStatus(page, /^Failed/);
    expect(await page.locator('.fault .message').innerText()).toContain('TypeError');
    const place = page.locator('.fault > .place');
    expect(await place.innerText()).toMatch(/^Line 2, column \d+$/);
    expect(await page.locator('.cm-fault-line').innerText()).toBe('  return x.a.b;');
    await place.click();
    expect(await page.locator('.cm-activeLine').innerText()).toBe('  return x.a.b;');
  });

  test('says what the compiler finds while one types, and what to write instead', async () => {
    const page = await here.open();
    await write(page, 'var x = gausian(0, 1);');
    const mark = page.locator('.cm-lintRange-error');
    await mark.waitFor();
    expect(await mark.innerText()).toBe('gausian');
    await mark.hover();
    await page.locator('.cm-diagnostic').waitFor();
    expect(await page.locator('.cm-diagnostic').innerText()).toMatch(/Did you mean 'gaussian'/i);
    await write(page, 'var x = gaussian(0, 1);');
    await expect.poll(() => mark.count()).toBe(0);
  });

  test('helps with names, options and methods from the reference', async () => {
    const page = await here.open();
    const listed = () => page.locator('.cm-tooltip-autocomplete li').allInnerTexts();
    await write(page, '');
    await page.keyboard.type('var d = Gaussi');
    await expect.poll(async () => (await listed())[0]).toMatch(/^Gaussian/);
    await page.locator('.cm-completionInfo').waitFor();
    const card = (await page.locator('.cm-completionInfo').boundingBox())!;
    const seen = await page.evaluate(
      ([x, y]) => document.elementFromPoint(x, y)?.closest('.cm-completionInfo') !== null,
      [card.x + card.width / 2, card.y + card.height / 2],
    );
    expect(seen).toBe(true);
    await write(page, '');
    await page.keyboard.type("Infer({method: '");
    await expect.poll(listed).toEqual(expect.arrayContaining(['MCMC', 'SMC', 'enumerate']));
    await write(page, 'var y = gaussian(0, 1);');
    await page.getByText('gaussian', { exact: true }).hover();
    await expect.poll(() => page.locator('.help-card').innerText()).toContain('gaussian(mu, sigma)');
  });

  test('runs TypeScript', async () => {
    const page = await here.open();
    await page.locator('#language').selectOption('ts');
    await write(page, example('linear-regression.ts'));
    await run(page);
    await expectStatus(page, /^Done in/);
    await page.locator('.chart img').first().waitFor();
  });

  test('trains the amortized mixture with a curve that grows', async () => {
    const page = await here.open();
    // So many steps that no machine is done before the page was looked at.
    await write(page, example('amortized.wppl').replace('steps: 500', 'steps: 10000000'));
    await page.locator('#run').click();
    const line = page.locator('.curve-line');
    await line.waitFor({ state: 'attached' });
    const points = async () => (await line.getAttribute('points'))!.split(' ').length;
    const before = await points();
    expect(await page.locator('#status').getAttribute('data-state')).toBe('running');
    await expect.poll(points, { timeout: 30_000 }).toBeGreaterThan(before);
    await expect
      .poll(() => page.locator('.figures').innerText(), { timeout: 10_000 })
      .toMatch(/ELBO[\s\S]*steps per second[\s\S]*time left/);
    await page.locator('#stop').click();
    await expectStatus(page, /Stopped/);
  });

  test('trains the amortized mixture until it knows the means', async () => {
    const page = await here.open();
    await write(page, example('amortized.wppl').replace('steps: 500', 'steps: 30000'));
    await run(page);
    await expectStatus(page, /^Done in/);
    const [left, right] = (await page.locator('pre.output').innerText()).match(/-?\d+\.\d+/g)!.map(Number);
    // The means that the data were drawn with are −2 and 2; 100 points of standard deviation 0.7 leave some 0.1 of doubt.
    expect(Math.abs(left + 2)).toBeLessThan(0.5);
    expect(Math.abs(right - 2)).toBeLessThan(0.5);
  });

  test('a link holds the program, and opens where nothing is kept', async () => {
    const code =
      "// Grüße, 日本 & <tags>\nvar x = flip(0.25) ? 'α' : 'β';\nInfer({method: 'enumerate', model: function() { return flip(0.25) ? 'α' : 'β'; }});";
    const page = await here.open();
    await write(page, code);
    await page.locator('#title').fill('Shared');
    await page.locator('#seed').fill('11');
    await page.locator('#share-button').click();
    const link = await page.locator('.share-box input').inputValue();
    const other = await here.open(link.slice(here.origin.length));
    await expect.poll(() => text(other)).toBe(code);
    expect(await other.locator('#title').inputValue()).toBe('Shared');
    expect(await other.locator('#seed').inputValue()).toBe('11');
    await run(other);
    await expectStatus(other, /^Done in/);
    const damaged = await here.open(`${link.slice(here.origin.length, -9)}`);
    await damaged.getByText('This link is damaged or cut short').waitFor();
  });

  test('keeps what was written over a reload, and beside what a link brings', async () => {
    const page = await here.open();
    await write(page, 'var mine = 1;');
    await page.getByText('Saved in this browser').waitFor();
    await page.reload();
    await expect.poll(() => text(page)).toBe('var mine = 1;');
    await page.goto(`${here.origin}/?example=coin`);
    await expect.poll(() => text(page)).toContain('trick coin');
    await page.locator('#gallery-button').click();
    await page.locator('.card', { hasText: 'Which coin?' }).first().click();
    await expect.poll(() => text(page)).toBe('var mine = 1;');
  });

  test('reads a file of data that somebody chose', async () => {
    const page = await here.open();
    const chooser = page.waitForEvent('filechooser');
    await page.locator('#data').click();
    const file = { name: 'heights.csv', mimeType: 'text/csv', buffer: Buffer.from('name,height\nAda,170\nBo,180\n') };
    await (await chooser).setFiles(file);
    await page.getByText("loadData('heights.csv')").waitFor();
    await write(page, "sum(map(function(row) { return row.height; }, loadData('heights.csv')))");
    await run(page);
    expect(await page.locator('pre.value').innerText()).toBe('350');
  });
});
