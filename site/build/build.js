// `npm run site`: makes a site of docs/ in dist/site, with the playground in it.
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, createServer } from 'vite';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const [top, out, playground] = ['../..', '../../dist/site', '../../dist/playground'].map(here);

if (!existsSync(`${playground}/index.html`)) {
  console.error('The playground has not been built: npm run playground builds it.');
  process.exit(1);
}
rmSync(out, { recursive: true, force: true });
await build({ configFile: here('site.config.ts') });
cpSync(playground, `${out}/playground`, { recursive: true });
// Here the playground has pages beside it to link to.
const page = readFileSync(`${playground}/index.html`, 'utf8');
const docs = '<a class="quiet" href="../index.html">Documentation</a>';
writeFileSync(
  `${out}/playground/index.html`,
  page.replace('<button id="theme-button"', `${docs}\n      <button id="theme-button"`),
);
const server = await createServer({
  configFile: false,
  root: top,
  server: { middlewareMode: true },
  appType: 'custom',
  logLevel: 'error',
});
try {
  const { writeSite } = await server.ssrLoadModule('/site/build/site.ts');
  const pages = writeSite(top, out);
  console.log(`${pages} pages in dist/site`);
} finally {
  await server.close();
}
