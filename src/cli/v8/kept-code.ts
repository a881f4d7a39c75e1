/**
 * Loads the command, with code that V8 has compiled before. Short runs spend much of their time on compiling what they call
 * for the first time. V8 can be given the outcome of an earlier run, but only for scripts, so that the build makes a script of
 * every chunk of the command (`build/kept-code-plugin.ts`): its imports as a list, and a function that takes them. Beside each
 * script lies a module, for programs that import the package, which asks for the same script: a thread has one of everything.
 * Node's own loader of modules would take longer than all the rest.
 *
 * A build keeps code for runs on the machine where it was made (`build/keep-code.js`). It is not part of the package: on other
 * machines the first run keeps what it has compiled, in the user's cache (`code-store.ts`), and keeps it again when a
 * program does what none has done before (`words`).
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import {
  canStore,
  forgetVersion,
  isStill,
  ownFile,
  sealed,
  store,
  unsealed,
  userFolder,
  version,
} from './code-store.ts';
import { setFlags, setFlagsOfThreads } from './flags.ts';
import { isUsed } from './tricks.ts';

interface Loaded {
  readonly script: Script;
  readonly source: Uint8Array;
  /** The name of its file. */
  readonly name: string;
  /** The words of the programs that the kept code was compiled for, a bit each (`WORDS`); null if no kept code was used. */
  readonly words: number | null;
}

type Exports = Readonly<Record<string, unknown>>;

/** What a script gives. */
interface Division {
  /** What it imports from where: names, `default`, or `*` for everything. */
  readonly imports: readonly (readonly [string, readonly string[]])[];
  readonly run: (...imports: unknown[]) => Exports;
}

/** Words of programs, a bit each: what is called for them is code that other programs do not call. */
const WORDS = [
  ...['Infer', 'enumerate', 'forward', 'rejection', 'importance', 'MCMC', 'HMC', 'NUTS', 'SMC', 'PMCMC', 'asyncPF'],
  ...['incrementalMH', 'optimize', 'Optimize', 'param', 'mapData', 'foldData', 'mem', 'dp', 'cache', 'Amortize', 'viz'],
  ...['loadData', 'posteriors', 'calibrate', 'T', '_', 'async', 'class', 'import'],
];

/** The words of this thread's programs, a bit each. */
let words = 0;

/** This program is going to run. */
export function note(text: string): void {
  const found = new Set(text.match(/\w+/g));
  for (const [i, word] of WORDS.entries()) if (found.has(word)) words |= 1 << i;
}

/** Whether this is the build's process, which keeps all it compiles beside the scripts. */
export const building = process.env.WAYMARK_KEEP_CODE === 'yes';

/** Scripts whose code is not the build's. */
const loaded: Loaded[] = [];

/** Where this file and all scripts are. */
const folder = __dirname;
const builtFolder = join(folder, 'kept');

const require = createRequire(__filename);

/** What chunks export, by their names. */
const chunks = new Map<string, Exports>();

/** What a chunk exports. */
export function chunk(name: string): Exports {
  let found = chunks.get(name);
  if (found === undefined) {
    const { imports, run } = load(scriptOf(name));
    const given = imports.flatMap(([from, names]) => {
      const all: Exports = from.startsWith('./') && from !== './kept-code.cjs' ? chunk(from) : require(from);
      return names.map((one) => (one === '*' || (one === 'default' && !from.startsWith('.')) ? all : all[one]));
    });
    found = run(...given, { url: urlOf(name) }, imported);
    chunks.set(name, found);
  }
  return found;
}

const scriptOf = (name: string): string => join(folder, name.replace(/\.js$/, '.script.js'));

const folderUrl = pathToFileURL(folder).href;

/** Of a file of the build: their names need no escapes. */
const urlOf = (name: string): string => `${folderUrl}/${basename(name)}`;

/** What `import(…)` means in a chunk. */
async function imported(url: string): Promise<unknown> {
  // The chunk that imports is loaded before.
  await undefined;
  return url.startsWith('./') && existsSync(scriptOf(url)) ? chunk(url) : import(url);
}

/** What the program's thread begins with. */
const THREAD_START = './worker.js';

/** Whether scripts are loaded for a program, and not for the command. */
let forProgram = false;

/** What a process or a thread of the command begins with. */
export function start(name: string): Exports {
  if (name === THREAD_START) setUp();
  process.once('exit', keep);
  return chunk(name);
}

function setUp(): void {
  setFlags();
  forProgram = true;
}

/** From now on this thread, which has been the command's, runs a program: scripts have the code that those of a program's thread have. */
export function runHere(): void {
  keep();
  loaded.length = 0;
  setFlagsOfThreads();
  setUp();
  forgetVersion();
}

/**
 * Whether V8 compiles functions further that are called often. In the build's run this is off but while scripts are compiled or kept:
 * code that was compiled further there would be so at the first call in every run. (V8 takes up code only under the flags that it was
 * kept under.) The flag belongs to the process, and the first thread is done with it when the program's thread begins.
 */
function compileFurther(yes: boolean): void {
  if (building && forProgram) setFlagsFromString(yes ? '--sparkplug' : '--no-sparkplug');
}

/** Shorter scripts are compiled as quickly as kept code is read. */
const WORTH_KEEPING = 8_000;

// The build has made it plain ASCII.
const load = (file: string): Division =>
  compiled(file, urlOf(file), (source) => source.toString('latin1')).runInThisContext() as Division;

type Require = (name: string) => unknown;
type Wrapped = (
  this: unknown,
  exports: unknown,
  require: Require,
  module: Module,
  file: string,
  folder: string,
) => void;

/** A package in the form of CommonJS. Later calls of Node's own `require` give the same. */
export function loadPackage(name: string): unknown {
  const file = require.resolve(name);
  const known = require.cache[file];
  if (known !== undefined) return known.exports;
  const wrap = (source: Buffer): string => Module.wrap(source.toString());
  const run = compiled(file, pathToFileURL(file).href, wrap).runInThisContext() as Wrapped;
  const module = new Module(file);
  run.call(module.exports, module.exports, createRequire(file), module, file, dirname(file));
  module.filename = file;
  module.loaded = true;
  require.cache[file] = module;
  return module.exports;
}

function compiled(file: string, url: string, textOf: (source: Buffer) => string): Script {
  const source = readFileSync(file);
  const isKept = isUsed('kept-code') && source.length >= WORTH_KEEPING;
  // Threads call other functions of a script than the command does.
  const name = `${basename(file)}.${forProgram ? '' : 'main.'}${version()}`;
  const kept = isKept ? keptFor(name, source) : undefined;
  compileFurther(true);
  const script = new Script(textOf(source), { filename: url, cachedData: kept?.code });
  compileFurther(false);
  const taken = !building && kept !== undefined && !script.cachedDataRejected;
  if (isKept && (!taken || !kept.built)) loaded.push({ script, source, name, words: taken ? kept.words : null });
  return script;
}

/** Code from the build's folder, whose owner made the script too; or from the user's. */
function keptFor(name: string, source: Uint8Array): Kept | undefined {
  const file = contentOf(join(builtFolder, name));
  const found = file && unsealed(file, source);
  if (found !== undefined) return { ...found, built: true };
  const users = userFolder();
  const own = users === undefined ? undefined : ownFile(join(users, name));
  const mine = own && unsealed(own, source);
  return mine && { ...mine, built: false };
}

interface Kept {
  readonly code: Buffer;
  readonly words: number;
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
 * Keeps the code compiled so far for the next run: of scripts that have no kept code, or whose code was kept for programs without some of
 * this one's words. Not in a sandbox, which cannot write there: a program in it must not decide which code runs elsewhere.
 */
export function keep(): void {
  const target = building ? builtFolder : userFolder();
  const fresh = loaded.filter(({ words: known }) => known === null || (words & ~known) !== 0);
  if (target === undefined || fresh.length === 0 || !canStore(target, building ? 0o755 : 0o700)) return;
  compileFurther(true);
  // The run may have changed them, and V8 takes up no code that was kept under others.
  if (forProgram) setFlags();
  if (!isStill(version())) return;
  const files = new Map(
    fresh.map(({ script, source, name, words: known }) => {
      return [name, sealed(source, script.createCachedData(), ((known ?? 0) | words) >>> 0)];
    }),
  );
  store(target, files);
  loaded.length = 0;
}
