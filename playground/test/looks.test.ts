import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBrowser, type Stage, stage } from './browser.ts';
import { run } from './playground-page.ts';

/** Pictures for people to look at; nothing is compared with them. */
const folder = fileURLToPath(new URL('../../.scratch/screenshots/', import.meta.url));

const WIDTHS = { wide: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

/** Nothing sticks out of the page to the side. */
async function expectNoOverflow(page: Page): Promise<void> {
  const [whole, seen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(whole).toBeLessThanOrEqual(seen);
}

describe.skipIf(findBrowser() === undefined)('how it looks', () => {
  let here: Stage;
  beforeAll(async () => {
    mkdirSync(folder, { recursive: true });
    here = await stage();
  });
  afterAll(() => here.end());

  for (const [width, viewport] of Object.entries(WIDTHS)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`${width}, ${colorScheme}`, async () => {
        const show = async (page: Page, name: string) => {
          await expectNoOverflow(page);
          await page.screenshot({ path: `${folder}${name}-${width}-${colorScheme}.png` });
        };
        const page = await here.open('/?example=amortized', { viewport, colorScheme });
        await page.locator('.cm-line', { hasText: 'Learn once' }).waitFor();
        await show(page, 'program');
        await run(page);
        await page.locator('.chart img').waitFor();
        await show(page, 'results');
        const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        const [red] = background.match(/\d+/g)!.map(Number);
        expect(red > 128).toBe(colorScheme === 'light');
        await page.locator('#gallery-button').click();
        await show(page, 'gallery');
        const exercises = await here.open('/exercises.html', { viewport, colorScheme });
        await exercises.locator('waymark-editor').first().getByRole('button', { name: 'Run' }).click();
        await exercises.locator('.chart img').first().waitFor();
        await show(exercises, 'exercises');
      });
    }
  }
});
