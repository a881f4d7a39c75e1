import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { bytesPlugin } from './build/bytes-plugin.ts';
import { liftPlugin } from './build/lift-plugin.ts';

export default defineConfig({
  plugins: [liftPlugin(), bytesPlugin()],
  resolve: { alias: { waymark: fileURLToPath(new URL('./src/index.ts', import.meta.url)) } },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    // Commands are built in hooks.
    hookTimeout: 120_000,
    // Errors of the engine end a run, which users are only warned of.
    env: { WAYMARK_ENGINE_ERRORS: 'fatal' },
    pool: 'threads',
    maxWorkers: 2,
  },
});
