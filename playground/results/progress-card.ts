/** How far long work has come: a bar, its speed, the time that is left, and a curve where there is one. */
import type { ProgressReport } from '../sandbox/protocol.ts';
import { Curve, figure } from './curve.ts';
import { element } from './dom.ts';

/** Work that has said nothing of its speed for so long is at its old speed all the same. */
const SETTLE_MS = 150;

export class ProgressCard {
  readonly root: HTMLElement;
  private readonly bar = element('progress', { 'aria-label': 'Progress' });
  private readonly figures = element('div', { class: 'figures' });
  private readonly heading = element('span', { class: 'work' });
  private readonly count = element('span', { class: 'count' });
  private curve: Curve | undefined;
  private readonly started = performance.now();
  private last: Point | undefined;

  constructor(label: string) {
    this.heading.textContent = label;
    const head = element('div', { class: 'progress-head' }, this.heading, this.count);
    this.root = element('section', { class: 'item progress-card', 'aria-label': label }, head, this.bar, this.figures);
  }

  update(report: ProgressReport): void {
    const { label, total, curve, finished } = report;
    const done = Number(report.done);
    if (curve !== undefined && Array.isArray(curve.points)) {
      if (this.curve === undefined) {
        this.curve = new Curve(String(curve.name), total);
        this.root.append(this.curve.root);
      }
      this.curve.add(curve.points, total);
      const newest = curve.points[curve.points.length - 1];
      if (newest !== undefined) this.last = { name: String(curve.name), value: Number(newest[1]) };
    }
    if (finished) {
      this.finish();
      return;
    }
    if (total !== undefined) {
      this.bar.max = Number(total);
      this.bar.value = done;
    }
    this.count.textContent = total === undefined ? count(done) : `${count(done)} of ${count(Number(total))}`;
    this.tell(done, total, String(label));
  }

  /** The work is over, or was ended. What is left to see of it is a curve. */
  finish(): void {
    this.root.classList.add('finished');
    if (this.curve === undefined) this.root.remove();
    this.bar.remove();
    this.figures.querySelector('.left')?.remove();
  }

  private tell(done: number, total: number | undefined, label: string): void {
    const seconds = (performance.now() - this.started) / 1000;
    const rows: HTMLElement[] = [];
    if (this.last !== undefined) rows.push(term(this.last.name, figure(this.last.value)));
    if (seconds * 1000 > SETTLE_MS && done > 0) {
      const speed = done / seconds;
      rows.push(term(label === 'Optimize' ? 'steps per second' : 'samples per second', count(speed)));
      if (total !== undefined && done < total) rows.push(term('time left', duration((total - done) / speed), 'left'));
    }
    this.figures.replaceChildren(...rows);
  }
}

interface Point {
  readonly name: string;
  readonly value: number;
}

function term(name: string, value: string, kind = ''): HTMLElement {
  return element('div', { class: `term ${kind}`.trim() }, element('span', {}, name), element('b', {}, value));
}

const count = (n: number): string =>
  n < 10 && !Number.isInteger(n) ? n.toFixed(1) : Math.round(n).toLocaleString('en');

/** `40 ms`, `0.4 s`, `12 s`, `3 min 20 s`. */
export function duration(seconds: number): string {
  if (seconds < 0.1) return `${Math.ceil(seconds * 1000)} ms`;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
