/** The worker that runs programs, as one script. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { bytesPlugin } from '../../build/bytes-plugin.ts';
import { hostPlugin } from '../../build/host-plugin.ts';
import { liftPlugin } from '../../build/lift-plugin.ts';
import { script } from './script.ts';

export default defineConfig({
  ...script('engine', fileURLToPath(new URL('../engine/worker.ts', import.meta.url))),
  plugins: [hostPlugin({ as: 'browser' }), liftPlugin(), bytesPlugin()],
});
