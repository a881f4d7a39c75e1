/** Progress of long work as one line of a terminal, redrawn in place. */
import type { Progress } from '../runtime/machine.ts';

/** Work shorter than this is over before a bar would be of use. */
const PATIENCE_MS = 400;
const REDRAW_MS = 100;

const CLEAR = '\r\u001b[K';

/** Where the bar is drawn, and what it needs to know. */
export interface Canvas {
  readonly columns: number;
  draw(text: string): void;
  now(): number;
}

/**
 * The line of a terminal that shows progress. Inference within inference shows the outermost only, whose progress
 * is that of the whole.
 */
export class ProgressLine {
  private busy = false;
  private visible = false;

  constructor(private readonly canvas: Canvas) {}

  /** A new piece of work; the bar appears if it takes long. */
  start(label: string): Progress {
    if (this.busy) return { update() {}, finish() {} };
    this.busy = true;
    const started = this.canvas.now();
    let due = started + PATIENCE_MS;
    return {
      update: (done, total, note) => {
        const now = this.canvas.now();
        if (now < due) return;
        due = now + REDRAW_MS;
        this.show(line(label, done, total, note, now - started, this.canvas.columns));
      },
      finish: () => {
        this.busy = false;
        this.clear();
      },
    };
  }

  /** Makes room for other output; the bar comes back with the next update. */
  clear(): void {
    if (this.visible) this.canvas.draw(CLEAR);
    this.visible = false;
  }

  private show(text: string): void {
    this.canvas.draw(`\r${text}\u001b[K`);
    this.visible = true;
  }
}

/** `MCMC ━━━━━───── 1,200/10,000 · acceptance 0.31 · 0:12 left`, no wider than the terminal. */
export function line(
  label: string,
  done: number,
  total: number | undefined,
  note: string | undefined,
  elapsed: number,
  columns: number,
): string {
  const parts: string[] = [];
  const fraction = total === undefined || total <= 0 ? undefined : Math.min(1, Math.max(0, done / total));
  parts.push(fraction === undefined ? count(done) : `${count(done)}/${count(total as number)}`);
  if (note) parts.push(note);
  if (fraction === undefined || fraction === 0) parts.push(duration(elapsed));
  else parts.push(`${duration((elapsed * (1 - fraction)) / fraction)} left`);
  const figures = parts.join(' · ');
  // One column stays free: some terminals wrap as soon as the last one is written.
  const room = columns - 1 - label.length - figures.length - 2;
  const bar = fraction === undefined || room < 5 ? '' : `${gauge(fraction, Math.min(30, room))} `;
  return `${label} ${bar}${figures}`.slice(0, Math.max(0, columns - 1));
}

function gauge(fraction: number, width: number): string {
  const full = Math.round(fraction * width);
  return '━'.repeat(full) + '─'.repeat(width - full);
}

function count(n: number): string {
  return String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `0:05`, `12:30`, `1:02:03`. */
function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const two = (n: number) => String(n).padStart(2, '0');
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}
