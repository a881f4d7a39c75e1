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
  return ['README.md', 'CONTRIBUTING.md', 'examples/paper/README.md', ...pages.map((name) => `docs/${name}`)];
}

/** Files made from doc comments and figure programs, with their texts. */
export async function madeFiles(): Promise<Map<string, string>> {
  const pages = [...reference()].map(([name, text]) => [`docs/reference/${name}`, text] as const);
  return new Map([...pages, ...(await figures())]);
}

/** Written pages one by one, as they are and with the output of their programs brought up to date. */
export async function* updatedPages(): AsyncGenerator<{ name: string; before: string; after: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-docs-'));
  try {
    for (const name of writtenPages()) {
      const before = readFileSync(join(top, name), 'utf8');
      yield { name, before, after: await withOutputs(before, folder) };
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
