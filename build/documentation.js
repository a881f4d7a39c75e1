// `npm run docs`: writes the reference and the figures, and what the programs in pages print.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const top = fileURLToPath(new URL('..', import.meta.url));
// The file that the command starts from is CommonJS in the build (`src/cli/v8/kept-code.ts`).
Object.assign(globalThis, {
  __dirname: dirname(fileURLToPath(import.meta.url)),
  __filename: fileURLToPath(import.meta.url),
});

const server = await createServer({
  root: top,
  server: { middlewareMode: true },
  logLevel: 'error',
  appType: 'custom',
});

/** Writes a file unless it is so already, or was changed meanwhile by somebody else. */
function write(name, text, before = textOf(name)) {
  if (before === text) return;
  if (textOf(name) !== before) throw new Error(`${name} was changed while its programs ran. Try again.`);
  mkdirSync(dirname(join(top, name)), { recursive: true });
  writeFileSync(join(top, name), text);
  console.log(name);
}

function textOf(name) {
  const file = join(top, name);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

try {
  const { madeFiles, updatePages } = await server.ssrLoadModule('/build/generated-files.ts');
  for (const [name, text] of await madeFiles()) write(name, text);
  await updatePages((name, before, after) => write(name, after, before));
} finally {
  await server.close();
}
