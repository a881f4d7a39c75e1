/** `waymark run --watch`: runs again whenever a file changes that the run has read. */
import { unwatchFile, watchFile } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { FilesMessage, RunJob } from './jobs.ts';
import { STDERR, write } from './streams.ts';
import { ending, startThread } from './thread.ts';

/** Editors write in several strokes; files are looked at this often, which works on every file system. */
const LOOK_MS = 150;
const SETTLE_MS = 60;

/** Never ends by itself: Ctrl-C does. A run that is going on when a file changes is given up. */
export async function runAgain(fresh: () => RunJob): Promise<number> {
  let known: readonly string[] = [];
  for (;;) {
    const job = fresh();
    const thread = startThread(job);
    let files = [resolve(job.file), ...known];
    thread.on('message', ({ files: read }: FilesMessage) => {
      files = [resolve(job.file), ...read];
    });
    // The run itself may write to what it has read (parameters, a checkpoint), but not to programs.
    const early = changeOf(files.filter((file) => /\.(wppl|ts|js)$/.test(file)));
    const ended = await Promise.race([ending(thread), early.change]);
    early.stop();
    if (typeof ended === 'string') await thread.terminate();
    else if ('fault' in ended) write(STDERR, `${ended.fault}\n`);
    known = files.filter((file) => file !== job.paramsPlace);
    const changed = typeof ended === 'string' ? ended : await waitFor(known, job.quiet);
    await new Promise((done) => setTimeout(done, SETTLE_MS));
    if (!job.quiet) write(STDERR, `\n${basename(changed)} has changed: running again.\n`);
  }
}

async function waitFor(files: readonly string[], quiet: boolean): Promise<string> {
  const count = new Set(files).size;
  if (!quiet) write(STDERR, `Watching ${count === 1 ? 'the file' : `${count} files`}; Ctrl-C ends.\n`);
  const watch = changeOf(files);
  const changed = await watch.change;
  watch.stop();
  return changed;
}

/** Resolves to the file that changes first. */
function changeOf(files: readonly string[]): { change: Promise<string>; stop(): void } {
  const all = [...new Set(files)];
  const change = new Promise<string>((resolveWith) => {
    for (const file of all) {
      watchFile(file, { interval: LOOK_MS }, (now, before) => {
        if (now.mtimeMs !== before.mtimeMs || now.size !== before.size) resolveWith(file);
      });
    }
  });
  const stop = (): void => {
    for (const file of all) unwatchFile(file);
  };
  return { change, stop };
}
