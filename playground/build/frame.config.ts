/** The sandboxed frame: a page without anything but its script, and the rules of what may be loaded. */
import { fileURLToPath } from 'node:url';
import type { OutputAsset, OutputChunk } from 'rolldown';
import { defineConfig, type Plugin } from 'vite';
import { script } from './script.ts';

/**
 * Nothing may be loaded from anywhere. Scripts: the one in the page, those that the page makes of text (`blob:`), and what
 * programs are compiled to. Workers made from `blob:` are bound by the same rules.
 */
const RULES = "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' blob:; worker-src blob:";

const asPage = (): Plugin => ({
  name: 'frame-page',
  generateBundle(_options, bundle: Record<string, OutputAsset | OutputChunk>) {
    for (const [name, file] of Object.entries(bundle)) {
      if (file.type !== 'chunk') continue;
      delete bundle[name];
      const source = `<!doctype html><meta charset="utf-8"><title>Waymark sandbox</title><meta http-equiv="Content-Security-Policy" content="${RULES}"><script>${file.code.replaceAll('</', '<\\/')}</script>\n`;
      this.emitFile({ type: 'asset', fileName: 'sandbox.html', source });
    }
  },
});

export default defineConfig({
  ...script('frame', fileURLToPath(new URL('../sandbox/frame.ts', import.meta.url))),
  plugins: [asPage()],
});
