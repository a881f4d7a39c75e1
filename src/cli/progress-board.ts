/** Progress of several pieces of work, a line of the terminal for each, redrawn in place. */
import { type Canvas, line } from './progress-bar.ts';

const REDRAW_MS = 100;

interface Work {
  readonly label: string;
  readonly started: number;
  text: string;
}

export class ProgressBoard {
  private readonly works = new Map<string, Work>();
  /** Lines that are on the terminal now. */
  private drawn = 0;
  private due = 0;

  constructor(private readonly canvas: Canvas) {}

  start(label: string): void {
    const started = this.canvas.now();
    this.works.set(label, { label, started, text: label });
    this.redraw();
  }

  update(label: string, done: number, total: number | undefined, note: string | undefined): void {
    const work = this.works.get(label);
    if (work === undefined) return;
    work.text = line(label, done, total, note, this.canvas.now() - work.started, this.canvas.columns);
    if (this.canvas.now() >= this.due) this.redraw();
  }

  finish(label: string): void {
    this.works.delete(label);
    this.redraw();
  }

  /** A line that stays, above the others. */
  say(text: string): void {
    this.clear();
    this.canvas.draw(`${text}\n`);
    this.redraw();
  }

  private redraw(): void {
    this.clear();
    this.due = this.canvas.now() + REDRAW_MS;
    for (const { text } of this.works.values()) this.canvas.draw(`${text}\n`);
    this.drawn = this.works.size;
  }

  private clear(): void {
    if (this.drawn > 0) this.canvas.draw(`\u001b[${this.drawn}A\r\u001b[J`);
    this.drawn = 0;
  }
}
