/** Tests in a browser: `npm run test:browser`. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['playground/test/**/*.test.ts', 'site/test/**/*.test.ts'],
    globalSetup: 'playground/test/say-without-browser.ts',
    testTimeout: 90_000,
    hookTimeout: 60_000,
    // One browser at a time: each of them starts workers that compute.
    maxWorkers: 1,
    fileParallelism: false,
  },
});
