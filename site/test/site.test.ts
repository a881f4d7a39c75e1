import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBrowser, type Stage, stage } from '../../playground/test/browser.ts';
import { type SearchEntry, search } from '../page/search.ts';

const site = fileURLToPath(new URL('../../dist/site', import.meta.url));
const pictures = fileURLToPath(new URL('../../.scratch/screenshots/', import.meta.url));
const pages = existsSync(site)
  ? readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((name) => /^(?!playground).*\.html$/.test(name))
  : [];

describe.skipIf(pages.length === 0)('the site', () => {
  test.each(pages)('%s links to what is there', (page) => {
    const html = readFileSync(join(site, page), 'utf8');
    for (const [, link] of html.matchAll(/(?:href|src)="(?!https?:|mailto:|#)([^"#]*)/g)) {
      expect(existsSync(join(site, dirname(page), link)), link).toBe(true);
    }
  });

  test('the search finds names, pages and words', () => {
    const entries: SearchEntry[] = JSON.parse(readFileSync(join(site, 'search.json'), 'utf8'));
    const first = (asked: string) => search(entries, asked)[0]?.url;
    expect(first('gaussian')).toBe('reference/distributions.html#gaussian');
    expect(first('glossary')).toBe('glossary.html');
    expect(first('does not converge')).toBe('when-it-does-not-converge.html');
    expect(first('mapData')).toMatch(/^reference\/data\.html#mapdata/);
    expect(search(entries, 'zzzz')).toEqual([]);
  });
});

describe.skipIf(pages.length === 0 || findBrowser() === undefined)('the site in a browser', () => {
  let here: Stage;
  beforeAll(async () => {
    mkdirSync(pictures, { recursive: true });
    here = await stage(site);
  });
  afterAll(() => here.end());

  test('programs of pages run where they stand', async () => {
    const page = await here.open('/');
    const box = page.locator('waymark-editor').first();
    await box.getByRole('button', { name: 'Run' }).click();
    await box.locator('.chart img').waitFor();
    expect(await box.locator('.chart img').getAttribute('alt')).toMatch(/fair.*0\.5142/);
  });

  test('every box of every page runs as it stands', async () => {
    const failed: string[] = [];
    let boxes = 0;
    for (const name of pages) {
      if (!readFileSync(join(site, name), 'utf8').includes('<waymark-editor')) continue;
      const page = await here.open(`/${name}`);
      for (const box of await page.locator('waymark-editor').all()) {
        await box.scrollIntoViewIfNeeded();
        await box.getByRole('button', { name: 'Run' }).click();
        await box.locator('.note', { hasText: /\d (m?s|min.*)$/ }).waitFor({ timeout: 60_000 });
        for (const fault of await box.locator('.fault .message').allInnerTexts())
          failed.push(`${name} #${boxes}: ${fault}`);
        boxes++;
      }
      await page.context().close();
    }
    expect(failed).toEqual([]);
    expect(boxes).toBeGreaterThan(30);
  }, 300_000);

  test('the playground leads back to the pages', async () => {
    const page = await here.open('/playground/index.html');
    await page.getByRole('link', { name: 'Documentation' }).click();
    await page.locator('h1', { hasText: 'Say how the world works' }).waitFor();
  });

  test('a section is found by keyboard', async () => {
    const page = await here.open('/tutorial.html');
    await page.keyboard.press('/');
    await page.keyboard.type('gaussian');
    await page.locator('.found a').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/reference\/distributions\.html#gaussian$/);
  });

  for (const [width, viewport] of Object.entries({
    wide: { width: 1280, height: 800 },
    phone: { width: 390, height: 844 },
  })) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`nothing sticks out: ${width}, ${colorScheme}`, async () => {
        for (const name of ['index', 'teaching', 'reference/inference']) {
          const page = await here.open(`/${name}.html`, { viewport, colorScheme });
          await page.locator('h1').waitFor();
          const [whole, seen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
          expect(whole, name).toBeLessThanOrEqual(seen);
          await page.screenshot({ path: `${pictures}site-${name.replace('/', '-')}-${width}-${colorScheme}.png` });
        }
      });
    }
  }
});
