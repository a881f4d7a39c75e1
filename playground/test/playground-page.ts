/** What people do in the playground. */

import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Replaces the program. */
export async function write(page: Page, code: string): Promise<void> {
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(code);
}

export const text = (page: Page): Promise<string> => page.locator('.cm-content').innerText();

/** Runs the program to its end. */
export async function run(page: Page): Promise<void> {
  await page.locator('#run').click();
  await page.locator('.status:not([data-state=running])').waitFor({ timeout: 60_000 });
}

export async function expectStatus(page: Page, words: RegExp): Promise<void> {
  await expect.poll(() => page.locator('#status').innerText(), { timeout: 30_000 }).toMatch(words);
}
