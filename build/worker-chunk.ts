/**
 * Puts what every program's thread loads into one file. Entries share modules in many combinations, and each of these would be a
 * file of its own, which Node takes a millisecond of CPU to find, read and link. What the main thread loads too stays apart:
 * it must not load the rest.
 */
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const path = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/** A module and all that it imports, at once or through others. */
function closure(modules: Modules, entry: string): Set<string> {
  const found = new Set([entry]);
  for (const id of found) for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}

/** The chunk of what reads compiled code. */
export const LOADER_CHUNK = 'loader';

/** What the program's thread loads, and what of that the main thread of the command, or of a batch, loads too. */
const ofThread = new Set<string>();
const ofBoth = new Set<string>();
/** And what of that those load too who import the library, and need no compiler. */
const ofLibrary = new Set<string>();
/** What loads the others. */
const ofLoader = new Set<string>();

export const workerChunkPlugin = (): Plugin => ({
  name: 'worker-chunk',
  buildEnd() {
    for (const id of closure(this, path('src/cli/v8/kept-code.ts'))) ofLoader.add(id);
    const entry = path('src/cli/worker.ts');
    // Those of the command may do something when they are loaded, which those who import the library do not want.
    for (const id of closure(this, entry)) if (!id.startsWith(path('src/cli/'))) ofThread.add(id);
    for (const id of closure(this, path('src/scope.ts'))) if (ofThread.has(id)) ofLibrary.add(id);
    for (const main of ['src/cli/main.ts', 'src/cli/batch-child.ts']) {
      for (const id of closure(this, path(main))) if (ofThread.has(id)) ofBoth.add(id);
    }
  },
});

export const workerChunks = [
  { name: LOADER_CHUNK, test: (id: string): boolean => ofLoader.has(id), priority: 4 },
  { name: 'command', test: (id: string): boolean => ofBoth.has(id), priority: 3 },
  { name: 'library', test: (id: string): boolean => ofLibrary.has(id), priority: 2 },
  { name: 'program-thread', test: (id: string): boolean => ofThread.has(id), priority: 1 },
];
