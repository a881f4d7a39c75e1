/**
 * Puts what is loaded together into one file. Entries share modules in many combinations, and each of these would be a file of its own,
 * which takes a millisecond of CPU to find, read and link. What the main thread loads too stays apart: it must not load the rest.
 */
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const path = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

/** What reads compiled code, and loads everything else. */
export const LOADER = path('src/cli/v8/kept-code.ts');

/** Entries that a process or a thread starts with: the command, its programs, and the process for those of a batch. */
export const STARTS = ['cli', 'worker', 'batch-child'] as const;

interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/** A module and all that it imports, at once or through others. */
function closure(modules: Modules, entry: string): Set<string> {
  const found = new Set([entry]);
  for (const id of found) for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}

/** What the program's thread loads, and what of that the main thread of the command, or of a batch, loads too. */
const ofThread = new Set<string>();
const ofBoth = new Set<string>();
/** And what of that those load too who import the library, and need no compiler. */
const ofLibrary = new Set<string>();
/** What is the command's own: it may do something when it is loaded, which those who import the library do not want. */
const ofCommand = new Set<string>();
const ofCommandThread = new Set<string>();

export const workerChunkPlugin = (): Plugin => ({
  name: 'worker-chunk',
  buildEnd() {
    const isCommand = (id: string): boolean => id.startsWith(path('src/cli/'));
    for (const id of closure(this, path('src/cli/worker.ts'))) (isCommand(id) ? ofCommandThread : ofThread).add(id);
    for (const id of closure(this, path('src/scope.ts'))) if (ofThread.has(id)) ofLibrary.add(id);
    for (const main of ['src/cli/main.ts', 'src/cli/batch-child.ts']) {
      for (const id of closure(this, path(main))) {
        if (isCommand(id)) ofCommand.add(id);
        else if (ofThread.has(id)) ofBoth.add(id);
      }
    }
    // Entries are files of their own: they do what they are started for.
    for (const entry of ['main', 'batch-child', 'worker']) {
      for (const own of [ofCommand, ofCommandThread]) own.delete(path(`src/cli/${entry}.ts`));
    }
  },
});

export const workerChunks = [
  { name: 'errors', test: (id: string): boolean => ofBoth.has(id), priority: 4 },
  { name: 'command', test: (id: string): boolean => ofCommand.has(id), priority: 3 },
  { name: 'library', test: (id: string): boolean => ofLibrary.has(id), priority: 2 },
  { name: 'program', test: (id: string): boolean => ofThread.has(id), priority: 1 },
  { name: 'thread', test: (id: string): boolean => ofCommandThread.has(id), priority: 0 },
];
