/**
 * Code of the command that V8 has compiled before. Short runs spend much of their time on compiling what they call for the
 * first time. V8 can be given the outcome of an earlier run, but only for scripts, so that the build divides its larger
 * chunks in two: a module of imports and exports, and a script with all the rest (`build/kept-code-plugin.ts`). A build
 * keeps code for runs on the machine where it was made (`build/keep-code.js`). It is not part of the package: on other
 * machines the first run keeps what it has compiled, in the user's cache (`code-store.ts`), and keeps it again when a
 * program does what none has done before (`deeds`).
 */
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import { isMainThread } from 'node:worker_threads';
import { canStore, ownFile, sealed, store, unsealed, userFolder, version } from './code-store.ts';
import { isUsed } from './tricks.ts';

interface Loaded {
  readonly script: Script;
  readonly source: Uint8Array;
  /** The name of its file. */
  readonly name: string;
  /** What the code that was taken up was compiled for; null if there was none. */
  readonly deeds: number | null;
}

/** Words of programs, a bit each: what is called for them is code that other programs do not call. */
const WORDS = [
  ...['Infer', 'enumerate', 'forward', 'rejection', 'importance', 'MCMC', 'HMC', 'NUTS', 'SMC', 'PMCMC', 'asyncPF'],
  ...['incrementalMH', 'optimize', 'Optimize', 'param', 'mapData', 'foldData', 'mem', 'dp', 'cache', 'Amortize', 'viz'],
  ...['loadData', 'posteriors', 'calibrate', 'T', '_', 'async', 'class', 'import'],
];

/** What the programs of this thread do. */
let deeds = 0;

/** This program is going to run. */
export function note(text: string): void {
  const words = new Set(text.match(/\w+/g));
  for (const [i, word] of WORDS.entries()) if (words.has(word)) deeds |= 1 << i;
}

/** Whether this is the program's thread of the build's process, which keeps all it compiles beside the scripts. */
const building = process.env.WAYMARK_KEEP_CODE === 'yes' && !isMainThread;

/** Scripts whose code is not the build's. */
const loaded: Loaded[] = [];

/** Where the build keeps code. */
let builtFolder: string | undefined;

/**
 * Whether V8 compiles functions further that are called often. Those that were so in the build's run would be compiled further at
 * their first call in every other run. But what is kept serves the usual settings only.
 */
const compileFurther = (yes: boolean): void => setFlagsFromString(yes ? '--sparkplug' : '--no-sparkplug');

/** The function that a script is: it takes what the chunk imports, and gives what it exports. */
export function load(url: URL): (...imports: unknown[]) => unknown[] {
  const file = fileURLToPath(url);
  const name = `${basename(file)}.${version}`;
  builtFolder ??= join(dirname(file), 'kept');
  const source = readFileSync(file);
  const kept = keptFor(name, source, builtFolder);
  const cachedData = kept?.code;
  if (building) compileFurther(true);
  const script = new Script(source.toString('utf8'), { filename: url.href, cachedData });
  if (building) compileFurther(false);
  const taken = !building && kept !== undefined && !script.cachedDataRejected;
  if (!taken || !kept.built) loaded.push({ script, source, name, deeds: taken ? kept.deeds : null });
  return script.runInThisContext() as (...imports: unknown[]) => unknown[];
}

/** Code from the build's folder, whose owner made the script too; or from the user's. */
function keptFor(name: string, source: Uint8Array, built: string): Kept | undefined {
  if (!isUsed('kept-code')) return undefined;
  const file = contentOf(join(built, name));
  const found = file && unsealed(file, source);
  if (found !== undefined) return { ...found, built: true };
  const folder = userFolder();
  const own = folder === undefined ? undefined : ownFile(join(folder, name));
  const mine = own && unsealed(own, source);
  return mine && { ...mine, built: false };
}

interface Kept {
  readonly code: Buffer;
  readonly deeds: number;
  readonly built: boolean;
}

function contentOf(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/**
 * What has been compiled so far is kept for the next run, of scripts that nothing was kept of, or nothing that programs like this one call. Not in
 * a sandbox, which cannot write there: what runs in it must not decide what code runs elsewhere.
 */
export function keep(): void {
  const folder = building ? builtFolder : userFolder();
  if (!isUsed('kept-code')) return;
  const fresh = loaded.filter(({ deeds: known }) => known === null || (deeds & ~known) !== 0);
  if (folder === undefined || fresh.length === 0 || !canStore(folder, building ? 0o755 : 0o700)) return;
  if (building) compileFurther(true);
  const files = new Map(
    fresh.map(({ script, source, name, deeds: known }) => {
      return [name, sealed(source, script.createCachedData(), ((known ?? 0) | deeds) >>> 0)];
    }),
  );
  store(folder, files);
}
