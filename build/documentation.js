// `npm run docs`: writes the reference and the figures, and what the programs in pages print.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const top = fileURLToPath(new URL('..', import.meta.url));
const server = await createServer({
  root: top,
  server: { middlewareMode: true },
  logLevel: 'error',
  appType: 'custom',
});

function write(name, text) {
  const file = join(top, name);
  mkdirSync(dirname(file), { recursive: true });
  let before = '';
  try {
    before = readFileSync(file, 'utf8');
  } catch {
    // A new file.
  }
  if (before === text) return;
  writeFileSync(file, text);
  console.log(name);
}

try {
  const { madeFiles, updatedPages } = await server.ssrLoadModule('/build/generated-files.ts');
  for (const [name, text] of await madeFiles()) write(name, text);
  for (const [name, text] of await updatedPages()) write(name, text);
} finally {
  await server.close();
}
