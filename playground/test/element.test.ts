import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBrowser, type Stage, stage } from './browser.ts';

const box = (page: Page, id: string): Locator => page.locator(`waymark-editor#${id}`);

async function run(here: Locator): Promise<void> {
  await here.scrollIntoViewIfNeeded();
  await here.getByRole('button', { name: 'Run' }).click();
  await here.locator('.note', { hasText: /\d m?s$/ }).waitFor({ timeout: 30_000 });
}

async function write(here: Locator, code: string): Promise<void> {
  await here.locator('.cm-content').click();
  await here.page().keyboard.press('ControlOrMeta+a');
  await here.page().keyboard.insertText(code);
}

describe.skipIf(findBrowser() === undefined)('boxes of a course page', () => {
  let here: Stage;
  beforeAll(async () => {
    here = await stage();
  });
  afterAll(() => here.end());

  test('every exercise runs as it stands', async () => {
    const page = await here.open('/exercises.html');
    const ids = await page.locator('waymark-editor').evaluateAll((all) => all.map(({ id }) => id));
    expect(ids).toHaveLength(8);
    for (const id of ids) {
      await run(box(page, id));
      expect(await box(page, id).locator('.fault').count(), id).toBe(0);
      if (id !== 'grass-model') await box(page, id).locator('.chart img, pre.output').first().waitFor();
    }
    expect(await box(page, 'monty-box').locator('pre.output').innerText()).toBe('stay:   0.333\nchange: 0.667');
  });

  test('boxes that share see what was changed in those before them, and say where an error is', async () => {
    const page = await here.open('/exercises.html');
    const [model, question] = [box(page, 'grass-model'), box(page, 'grass-question')];
    await model.scrollIntoViewIfNeeded();
    await write(
      model,
      'var world = function() {\n  return {rain: true, wet: true, sprinkler: true};\n};\ndisplay("not shared");',
    );
    await run(question);
    expect(await question.locator('.chart img').first().getAttribute('alt')).toMatch(/true\s+1\.0000/);
    expect(await question.getByText('not shared').count()).toBe(0);
    await write(question, 'var a = 1;\nworld().rain.x.y;');
    await run(question);
    expect(await question.locator('.fault .place').innerText()).toMatch(/^Line 2, column \d+$/);
    await write(model, 'var world = function() {\n  return missing.x;\n};');
    await write(question, 'world()');
    await run(question);
    expect(await question.locator('.fault').innerText()).toContain('missing is not defined');
    expect(await question.locator('.fault').innerText()).toContain('earlier box');
  });

  test('what a reader writes stays, until it is taken back', async () => {
    const page = await here.open('/exercises.html');
    const coin = box(page, 'coin-box');
    await write(coin, '6 * 7');
    await page.reload();
    await run(coin);
    expect(await coin.locator('pre.value').innerText()).toBe('42');
    await coin.getByRole('button', { name: 'Reset' }).click();
    await expect.poll(() => coin.locator('.cm-content').innerText()).toContain('isTrick');
    await page.reload();
    await expect.poll(() => coin.locator('.cm-content').innerText()).toContain('isTrick');
  });

  test('blocks of a page on another server become boxes, with the script from here', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'waymark-course-'));
    const page = `<!doctype html><h1>Course</h1><pre><code class="language-wppl">flip(1) &amp;&amp; 'ran'</code></pre>
      <pre><code class="language-ts">import { flip } from 'waymark';\nexport default flip(0) ? 'no' : 'typed';</code></pre>
      <pre><code>not a program</code></pre>
      <script type="module">
        import { editBlocks } from '${here.origin}/waymark-editor.js';
        editBlocks('pre > code[class]');
      </script>`;
    writeFileSync(join(folder, 'index.html'), page);
    const course = await stage(folder);
    try {
      const opened = await course.open('/');
      const boxes = opened.locator('waymark-editor');
      await boxes.nth(1).waitFor();
      expect(await boxes.count()).toBe(2);
      for (const [i, value] of ['ran', 'typed'].entries()) {
        await run(boxes.nth(i));
        expect(await boxes.nth(i).locator('pre.value').innerText()).toBe(value);
      }
    } finally {
      await course.end();
      rmSync(folder, { recursive: true });
    }
  });
});
