import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { bytesPlugin } from './build/bytes-plugin.ts';
import { liftPlugin } from './build/lift-plugin.ts';

const folder = fileURLToPath(new URL('./test/', import.meta.url));

/** Marks of tests that change what others in their thread would see: modules, the host, or settings of the engine. */
const CHANGES =
  /\bvi\.(mock|doMock|spyOn|stub\w+|useFakeTimers|resetModules)|\baddMethod\b|process\.(env|chdir)|\b(engineMode|optimizing|fewGroups)\.\w+ = |useDevice|memory\.scratch\(/;

/** Those that take many seconds each: `npm run test:long`. */
const LONG = 'test/**/*.long.test.ts';

const WITHOUT_CLOCK = 'test/without-clock.ts';

/** These have a module graph of their own each. The others share one in each thread, which saves a third of the time. */
const apart = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter(
    (name) =>
      name.endsWith('.test.ts') &&
      !name.endsWith('.long.test.ts') &&
      CHANGES.test(readFileSync(`${folder}${name}`, 'utf8')),
  )
  .map((name) => `test/${name}`);

export default defineConfig({
  plugins: [liftPlugin(), bytesPlugin()],
  resolve: {
    alias: {
      'waymark/webppl': fileURLToPath(new URL('./src/webppl.ts', import.meta.url)),
      waymark: fileURLToPath(new URL('./src/index.ts', import.meta.url)),
    },
  },
  test: {
    testTimeout: 60_000,
    // Commands are built in hooks.
    hookTimeout: 120_000,
    // Errors of the engine end a run, which users are only warned of.
    env: { WAYMARK_ENGINE_ERRORS: 'fatal' },
    pool: 'threads',
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          isolate: false,
          setupFiles: ['test/fresh-run.ts', WITHOUT_CLOCK],
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...apart, LONG],
        },
      },
      { extends: true, test: { name: 'apart', isolate: true, setupFiles: [WITHOUT_CLOCK], include: apart } },
      { extends: true, test: { name: 'long', isolate: true, setupFiles: [WITHOUT_CLOCK], include: [LONG] } },
    ],
  },
});
