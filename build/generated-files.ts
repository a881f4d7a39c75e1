/** What `npm run docs` makes and keeps in step with the source. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { figures } from './pages/figures.ts';
import { withOutputs } from './pages/outputs.ts';
import { reference } from './reference/reference.ts';

const top = fileURLToPath(new URL('..', import.meta.url));

/** Pages that people write, relative to the repository. */
export function writtenPages(): string[] {
  const docs = readdirSync(join(top, 'docs'), { recursive: true, encoding: 'utf8' });
  const pages = docs.filter((name) => name.endsWith('.md') && !name.startsWith('reference/'));
  return [
    'README.md',
    'CONTRIBUTING.md',
    'examples/README.md',
    'examples/paper/README.md',
    ...pages.map((name) => `docs/${name}`),
  ];
}

/** Files made from doc comments and figure programs, with their texts. */
export async function madeFiles(): Promise<Map<string, string>> {
  const made = new Map<string, string>();
  await inFolder(async (folder) => {
    for (const [name, text] of reference()) {
      const shown = await withOutputs(text, folder);
      made.set(`docs/reference/${name}`, shown.replaceAll('```text\n\n```\n\n', ''));
    }
  });
  for (const [name, svg] of await figures()) made.set(name, svg);
  return made;
}

/** Written pages one by one, as they are and with the output of their programs brought up to date. */
export async function updatePages(update: (name: string, before: string, after: string) => void): Promise<void> {
  await inFolder(async (folder) => {
    for (const name of writtenPages()) {
      const before = readFileSync(join(top, name), 'utf8');
      update(name, before, await withOutputs(before, folder));
    }
  });
}

/** A folder of their own for the files that programs leave. */
async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-docs-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
