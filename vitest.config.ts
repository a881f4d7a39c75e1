import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { liftPlugin } from './build/lift-plugin.ts';

export default defineConfig({
  plugins: [liftPlugin()],
  resolve: { alias: { waymark: fileURLToPath(new URL('./src/index.ts', import.meta.url)) } },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    pool: 'threads',
    maxWorkers: 2,
  },
});
