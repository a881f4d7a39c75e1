/** The pages of the site, from those of docs/. */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Navigation, navigationIn } from './navigation.ts';
import { type Rendered, rendered } from './render.ts';
import { searchEntries } from './search-entries.ts';
import { page } from './template.ts';

/** Pages for those who change Waymark, and what the reproduction writes: they are in the repository. */
const LEFT_OUT = /^(architecture\.md|reproduction\/)/;

/** Where a page of docs/ is on the site. The opening page is written for newcomers; the list of pages is beside it. */
export function placeOf(file: string): string {
  if (file === 'start.md') return 'index.html';
  if (file === 'README.md') return 'contents.html';
  return file.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html');
}

export function writeSite(top: string, out: string): number {
  const docs = join(top, 'docs');
  const files = readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.md') && !LEFT_OUT.test(name))
    .sort();
  const navigation = navigationIn(readFileSync(join(docs, 'README.md'), 'utf8'));
  const pages = files.map((file) => rendered(file, readFileSync(join(docs, file), 'utf8'), new Set(files)));
  for (const made of pages) writePage(made, navigation, out);
  // Pictures, with the folders that they are in.
  cpSync(docs, out, { recursive: true, filter: (name) => name.endsWith('.svg') || !/\.\w+$/.test(name) });
  writeFileSync(join(out, 'search.json'), JSON.stringify(pages.flatMap(searchEntries)));
  return pages.length;
}

function writePage(made: Rendered, navigation: Navigation, out: string): void {
  const file = join(out, placeOf(made.file));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, page(made, navigation));
}
