/** Takes from the program's thread, before the program is loaded, what Node's permission model leaves open. */
import { open } from 'node:fs/promises';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';

function refuse(): never {
  throw Object.assign(new Error('The sandbox does not allow this.'), { code: 'ERR_ACCESS_DENIED' });
}

/** Puts a function that refuses in place of one that must not be called. */
function take(owner: object, name: string): void {
  if (name in owner) Object.defineProperty(owner, name, { value: refuse, writable: false, configurable: false });
}

/** What can be set of an object can only be read. */
function fix(owner: object): void {
  for (const [name, { get, set }] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
    if (set !== undefined) Object.defineProperty(owner, name, { get, set: refuse, configurable: false });
  }
}

/** What files that are open can do. */
async function fileMethods(): Promise<object> {
  const file = await open(fileURLToPath(import.meta.url));
  await file.close();
  return Object.getPrototypeOf(file) as object;
}

export async function lockDown(): Promise<void> {
  // Signals reach other processes of the user.
  for (const name of ['kill', '_kill', '_debugProcess', '_debugEnd', 'dlopen', 'binding']) take(process, name);
  // Reports hold the environment of the process, whatever that of the thread is.
  for (const name of ['getReport', 'writeReport']) take(process.report, name);
  fix(process.report);
  // The model asks whether the file may be read.
  const methods = await fileMethods();
  for (const name of ['utimes', 'chmod', 'chown']) take(methods, name);
  const builtin = createRequire(import.meta.url) as (name: string) => object;
  // With the right flags V8 lets programs write to memory; the snapshot is a file in the current folder.
  for (const name of ['setFlagsFromString', 'setHeapSnapshotNearHeapLimit']) take(builtin('node:v8'), name);
  // It changes the priority of any process of the user.
  take(builtin('node:os'), 'setPriority');
  syncBuiltinESMExports();
}
