/** Programs on several ranks, with whatever MPI the machine has. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const WAYMARK = fileURLToPath(new URL('../bin/waymark.js', import.meta.url));
export const PROGRAMS = fileURLToPath(new URL('programs/', import.meta.url));

/** A launcher, with what it needs to start more ranks than there are processors, also as root. */
export interface Launcher {
  readonly name: string;
  readonly words: readonly string[];
}

const OPEN_MPI = ['--allow-run-as-root', '--oversubscribe'];

function isThere(command: string): boolean {
  return spawnSync(command, ['--version']).status === 0;
}

function openMpi(): Launcher | undefined {
  const command = ['mpirun.openmpi', 'mpirun'].find(
    (one) => isThere(one) && /Open MPI/.test(String(spawnSync(one, ['--version']).stdout)),
  );
  return command === undefined ? undefined : { name: 'Open MPI', words: [command, ...OPEN_MPI] };
}

function mpich(): Launcher | undefined {
  const command = ['mpirun.mpich', 'mpiexec.hydra'].find(isThere);
  return command === undefined ? undefined : { name: 'MPICH', words: [command] };
}

export const launchers: readonly Launcher[] = [openMpi(), mpich()].filter((one) => one !== undefined);

export const HOW_TO_INSTALL =
  'No MPI is installed, so that nothing is run on several ranks: apt-get install openmpi-bin (or mpich).';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts `waymark` on so many ranks; on none of them, alone. */
export function start(
  launcher: Launcher | undefined,
  ranks: number,
  args: readonly string[],
  cwd: string,
): ChildProcess {
  const words = launcher === undefined ? [] : [...launcher.words, '-n', String(ranks)];
  const [command, ...rest] = [...words, process.execPath, WAYMARK, ...args];
  return spawn(command, rest, { cwd, stdio: ['pipe', 'pipe', 'pipe'] });
}

export function ended(child: ChildProcess, input = ''): Promise<Ended> {
  const out = { stdout: '', stderr: '' };
  child.stdout?.on('data', (text) => (out.stdout += text));
  child.stderr?.on('data', (text) => (out.stderr += text));
  child.stdin?.end(input);
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...out })));
}

export class Folder {
  readonly path = mkdtempSync(join(tmpdir(), 'waymark-ranks-'));

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
