import { appendFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { machine } from '../runtime/machine.ts';

/** A table of the objective over time, as comma-separated values: index, iter, time in seconds, objective. */
export class ProgressLog {
  private readonly file: string;
  private readonly start = Date.now();
  private last = -Infinity;
  private rows = 0;

  constructor(private readonly options: { logProgressFilename: string; logProgressThrottle: number }) {
    this.file = resolve(machine.run.folder, options.logProgressFilename);
    writeFileSync(this.file, 'index,iter,time,objective\n');
  }

  add(step: number, objective: number): void {
    const now = Date.now();
    if (now - this.last < this.options.logProgressThrottle) return;
    this.last = now;
    appendFileSync(this.file, `${this.rows++},${step},${(now - this.start) / 1000},${objective}\n`);
  }
}
