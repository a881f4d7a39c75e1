/** One build of the command for all tests of a run, since building takes seconds. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const scratch = join(root, '.scratch/test-command');

const PAUSE_MS = 50;
const PATIENCE_MS = 110_000;
const pause = new Int32Array(new SharedArrayBuffer(4));

/** The folder of a build of the source as it is now; the first who asks makes it, others wait. */
export function builtCommand(): string {
  const builds = join(scratch, 'builds');
  // Tests run in threads of one process; those who keep it running and edit the source get another build.
  const folder = join(builds, `${process.pid}-${lastChange()}`);
  mkdirSync(builds, { recursive: true });
  try {
    mkdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return awaited(folder);
  }
  for (const name of readdirSync(builds)) {
    if (!isRunning(Number.parseInt(name, 10))) rmSync(join(builds, name), { recursive: true, force: true });
  }
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const args = [vite, 'build', '--logLevel', 'error', '--outDir', join(folder, 'dist')];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  writeFileSync(join(folder, status === 0 ? 'done' : 'failed'), '');
  if (status !== 0) throw new Error(`The build failed:\n${stderr}`);
  return folder;
}

function awaited(folder: string): string {
  const end = performance.now() + PATIENCE_MS;
  while (!existsSync(join(folder, 'done'))) {
    if (performance.now() > end) throw new Error('The build, which another test makes, takes too long.');
    if (existsSync(join(folder, 'failed'))) throw new Error('The build failed, as another test says.');
    Atomics.wait(pause, 0, 0, PAUSE_MS);
  }
  return folder;
}

function lastChange(): number {
  const files = ['src', 'build'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((name) => join(root, folder, String(name))),
  );
  return files.reduce((latest, file) => Math.max(latest, Math.floor(statSync(file).mtimeMs)), 0);
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
