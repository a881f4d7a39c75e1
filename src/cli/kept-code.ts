/**
 * Code of the command that V8 has compiled before. Short runs spend much of their time on compiling what they call for the
 * first time. V8 can be given the outcome of an earlier run, but only for scripts, so that the build divides its larger
 * chunks in two: a module of imports and exports, and a script with all the rest (`build/kept-code-plugin.ts`). What is kept
 * is made by the build too (`build/keep-code.js`). It serves the V8 and the processor that it was made with; any other
 * compiles as usual.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cachedDataVersionTag, setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';

interface Loaded {
  readonly script: Script;
  /** Where compiled code is kept, or would be. */
  readonly kept: string;
}

const loaded: Loaded[] = [];
const others: (() => void)[] = [];

/** Whether this process is the build's: what it compiles is kept when it ends. */
export const keeping = process.env.WAYMARK_KEEP_CODE === 'yes';

/** The V8, its settings and the kind of processor that kept code is for. */
export const version = `${process.arch}-${cachedDataVersionTag().toString(16)}`;

if (keeping) process.once('exit', keep);

/**
 * Whether V8 compiles functions further that are called often. Those that were so in the build's run would be compiled further at
 * their first call in every other run. But what is kept serves the usual settings only.
 */
const compileFurther = (yes: boolean): void => setFlagsFromString(yes ? '--sparkplug' : '--no-sparkplug');

/** The function that a script is: it takes what the chunk imports, and gives what it exports. */
export function load(url: URL): (...imports: unknown[]) => unknown[] {
  const file = fileURLToPath(url);
  const kept = `${file}.${version}`;
  if (keeping) compileFurther(true);
  const script = new Script(readFileSync(file, 'utf8'), { filename: url.href, cachedData: contentOf(kept) });
  if (keeping) {
    compileFurther(false);
    loaded.push({ script, kept });
  }
  return script.runInThisContext() as (...imports: unknown[]) => unknown[];
}

/** What is in a file, if there is one. */
export function contentOf(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Keeps what has been compiled so far of the scripts loaded. */
export function keep(): void {
  if (!keeping) return;
  compileFurther(true);
  for (const { script, kept } of loaded) write(kept, script.createCachedData());
  for (const other of others) other();
}

/** Says what else is to be kept. */
export function keepToo(keepOther: () => void): void {
  others.push(keepOther);
}

/** Writes a file that nobody ever reads half of. */
export function write(file: string, content: Uint8Array): void {
  const draft = `${file}.draft`;
  writeFileSync(draft, content);
  renameSync(draft, file);
}
