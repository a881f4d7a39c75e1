/**
 * A file beside a checkpoint that names the process that writes it. Two runs that write one checkpoint would each go on from
 * what the other has left, so that the second is refused. A lock whose process is gone is taken over: that is what killed
 * runs leave. Whether a process of another machine is gone is told by the age of its lock, which its writer renews.
 */
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from '../host/fs.ts';
import { isRunning, ownThread, pause } from '../host/system.ts';
import type { NamedFile } from '../io/container-file.ts';
import { WaymarkError } from '../runtime/errors.ts';

interface Writer {
  readonly pid: number;
  readonly thread: number;
  readonly host: string;
}

const own: () => Writer = ownThread;

/** How often a lock is renewed, and after how long without that its writer, on another machine, is taken to be gone. */
const RENEWED_MS = 10_000;
const SILENT_MS = 300_000;

/** How long a run that is resumed waits for one that is ending: a launcher may end before the processes that it has killed. */
const DYING_MS = 5_000;
const LOOK_MS = 50;

export class CheckpointLock {
  private readonly place: string;

  private renewed = performance.now();

  /** Throws if another run that still goes on has the checkpoint; at once, unless this run is to go on from where another has ended. */
  constructor(
    private readonly file: NamedFile,
    resumes: boolean,
  ) {
    this.place = `${file.place}.lock`;
    let patience = resumes ? DYING_MS : 0;
    // The second time, a lock that was left behind is gone. A third time is needed only if another run takes the lock in between.
    for (let attempt = 0; attempt < 3; attempt++) {
      if (this.take()) return;
      for (; this.isHeld(); patience -= LOOK_MS) {
        if (patience <= 0) throw this.inUse(this.writer());
        pause(LOOK_MS);
      }
      rmSync(this.place, { force: true });
    }
    throw this.inUse(this.writer());
  }

  release(): void {
    if (this.isOwn()) rmSync(this.place, { force: true });
  }

  /** Tells those on other machines, now and then, that this run goes on. */
  renew(): void {
    if (performance.now() - this.renewed < RENEWED_MS) return;
    this.renewed = performance.now();
    try {
      // The same text over the same text, so that a reader never sees half of it.
      if (this.isOwn()) writeFileSync(this.place, JSON.stringify(own()), { flag: 'r+' });
    } catch {
      // It has been removed: there is nothing to renew.
    }
  }

  private isHeld(): boolean {
    const writer = this.writer();
    return writer !== undefined && !isGone(writer) && !(writer.host !== own().host && this.isOld());
  }

  private isOwn(): boolean {
    const [writer, { pid, thread, host }] = [this.writer(), own()];
    return writer !== undefined && writer.pid === pid && writer.thread === thread && writer.host === host;
  }

  /** Whether the lock was not renewed for long, by the clock of the disk: those of two machines may differ. */
  private isOld(): boolean {
    const { pid, thread } = own();
    const now = `${this.place}.${pid}-${thread}`;
    try {
      writeFileSync(now, '');
      return statSync(now).mtimeMs - statSync(this.place).mtimeMs > SILENT_MS;
    } catch {
      return false;
    } finally {
      rmSync(now, { force: true });
    }
  }

  /** Puts the lock there as a whole, if there is none. */
  private take(): boolean {
    const { pid, thread } = own();
    const draft = `${this.place}.${pid}-${thread}`;
    try {
      writeFileSync(draft, JSON.stringify(own()));
      linkSync(draft, this.place);
      return true;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') return false;
      // A disk without links: other writers cannot be kept out there, and nothing else is lost.
      if (code === 'EPERM' || code === 'ENOTSUP' || code === 'EOPNOTSUPP' || code === 'ENOSYS') return true;
      throw new WaymarkError(`${this.file.caller} cannot write '${this.file.name}.lock': ${(error as Error).message}.`);
    } finally {
      rmSync(draft, { force: true });
    }
  }

  /** The process that holds the lock, if the file says so. */
  private writer(): Writer | undefined {
    try {
      const { pid, thread, host } = JSON.parse(readFileSync(this.place, 'utf8')) as Partial<Writer>;
      return typeof pid === 'number' && typeof thread === 'number' && typeof host === 'string'
        ? { pid, thread, host }
        : undefined;
    } catch {
      return undefined;
    }
  }

  private inUse(writer: Writer | undefined): WaymarkError {
    const who = writer === undefined ? 'another run' : `process ${writer.pid} on ${writer.host}`;
    return new WaymarkError(
      `The checkpoint '${this.file.name}' is being written by ${who}. Wait for it, or give this run another file; ` +
        `if that one has ended, delete ${this.place}.`,
    );
  }
}

/** A lock of this very thread is that of an earlier run: two optimisations of one run are told apart before. */
function isGone({ pid, thread, host }: Writer): boolean {
  const { pid: ownPid, thread: ownThread, host: ownHost } = own();
  if (host !== ownHost) return false;
  return pid === ownPid ? thread === ownThread : !isRunning(pid);
}
