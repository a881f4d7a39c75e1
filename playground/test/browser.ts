/** The machine's own browser, driven by Playwright, and the built playground on a port of its own. */
import { accessSync, constants, existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { serveFolder } from '../../src/cli/static-server.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge'];
const ELSEWHERE = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Chromium or a browser made of it; undefined if there is none. `WAYMARK_BROWSER` names another. */
export function findBrowser(): string | undefined {
  const named = process.env.WAYMARK_BROWSER;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const found = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...(named === undefined ? [] : [named]), ...found, ...ELSEWHERE].find(isProgram);
}

/** How to get one. */
export const NO_BROWSER =
  'Tests in a browser are skipped: there is no Chromium here. Install one (apt-get install chromium, or Chrome), or name one ' +
  'in WAYMARK_BROWSER.';

export const built = fileURLToPath(new URL('../../dist/playground', import.meta.url));

if (!existsSync(join(built, 'index.html'))) throw new Error('The playground has not been built: npm run playground');

/** A quiet browser: it asks nobody on the network for anything of its own. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface Stage {
  readonly browser: Browser;
  /** Where the playground is. */
  readonly origin: string;
  /** A page with nothing kept, which fails the test if a script of it fails. */
  open(path?: string, options?: Parameters<Browser['newContext']>[0]): Promise<Page>;
  end(): Promise<void>;
}

/** `flags` are further ones for the browser. */
export async function stage(folder = built, flags: readonly string[] = []): Promise<Stage> {
  const server = await serveFolder(folder, 0);
  const browser = await chromium.launch({ executablePath: findBrowser(), args: [...QUIET, ...flags] });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const contexts: BrowserContext[] = [];
  return {
    browser,
    origin,
    async open(path = '/', options = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
      contexts.push(context);
      const page = await context.newPage();
      page.on('pageerror', (error) => {
        throw error;
      });
      await page.goto(origin + path);
      return page;
    },
    async end() {
      await browser.close();
      server.closeAllConnections();
      server.close();
    },
  };
}
