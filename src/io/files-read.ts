/** Which data files a run has read so far, so that a checkpoint can tell whether they are the same as in another run. */

import { readRegularFile } from '../host/regular-file.ts';
import { fingerprintOf } from '../host/system.ts';
import { machine, type Run } from '../runtime/machine.ts';

/** By the name that the program gave, where it is. */
const byRun = new WeakMap<Run, Map<string, string>>();

export function noteFileRead(name: string, place: string): void {
  const { run } = machine;
  let files = byRun.get(run);
  if (files === undefined) {
    files = new Map();
    byRun.set(run, files);
  }
  files.set(name, place);
}

/** Of each file that was read, something that is the same for equal contents. Read again, since few runs ever ask. */
export function filesRead(): Record<string, string> {
  const hashes: [string, string][] = [...(byRun.get(machine.run) ?? [])].map(([name, place]) => [name, hashOf(place)]);
  return Object.fromEntries(hashes);
}

function hashOf(place: string): string {
  try {
    return fingerprintOf([readRegularFile(place)]);
  } catch {
    return 'no longer there';
  }
}
