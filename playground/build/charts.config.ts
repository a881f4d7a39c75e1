/** The worker that draws charts, as one script. Pages load it when there is a chart to draw. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { script } from './script.ts';

export default defineConfig(script('charts', fileURLToPath(new URL('../charts/worker.ts', import.meta.url))));
