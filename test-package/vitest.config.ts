/** Tests of the package as others get it: `npm run test:package`. They need the registry, or npm's cache of it. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test-package/**/*.test.ts'],
    globalSetup: 'test-package/installed.ts',
    testTimeout: 180_000,
    hookTimeout: 300_000,
    maxWorkers: 1,
    fileParallelism: false,
  },
});
