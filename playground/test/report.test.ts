/** The page that `waymark run --html` writes, in a browser. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBrowser, type Stage, stage } from './browser.ts';

const PROGRAM = `
display('<script>document.title = "taken over"</script>');
viz(Infer({method: 'enumerate', model: function() { return uniformDraw(['a', 'b', 'c']); }}));
viz.heatMap(repeat(500, function() { return {x: gaussian(0, 1), y: gaussian(0, 1)}; }));
Optimize({model: function() { return gaussian(0, 1); }, steps: 50});
Infer({method: 'MCMC', samples: 100, chains: 2, model: function() { return {x: gaussian(0, 1), y: [gaussian(3, 1)]}; }})
`;

const command = fileURLToPath(new URL('../../bin/waymark.js', import.meta.url));
/** Pictures for people to look at. */
const pictures = fileURLToPath(new URL('../../.scratch/screenshots/', import.meta.url));

describe.skipIf(findBrowser() === undefined)('the page of a run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-report-'));
  let here: Stage;

  beforeAll(async () => {
    mkdirSync(pictures, { recursive: true });
    writeFileSync(join(folder, 'model.wppl'), PROGRAM);
    const args = [command, 'run', 'model.wppl', '--seed', '1', '--quiet', '--html', 'index.html'];
    execFileSync(process.execPath, args, { cwd: folder, stdio: 'ignore' });
    here = await stage(folder);
  });

  afterAll(async () => {
    await here.end();
    rmSync(folder, { recursive: true });
  });

  const background = (page: Page): Promise<string> =>
    page.evaluate(() => getComputedStyle(document.body).backgroundColor);

  const CASES = [1280, 390].flatMap((width) => (['light', 'dark'] as const).map((theme) => ({ width, theme })));

  test.each(CASES)('fits, and is as the system is: %o', async ({ width, theme }) => {
    const page = await here.open('/', { viewport: { width, height: 844 }, colorScheme: theme });
    const [whole, seen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    expect(whole).toBeLessThanOrEqual(seen);
    expect(await background(page)).toBe(theme === 'light' ? 'rgb(245, 247, 249)' : 'rgb(15, 19, 23)');
    // Text of charts is of the page's colour, and no chart is empty.
    const charts = await page.locator('figure svg').count();
    expect(charts).toBe(8);
    const label = page.locator('figure svg text').first();
    const colour = await label.evaluate((text) => getComputedStyle(text).fill);
    expect(colour).toBe(theme === 'light' ? 'rgb(31, 41, 51)' : 'rgb(228, 231, 235)');
    await page.screenshot({ path: `${pictures}report-${width}-${theme}.png`, fullPage: true });
  });

  test('asks nobody for anything, and runs nothing of the program', async () => {
    const asked: string[] = [];
    const page = await here.open();
    page.on('request', (request) => asked.push(request.url()));
    await page.reload();
    await page.waitForLoadState('networkidle');
    expect(asked).toEqual([`${here.origin}/`]);
    expect(await page.title()).toBe('model.wppl');
  });

  test('can be made dark by keyboard, says what a mark is, and unfolds its text', async () => {
    const page = await here.open('/', { colorScheme: 'light' });
    await page.getByRole('button', { name: 'Dark' }).focus();
    await page.keyboard.press('Enter');
    expect(await background(page)).toBe('rgb(15, 19, 23)');
    await page.getByRole('button', { name: 'Light' }).waitFor();
    await page.locator('figure svg [role="graphics-symbol"][aria-roledescription="bar"]').first().hover();
    expect(await page.locator('.tip').textContent()).toMatch(/probability: 0\.333333; label: [abc]/);
    await page.locator('figure details summary').first().click();
    expect(await page.locator('figure details pre').first().isVisible()).toBe(true);
  });
});
