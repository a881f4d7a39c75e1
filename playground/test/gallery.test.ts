import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Gallery } from '../gallery/gallery.ts';
import { built, findBrowser, type Stage, stage } from './browser.ts';

const gallery: Gallery = JSON.parse(readFileSync(join(built, 'gallery.json'), 'utf8'));
const entries = gallery.shelves.flatMap((shelf) => shelf.entries);

/** After the first report or result, for what would go wrong right then. */
const WAIT_MS = 150;

describe.skipIf(findBrowser() === undefined)('the gallery', () => {
  let here: Stage;
  beforeAll(async () => {
    here = await stage();
  });
  afterAll(() => here.end());

  test('every card has a picture, and every program of it begins well in a browser', async () => {
    const page = await here.open();
    const failed: string[] = [];
    for (const { title, id } of entries) {
      await page.locator('#gallery-button').click();
      const card = page.locator('.card', { has: page.getByText(title, { exact: true }) }).last();
      expect(await card.locator('.thumb :is(rect, polyline)').count(), id).toBeGreaterThan(0);
      await card.click();
      await page.locator('#run').click();
      await page.locator('.results > .item').first().waitFor({ timeout: 20_000 });
      await page.waitForTimeout(WAIT_MS);
      const [fault] = await page.locator('.fault .message').allInnerTexts();
      if (fault !== undefined) failed.push(`${id}: ${fault}`);
      // It may be over by now.
      await page
        .locator('#stop')
        .click({ timeout: 500 })
        .catch(() => {});
    }
    expect(failed).toEqual([]);
  }, 180_000);
});
