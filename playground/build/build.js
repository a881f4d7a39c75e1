// `npm run playground`: builds the playground into dist/playground. Names of parts build these alone.
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, createServer } from 'vite';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const parts = process.argv.slice(2);
const wanted = (name) => parts.length === 0 || parts.includes(name);

if (parts.length === 0) rmSync(here('../../dist/playground'), { recursive: true, force: true });
for (const name of ['engine', 'charts', 'frame', 'element', 'app']) {
  if (wanted(name)) await build({ configFile: here(`${name}.config.ts`) });
}
if (wanted('data')) {
  const server = await createServer({
    configFile: false,
    root: here('../..'),
    server: { middlewareMode: true },
    appType: 'custom',
    logLevel: 'error',
  });
  try {
    const { writeData } = await server.ssrLoadModule('/playground/build/data.ts');
    writeData();
  } finally {
    await server.close();
  }
}
