/** Builds and runs `steps.ts`, with the plugins that the package is built with. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build, loadConfigFromFile } from 'vite';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const root = here('../..');
const { config } = await loadConfigFromFile({ command: 'build', mode: 'production' }, undefined, root);
await build({
  configFile: false,
  root,
  logLevel: 'error',
  plugins: config.plugins.filter(({ name }) => !/empty|kept|worker/.test(name)),
  define: config.define,
  build: {
    target: 'node20',
    ssr: true,
    rolldownOptions: {
      external: [/^lodash$/, /^vega/, /^node:/],
      input: [here('./steps.ts')],
      output: { entryFileNames: '[name].js' },
    },
    outDir: here('../../node_modules/.cache/waymark-steps'),
    emptyOutDir: true,
    minify: false,
  },
});
const built = here('../../node_modules/.cache/waymark-steps/steps.js');
const { status } = spawnSync(process.execPath, [built, ...process.argv.slice(2)], { stdio: 'inherit' });
process.exitCode = status ?? 1;
