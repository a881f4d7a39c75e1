import { fileURLToPath } from 'node:url';
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MemoryLedger } from '../engine/memory-ledger.ts';
import { findBrowser, type Stage, stage } from './browser.ts';
import { expectStatus, run, write } from './playground-page.ts';

const MB = 2 ** 20;

describe('a ledger of memory', () => {
  /** Made before a program, as its tokens must be. */
  const makerOf = async (limit: number) => {
    const ledger = new MemoryLedger(limit * MB);
    await new Promise((resolve) => setTimeout(resolve, 0));
    return (bytes: number): ArrayBuffer => {
      const noted = ledger.admit(bytes);
      const made = new ArrayBuffer(bytes);
      if (noted) ledger.note(made);
      return made;
    };
  };

  test.each([
    ['large', 8 * MB],
    ['small', 2 ** 14],
  ])('garbage of %s pieces is none, and what is held is refused at the limit', async (_, size) => {
    const make = await makerOf(64);
    // Four times the limit, one after the other.
    for (let made = 0; made < 256 * MB; made += size) make(size);
    const held: ArrayBuffer[] = [];
    const fill = () => {
      while (true) held.push(make(size));
    };
    expect(fill).toThrow(
      /^Out of memory. The program holds \d+ MB in arrays of numbers and tensors, and asks for more/,
    );
    // Of small pieces one in some hundred is followed: its neighbours may be taken for dead or alive with it.
    const most = (64 * MB) / size;
    expect(held.length).toBeGreaterThan(0.8 * most);
    expect(held.length).toBeLessThanOrEqual(1.05 * most);
    held.length = 0;
    expect(make(8 * MB).byteLength).toBe(8 * MB);
  });

  test('too much at once is refused without trying', async () => {
    const make = await makerOf(64);
    expect(() => make(65 * MB)).toThrow('The program asks for 65 MB at once; the limit here is 64 MB.');
    expect(make(32 * MB).byteLength).toBe(32 * MB);
  });
});

/** Programs that want more and more, and what is said. */
const GREEDY: readonly (readonly [string, string, RegExp])[] = [
  ['one array', 'new Float64Array(1e9)', /asks for 7,629 MB at once; the limit here is 1,024 MB/],
  ['one buffer', 'new ArrayBuffer(3e9)', /asks for 2,861 MB at once/],
  ['one tensor', 'T.add(zeros([20000, 20000]), 1)', /asks for [\d,]+ MB at once/],
  ['large arrays', forever('new Float32Array(5e6)'), /holds [\d,]+ MB/],
  ['copies of arrays', forever('Float64Array.from(a[0] || new Float64Array(1e6))'), /holds [\d,]+ MB/],
  ['parts of arrays', `var b = new Uint8Array(2e7);\n${forever('b.slice(1)')}`, /holds [\d,]+ MB/],
  ['tensors', forever('T.add(zeros([1000, 1000]), a.length)'), /holds [\d,]+ MB/],
];

function forever(piece: string): string {
  return `var a = [];\nvar f = function() { while (true) { a.push(${piece}); } };\nf();`;
}

describe.skipIf(findBrowser() === undefined)('memory of a page', () => {
  let here: Stage;
  beforeAll(async () => {
    here = await stage();
  });
  afterAll(() => here.end());

  test('programs that hold too much get one error at their line, and the next one runs', async () => {
    const page = await here.open();
    for (const [name, code, words] of GREEDY) {
      await write(page, code);
      await run(page);
      expect(await page.locator('.fault .message').innerText(), name).toMatch(words);
      expect(await page.locator('.fault > .place').innerText(), name).toMatch(/^Line \d+, column \d+$/);
    }
    await write(page, '6 * 7');
    await run(page);
    expect(await page.locator('pre.value').innerText()).toBe('42');
  });

  test('garbage does not count, and arrays are what they were', async () => {
    const page = await here.open();
    await write(
      page,
      `var n = 0;
       var f = function() { while (n < 400) { new Float64Array(1e6); n += 1; } return n; };
       var plain = function(xs) { return xs.constructor === Float64Array && xs instanceof Float64Array && xs.length; };
       display([f(), plain(new Float64Array([1, 2])), plain(Float64Array.of(1, 2, 3)), plain(new Float64Array(4).map(Math.exp))]);
       display([Float64Array.name, Float64Array.BYTES_PER_ELEMENT, new Uint8Array(new ArrayBuffer(8), 2, 3).byteOffset]);`,
    );
    await run(page);
    await expectStatus(page, /^Done in/);
    expect(await page.locator('pre.output').innerText()).toBe('[400, 2, 3, 4]\n["Float64Array", 8, 2]');
  });

  test('a box may have less', async () => {
    const page = await here.open('/exercises.html');
    const box = page.locator('waymark-editor').first();
    await box.evaluate((element) => element.setAttribute('memory', '100'));
    await box.locator('.cm-content').click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('new Float64Array(2e7).length');
    await box.getByRole('button', { name: 'Run' }).click();
    await box.getByText('asks for 153 MB at once; the limit here is 100 MB').waitFor();
  });
});

/** Where a page has the program, the button that runs it, and what comes of it. */
interface Places {
  readonly editor: string;
  readonly run: string;
  readonly results: string;
}
const placesIn = (root: string): Places => ({
  editor: `${root}.querySelector('.cm-content')`,
  run: `${root}.querySelector('button.primary')`,
  results: `${root}.querySelector('.results')`,
});
const PAGE = { ...placesIn('document'), run: "document.querySelector('#run')" };
const BOX = placesIn("document.querySelector('waymark-editor').shadowRoot");

/**
 * A page whose frame may crash. Playwright takes that for the end of the page and works with it no more, so that it is asked by the
 * protocol of developer tools.
 */
class Survivor {
  private constructor(
    private readonly session: CDPSession,
    private readonly places: Places,
  ) {}

  static async of(page: Page, places: Places): Promise<Survivor> {
    return new Survivor(await page.context().newCDPSession(page), places);
  }

  async evaluate(expression: string): Promise<string> {
    const { result } = await this.session.send('Runtime.evaluate', { expression, returnByValue: true });
    return String(result.value);
  }

  async write(text: string): Promise<void> {
    const { editor } = this.places;
    const focus = () => this.evaluate(`${editor}?.focus(), ${editor}?.matches(':focus')`);
    await expect.poll(focus, { timeout: 10_000 }).toBe('true');
    const all = { type: 'keyDown' as const, modifiers: 2, key: 'a', code: 'KeyA', commands: ['selectAll'] };
    await this.session.send('Input.dispatchKeyEvent', { ...all, windowsVirtualKeyCode: 65 });
    await this.session.send('Input.insertText', { text });
    await expect.poll(() => this.text()).toBe(text);
  }

  text(): Promise<string> {
    return this.evaluate(`${this.places.editor}.innerText`);
  }

  async run(words: RegExp): Promise<void> {
    await this.evaluate(`${this.places.run}.click()`);
    const results = () => this.evaluate(`${this.places.results}.innerText`);
    await expect.poll(results, { timeout: 60_000, interval: 250 }).toMatch(words);
  }
}

/** Lists and more lists: the heap of objects. */
const HOARD = `display('begun');\n${forever('new Array(1e5).fill(1.5)')}`;

describe.skipIf(findBrowser() === undefined)('where the browser has no more memory for objects', () => {
  const stages: Stage[] = [];
  afterAll(() => Promise.all(stages.map((each) => each.end())));

  test.each([
    ['the playground', 'playground', '/', PAGE],
    ['a course page', 'playground', '/exercises.html', BOX],
    ['the site', 'site', '/', BOX],
  ])('%s says so, keeps the text, and runs the next program', async (_, folder, path, places) => {
    const root = fileURLToPath(new URL(`../../dist/${folder}`, import.meta.url));
    const here = await stage(root, ['--js-flags=--max-old-space-size=100']);
    stages.push(here);
    const page = await Survivor.of(await here.open(path), places);
    await page.write(HOARD);
    await page.run(/begun[\s\S]*used up the memory[\s\S]*Your text is safe/);
    expect(await page.text()).toBe(HOARD);
    await page.write('40 + 2');
    await page.run(/^42$/);
  });
});
