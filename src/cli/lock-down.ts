/** Takes from the program's thread, before the program is loaded, what Node's permission model leaves open. */
import { createRequire, syncBuiltinESMExports } from 'node:module';

function refuse(): never {
  throw Object.assign(new Error('The sandbox does not allow this.'), { code: 'ERR_ACCESS_DENIED' });
}

/** Puts a function that refuses in place of one that must not be called. */
function take(owner: object, name: string): void {
  if (name in owner) Object.defineProperty(owner, name, { value: refuse, writable: false, configurable: false });
}

export function lockDown(): void {
  // Signals reach other processes of the user.
  for (const name of ['kill', '_kill', '_debugProcess', '_debugEnd', 'dlopen', 'binding']) take(process, name);
  // Reports hold the environment of the process, whatever that of the thread is.
  for (const name of ['getReport', 'writeReport']) take(process.report, name);
  const builtin = createRequire(import.meta.url) as (name: string) => object;
  // With the right flags V8 lets programs write to memory; the snapshot is a file in the current folder.
  for (const name of ['setFlagsFromString', 'setHeapSnapshotNearHeapLimit']) take(builtin('node:v8'), name);
  // It changes the priority of any process of the user.
  take(builtin('node:os'), 'setPriority');
  syncBuiltinESMExports();
}
