/** `npm run estimators`: rules for gradients compared, program by program. It uses what the tests of rules use. */
import { defineConfig } from 'vitest/config';
import { bytesPlugin } from '../../build/bytes-plugin.ts';
import { liftPlugin } from '../../build/lift-plugin.ts';

export default defineConfig({
  plugins: [liftPlugin(), bytesPlugin()],
  test: {
    include: ['bench/estimators/compare.ts'],
    testTimeout: 3_600_000,
    disableConsoleIntercept: true,
    reporters: [['default', { summary: false }]],
  },
});
