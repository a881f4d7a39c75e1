/**
 * `waymark run --sandbox`: the program's thread has Node's permission model in force, and globals that it does not need are
 * removed. The thread may not start others: a thread can be given fewer limits than the one that starts it. SECURITY.md says
 * how far this protects.
 *
 * **A program of another author** (`waymark run --sandbox`, `cli/sandbox.ts`) runs in a thread that is started with Node's permission model in
 * force, whatever the process may do. It may not start threads, because it could start one without limits. It writes outputs to
 * a scratch folder (`cli/scratch.ts`), and the main thread, in which nothing of the program runs, brings them to their places.
 */
import { realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WorkerOptions } from 'node:worker_threads';
import { UsageError } from './arguments.ts';
import { refuseOutwardLinks } from './outward-links.ts';
import { userFolder } from './v8/code-store.ts';

/** What a program in a sandbox may use. */
interface Needs {
  /** Its file; undefined if it came from stdin, and so has no folder of its own. */
  readonly program: string | undefined;
  /** Files and folders it may read besides its own folder. */
  readonly reads: readonly string[];
  /** Folders it may write to. */
  readonly writes: readonly string[];
}

/** Environment variables that hold no secrets. */
const ENVIRONMENT = ['LANG', 'LC_ALL', 'LC_NUMERIC', 'TZ', 'TERM', 'NO_COLOR', 'FORCE_COLOR', 'COLUMNS'];

/** Flags of this Node, which knows each under one name or not at all. */
const knows = (flag: string): boolean => process.allowedNodeEnvironmentFlags.has(flag);

/** Whether this Node closes the network to threads that have limits. */
export const closesNetwork = (): boolean => knows('--allow-net');

/** How the thread is to be started. Throws where this Node cannot do it, or a path cannot be told to it. */
export function sandboxed(needs: Needs): Pick<WorkerOptions, 'execArgv' | 'env'> {
  const model = ['--permission', '--experimental-permission'].find(knows);
  if (model === undefined) {
    throw new UsageError(`--sandbox needs Node's permission model, which Node ${process.versions.node} does not have.`);
  }
  const execArgv = [model, '--no-warnings'];
  // It opens any file, whatever the permissions.
  if (knows('--experimental-sqlite')) execArgv.push('--no-experimental-sqlite');
  const { program } = needs;
  // Where the file is, and where the link to it is, if that is what was named.
  const folders = program === undefined ? [] : [dirname(real(program)), real(dirname(program))];
  refuseOutwardLinks([...new Set([...folders, ...needs.reads.map(real), ...needs.writes.map(real)])]);
  const writes = needs.writes.map(everythingIn);
  const reads = [...ownFiles(), ...folders.map(everythingIn), ...needs.reads.map(everythingIn), ...writes];
  for (const path of apart(reads)) execArgv.push(`--allow-fs-read=${sayable(path)}`);
  for (const path of apart(writes)) execArgv.push(`--allow-fs-write=${sayable(path)}`);
  const env: Record<string, string> = { WAYMARK_CACHE: userFolder() ?? 'off' };
  for (const name of ENVIRONMENT) if (process.env[name] !== undefined) env[name] = process.env[name];
  return { execArgv, env };
}

/** What Waymark itself reads: its build, the packages it needs, and compiled code. */
function ownFiles(): string[] {
  const build = dirname(fileURLToPath(import.meta.url));
  const packages = createRequire(import.meta.url)
    .resolve('acorn')
    .split(`${sep}node_modules${sep}`)[0];
  const cache = userFolder();
  return [build, join(dirname(build), 'package.json'), join(packages, 'node_modules'), ...(cache ? [cache] : [])].map(
    everythingIn,
  );
}

/** A file, or what is in a folder. */
function everythingIn(path: string): string {
  const place = real(path);
  return statSync(place, { throwIfNoEntry: false })?.isFile() ? place : join(place, '*');
}

/** Without those that others include: the first versions of the permission model end the process over them. */
function apart(paths: readonly string[]): string[] {
  const folders = paths.filter((path) => path.endsWith('*')).map((path) => path.slice(0, -1));
  const isIncluded = (path: string): boolean =>
    folders.some((folder) => path.startsWith(folder) && path !== `${folder}*`);
  return [...new Set(paths)].filter((path) => !isIncluded(path));
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/** Node takes lists of paths, with stars. */
function sayable(path: string): string {
  if (!/,|\*./.test(path)) return path;
  throw new UsageError(`--sandbox cannot allow ${path}: its name contains a comma or a star. Rename it.`);
}
