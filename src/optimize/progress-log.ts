import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { machine } from '../runtime/machine.ts';

const HEADER = 'index,iter,time,objective';

/** A table of the objective over time, as comma-separated values: index, iter, time in seconds, objective. */
export class ProgressLog {
  private readonly file: string;
  private readonly start = Date.now();
  private last = -Infinity;
  private rows = 0;

  /** An optimisation that goes on from step `first` keeps the rows from before it. */
  constructor(
    private readonly options: { logProgressFilename: string; logProgressThrottle: number },
    first: number,
  ) {
    this.file = resolve(machine.run.folder, options.logProgressFilename);
    const earlier = first > 0 && existsSync(this.file) ? rowsBefore(first, readFileSync(this.file, 'utf8')) : [];
    this.rows = earlier.length;
    writeFileSync(this.file, [HEADER, ...earlier, ''].join('\n'));
  }

  add(step: number, objective: number): void {
    const now = Date.now();
    if (now - this.last < this.options.logProgressThrottle) return;
    this.last = now;
    appendFileSync(this.file, `${this.rows++},${step},${(now - this.start) / 1000},${objective}\n`);
  }
}

function rowsBefore(step: number, text: string): string[] {
  return text
    .split('\n')
    .slice(1)
    .filter((row) => row !== '' && Number(row.split(',')[1]) < step);
}
