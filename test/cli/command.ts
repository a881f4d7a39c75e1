/** The command as users run it: built, and started in a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtCommand, root, scratch } from './built.ts';

/** How a process ended, and what it wrote. */
export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export class Command {
  /** Where programs are written and run. */
  readonly folder: string = mkdtempSync(join(tmpdir(), 'waymark-'));
  /** What the environment has besides that of the tests. */
  private readonly env: NodeJS.ProcessEnv = {};
  /** Where the build is. */
  readonly home: string;
  /** Where the command keeps compiled code, apart from the user's. */
  readonly cache: string;

  /** Has a build of its own, apart from the `dist` that others may be using. */
  constructor(name: string) {
    this.home = join(scratch, name);
    this.cache = join(this.home, 'cache');
    cpSync(join(root, 'bin'), join(this.home, 'bin'), { recursive: true });
    cpSync(join(builtCommand(), 'dist'), join(this.home, 'dist'), { recursive: true });
  }

  /** Writes a file for programs to be in; returns its name. */
  write(name: string, text: string): string {
    writeFileSync(join(this.folder, name), text);
    return name;
  }

  start(...args: string[]): ChildProcess {
    return this.spawn([join(this.home, 'bin/waymark.js'), ...args]);
  }

  private spawn(args: readonly string[]): ChildProcess {
    const { NO_COLOR: _, FORCE_COLOR: __, NODE_TEST_CONTEXT: ___, ...around } = process.env;
    const env = { ...around, WAYMARK_CACHE: this.cache, ...this.env };
    return spawn(process.execPath, args, { cwd: this.folder, env });
  }

  /** The same command in an environment with these settings. */
  with(env: NodeJS.ProcessEnv): Command {
    return Object.assign(Object.create(this), { env });
  }

  /** The same command in another folder. */
  within(folder: string): Command {
    return Object.assign(Object.create(this), { folder });
  }

  /** Node itself, in the folder. */
  node(...args: string[]): Promise<Finished> {
    const child = this.spawn(args);
    child.stdin?.end();
    return finished(child);
  }

  run(...args: string[]): Promise<Finished> {
    return this.feed('', ...args);
  }

  /** Runs with text on stdin. */
  feed(input: string, ...args: string[]): Promise<Finished> {
    const child = this.start(...args);
    const ended = finished(child);
    child.stdin?.end(input);
    return ended;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
    rmSync(this.home, { recursive: true });
  }
}

/** Resolves when the process has ended and all it wrote was read. */
export function finished(child: ChildProcess): Promise<Finished> {
  const read = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    read.stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    read.stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...read }));
  });
}
