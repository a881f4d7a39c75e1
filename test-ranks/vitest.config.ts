import { defineConfig } from 'vitest/config';

/** Programs on several ranks: `npm run test:ranks`. Ranks take all processors, so that one test runs after the other. */
export default defineConfig({
  test: { include: ['test-ranks/**/*.test.ts'], fileParallelism: false, testTimeout: 300_000, passWithNoTests: true },
});
