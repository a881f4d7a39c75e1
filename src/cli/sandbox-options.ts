/** What `waymark run` can be told about its sandbox. */
import { statSync } from 'node:fs';
import { flag, list, type Settings, UsageError } from './arguments.ts';

export const sandboxOptions = {
  sandbox: flag(
    'run the program of somebody else: it may read its own folder and write nothing, but for what is named',
  ),
  'allow-read': list('PATHS', 'files and folders that a program in the sandbox may read too'),
  'allow-write': list('PATHS', 'folders that a program in the sandbox may write to'),
};

export type SandboxSettings = Settings<typeof sandboxOptions>;

/** Throws if options do not go together, or what they name is not there. */
export function checkSandbox(
  settings: SandboxSettings & { readonly threads?: number; readonly watch?: boolean },
): void {
  const { sandbox = false, 'allow-read': reads = [], 'allow-write': writes = [], threads = 1, watch } = settings;
  for (const name of ['allow-read', 'allow-write'] as const) {
    if (!sandbox && settings[name] !== undefined) throw new UsageError(`--${name} is for programs in a --sandbox.`);
  }
  const found = (path: string) => statSync(path, { throwIfNoEntry: false });
  const missing = reads.find((path) => found(path) === undefined);
  if (missing !== undefined) throw new UsageError(`--allow-read: there is no file or folder ${missing}.`);
  const noFolder = writes.find((path) => !found(path)?.isDirectory());
  if (noFolder !== undefined) throw new UsageError(`--allow-write: there is no folder ${noFolder}.`);
  if (sandbox && threads > 1) throw new UsageError('--sandbox and --threads: a program in a sandbox has one thread.');
  if (sandbox && watch) throw new UsageError('--sandbox and --watch: a program in a sandbox runs once.');
}
