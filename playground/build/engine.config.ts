/** The worker that runs programs, as one script. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { bytesPlugin } from '../../build/bytes-plugin.ts';
import { liftPlugin } from '../../build/lift-plugin.ts';
import { nodeStubs } from './node-stubs.ts';
import { script } from './script.ts';

export default defineConfig({
  ...script('engine', fileURLToPath(new URL('../engine/worker.ts', import.meta.url))),
  plugins: [nodeStubs(), liftPlugin(), bytesPlugin()],
});
