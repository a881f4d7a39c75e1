/** `waymark run --watch`: runs again whenever a file changes that the run has read. */
import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { FilesMessage, RunJob } from './jobs.ts';
import { STDERR, write } from './streams.ts';
import { ending, startThread } from './thread.ts';

/** Files are looked at this often, which works on every file system. Editors write in several strokes. */
const LOOK_MS = 150;
const SETTLE_MS = 60;

/** Never ends by itself: Ctrl-C does. A run that is going on when its program changes is given up. */
export async function runAgain(fresh: () => RunJob): Promise<number> {
  let known: readonly string[] = [];
  for (;;) {
    const job = fresh();
    // The run itself may write to what it has read (parameters, a checkpoint), but not to programs.
    const programs = new Watch([resolve(job.file), ...known.filter((file) => /\.(wppl|ts|js)$/.test(file))]);
    const thread = startThread(job);
    thread.on('message', ({ files }: FilesMessage) => {
      known = files.filter((file) => file !== job.paramsPlace);
    });
    const ended = await Promise.race([ending(thread), programs.change()]);
    if (typeof ended === 'string') await thread.terminate();
    else if ('fault' in ended) write(STDERR, `${ended.fault}\n`);
    const changed = typeof ended === 'string' ? ended : await waitFor(programs, known, job.quiet);
    programs.stop();
    await new Promise((done) => setTimeout(done, SETTLE_MS));
    if (!job.quiet) write(STDERR, `\n${basename(changed)} has changed: running again.\n`);
  }
}

async function waitFor(programs: Watch, files: readonly string[], quiet: boolean): Promise<string> {
  const watch = new Watch(files);
  const count = new Set([...programs.files, ...watch.files]).size;
  if (!quiet) write(STDERR, `Watching ${count === 1 ? 'the file' : `${count} files`}; Ctrl-C ends.\n`);
  const changed = await Promise.race([programs.change(), watch.change()]);
  watch.stop();
  return changed;
}

/** Files as they were when the watch began, before the user is told of it. */
class Watch {
  readonly files: readonly string[];
  private readonly before: Map<string, string>;
  private timer: NodeJS.Timeout | undefined;

  constructor(files: readonly string[]) {
    this.files = [...new Set(files)];
    this.before = new Map(this.files.map((file) => [file, stateOf(file)]));
  }

  /** Resolves to the file that changes first. */
  change(): Promise<string> {
    this.stop();
    return new Promise((resolveWith) => {
      this.timer = setInterval(() => {
        // A file that is gone is about to be replaced.
        const changed = this.files.find((file) => !['', this.before.get(file)].includes(stateOf(file)));
        if (changed !== undefined) resolveWith(changed);
      }, LOOK_MS);
    });
  }

  stop(): void {
    clearInterval(this.timer);
  }
}

function stateOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? '' : `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
}
