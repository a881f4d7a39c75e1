/** Programs on several ranks: those of whatever MPI the machine has, and threads. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const WAYMARK = fileURLToPath(new URL('../bin/waymark.js', import.meta.url));
export const PROGRAMS = fileURLToPath(new URL('programs/', import.meta.url));

/** How ranks are started: by MPI's launcher, with what it needs for more of them than there are processors, also as root; or as threads. */
export interface Launcher {
  readonly name: string;
  /** The words before those of the command; none of threads, which the command starts itself. */
  readonly words: readonly string[];
  /** The number of a rank, in a program. */
  readonly rank: string;
}

const OF_MPI = 'Number(process.env.OMPI_COMM_WORLD_RANK ?? process.env.PMI_RANK)';

const OPEN_MPI = ['--allow-run-as-root', '--oversubscribe'];

function isThere(command: string): boolean {
  return spawnSync(command, ['--version']).status === 0;
}

function openMpi(): Launcher | undefined {
  const command = ['mpirun.openmpi', 'mpirun'].find(
    (one) => isThere(one) && /Open MPI/.test(String(spawnSync(one, ['--version']).stdout)),
  );
  return command === undefined ? undefined : { name: 'Open MPI', words: [command, ...OPEN_MPI], rank: OF_MPI };
}

function mpich(): Launcher | undefined {
  const command = ['mpirun.mpich', 'mpiexec.hydra'].find(isThere);
  return command === undefined ? undefined : { name: 'MPICH', words: [command], rank: OF_MPI };
}

export const launchers: readonly Launcher[] = [openMpi(), mpich()].filter((one) => one !== undefined);

/** `waymark run --ranks N`, which needs no MPI. The first thread of a process that it starts has the number 1. */
export const THREADS: Launcher = { name: 'threads', words: [], rank: 'threadId - 1' };

export const HOW_TO_INSTALL =
  'No MPI is installed, so that no ranks are started as processes: apt-get install openmpi-bin (or mpich).';

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
  const words = launcher === undefined || launcher === THREADS ? [] : [...launcher.words, '-n', String(ranks)];
  const ofThreads = launcher === THREADS ? ['--ranks', String(ranks)] : [];
  const [command, ...rest] = [...words, process.execPath, WAYMARK, ...args, ...ofThreads];
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
