import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const host = fileURLToPath(new URL('../src/host/', import.meta.url));
const WORKER_TEXT = `${host}program-worker-text.ts`;

/** Files of `src/host/` that pages have another one for: `fs.ts` and `fs.browser.ts`. */
export const twinOf = (file: string): string => file.replace(/\.ts$/, '.browser.ts');

const hasTwin = (file: string): boolean => dirname(file) === dirname(`${host}x`) && existsSync(twinOf(file));

interface HostOptions {
  /**
   * `browser`: each file with a twin is replaced by it. `import`: it is imported as `#host/fs`, which package.json resolves to
   * the one or the other.
   */
  readonly as: 'browser' | 'import';
  /** The built worker for programs, as text. */
  readonly workerText?: string;
}

/** What is the host's, for builds that are not for Node alone. */
export function hostPlugin({ as, workerText }: HostOptions): Plugin {
  return {
    name: 'waymark-host',
    enforce: 'pre',

    resolveId(specifier, importer) {
      if (importer === undefined || !specifier.startsWith('.') || !specifier.endsWith('.ts')) return null;
      const file = resolve(dirname(importer), specifier);
      // A file may speak of its own twin's types.
      if (!hasTwin(file) || importer === twinOf(file)) return null;
      if (as === 'browser') return twinOf(file);
      return { id: `#host/${basename(file, '.ts')}`, external: true };
    },

    load(id) {
      if (id !== WORKER_TEXT || workerText === undefined) return null;
      return `export const text = ${JSON.stringify(readFileSync(workerText, 'utf8'))};`;
    },
  };
}
