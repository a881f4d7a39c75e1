import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBrowser, type Stage, stage } from './browser.ts';
import { expectStatus } from './playground-page.ts';

describe.skipIf(findBrowser() === undefined)('by keyboard alone', () => {
  let here: Stage;
  beforeAll(async () => {
    here = await stage();
  });
  afterAll(() => here.end());

  test('a program is chosen, changed, run, stopped, and left', async () => {
    const page = await here.open();
    const { keyboard } = page;
    const focused = () => page.evaluate(() => document.activeElement?.id || document.activeElement?.className || '');
    const tabTo = async (wanted: RegExp) => {
      for (let i = 0; i < 25 && !wanted.test(await focused()); i++) await keyboard.press('Tab');
      expect(await focused()).toMatch(wanted);
    };
    await page.locator('.cm-content').waitFor();
    await tabTo(/gallery-button/);
    await keyboard.press('Enter');
    await keyboard.type('trick');
    await keyboard.press('Tab');
    await tabTo(/card/);
    await keyboard.press('Enter');
    await expect.poll(focused).toMatch(/cm-content/);
    await keyboard.press('ControlOrMeta+Enter');
    await expectStatus(page, /^Done in/);
    await keyboard.press('ControlOrMeta+a');
    await keyboard.insertText('var loop = function() { while (true) {} };\nloop();');
    await keyboard.press('ControlOrMeta+Enter');
    await expectStatus(page, /^Running/);
    await keyboard.press('Escape');
    await expectStatus(page, /^Stopped/);
    // Escape, then Tab, leaves the editor.
    await keyboard.press('Escape');
    await keyboard.press('Tab');
    await expect.poll(focused).toMatch(/splitter/);
    const width = () => page.locator('.program-pane').evaluate((pane) => pane.getBoundingClientRect().width);
    const before = await width();
    await keyboard.press('ArrowLeft');
    expect(await width()).toBeLessThan(before);
    await keyboard.press('Tab');
    expect(await focused()).toMatch(/clear/);
  });
});
