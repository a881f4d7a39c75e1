/**
 * A file beside a checkpoint that says who writes it. Two runs that write one checkpoint would each go on from what the other has
 * left, so that the second is refused. A lock whose process is gone is taken over: that is what killed runs leave.
 */
import { linkSync, readFileSync, rmSync, writeFileSync } from '../host/fs.ts';
import { isRunning, ownThread } from '../host/system.ts';
import type { NamedFile } from '../io/container-file.ts';
import { WaymarkError } from '../runtime/errors.ts';

interface Writer {
  readonly pid: number;
  readonly thread: number;
  readonly host: string;
}

const own: () => Writer = ownThread;

export class CheckpointLock {
  private readonly place: string;

  /** Throws if another run that still goes on has the checkpoint. */
  constructor(private readonly file: NamedFile) {
    this.place = `${file.place}.lock`;
    // Twice, for a lock that was left behind; a third comes only if others take it in between.
    for (let attempt = 0; attempt < 3; attempt++) {
      if (this.take()) return;
      const writer = this.writer();
      if (writer !== undefined && !isGone(writer)) throw this.inUse(writer);
      rmSync(this.place, { force: true });
    }
    throw this.inUse(this.writer());
  }

  release(): void {
    rmSync(this.place, { force: true });
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

  /** Who has the lock, if that can be read from it. */
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

/** A lock of this very thread is of an earlier run in it, since those of one run are told apart before. */
function isGone({ pid, thread, host }: Writer): boolean {
  const { pid: ownPid, thread: ownThread, host: ownHost } = own();
  if (host !== ownHost) return false;
  return pid === ownPid ? thread === ownThread : !isRunning(pid);
}
