/** The custom element for other pages, as one module. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { script } from './script.ts';

export default defineConfig(
  script('waymark-editor', fileURLToPath(new URL('../element/waymark-editor.ts', import.meta.url)), 'es'),
);
