import { existsSync, readFileSync } from '../host/fs.ts';
import { WrittenFile } from './written-file.ts';

const HEADER = 'index,iter,time,objective';

/** A table of the objective over time, as comma-separated values: index, iter, time in seconds, objective. */
export class ProgressLog {
  private readonly file: WrittenFile;
  private readonly start = Date.now();
  private last = -Infinity;
  private rows = 0;

  /** An optimisation that goes on from step `first` keeps the rows from before it. */
  constructor(
    private readonly options: { logProgressFilename: string; logProgressThrottle: number },
    first: number,
  ) {
    this.file = new WrittenFile('logProgressFilename', options.logProgressFilename);
    const { path } = this.file;
    const earlier = first > 0 && existsSync(path) ? rowsBefore(first, readFileSync(path, 'utf8')) : [];
    this.rows = earlier.length;
    this.file.write([HEADER, ...earlier, ''].join('\n'));
  }

  add(step: number, objective: number): void {
    const now = Date.now();
    if (now - this.last < this.options.logProgressThrottle) return;
    this.last = now;
    this.file.append(`${this.rows++},${step},${(now - this.start) / 1000},${objective}\n`);
  }
}

function rowsBefore(step: number, text: string): string[] {
  return text
    .split('\n')
    .slice(1)
    .filter((row) => row !== '' && Number(row.split(',')[1]) < step);
}
