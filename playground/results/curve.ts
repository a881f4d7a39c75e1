/** A curve that grows while an optimisation runs. */
import { element, svg } from './dom.ts';

const NARROWEST = 260;
const HEIGHT = 150;
const LEFT = 52;
const BOTTOM = 18;
const TOP = 8;

/** The worst of the first steps would leave no room for the rest: so much of the figures may lie below the frame. */
const CUT = 0.03;

export type Point = readonly [done: number, value: number];

export class Curve {
  readonly root: HTMLElement;
  private readonly points: Point[] = [];
  private readonly drawing: SVGElement;
  private due = false;

  constructor(
    private readonly name: string,
    private total: number | undefined,
  ) {
    this.drawing = svg('svg', { class: 'curve', role: 'img' });
    this.root = element('div', { class: 'curve-box' });
    this.root.append(this.drawing);
  }

  add(points: readonly Point[], total: number | undefined): void {
    this.total = total ?? this.total;
    for (const [done, value] of points) {
      if (Number.isFinite(done) && Number.isFinite(value)) this.points.push([done, value]);
    }
    if (this.due) return;
    this.due = true;
    requestAnimationFrame(() => {
      this.due = false;
      this.draw();
    });
  }

  private draw(): void {
    const { points, drawing, name } = this;
    if (points.length === 0) return;
    // As wide as the page has it, so that words keep their size.
    const width = Math.max(NARROWEST, drawing.clientWidth);
    drawing.setAttribute('viewBox', `0 0 ${width} ${HEIGHT}`);
    const values = points.map(([, value]) => value).sort((a, b) => a - b);
    const last = points[points.length - 1];
    const low = values[Math.floor(CUT * (values.length - 1))];
    const high = values[values.length - 1];
    const space = high - low || Math.abs(high) || 1;
    const end = Math.max(this.total ?? last[0], last[0], 1);
    const x = (done: number) => LEFT + (done / end) * (width - LEFT - 10);
    const y = (value: number) => TOP + (1 - (Math.max(value, low) - low) / space) * (HEIGHT - TOP - BOTTOM);
    const path = points.map(([done, value]) => `${x(done).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
    const label = (text: string, at: Record<string, string | number>) =>
      svg('text', { class: 'curve-label', ...at }, text);
    drawing.setAttribute('aria-label', `${name}, now ${figure(last[1])} after ${last[0]} steps`);
    drawing.replaceChildren(
      ...[high, (high + low) / 2, low].flatMap((value) => [
        svg('line', { class: 'curve-grid', x1: LEFT, x2: width - 10, y1: y(value), y2: y(value) }),
        label(figure(value), { x: LEFT - 6, y: y(value) + 3.5, 'text-anchor': 'end' }),
      ]),
      label('0', { x: LEFT, y: HEIGHT - 4 }),
      label(`${Math.round(end).toLocaleString('en')} steps`, { x: width - 10, y: HEIGHT - 4, 'text-anchor': 'end' }),
      svg('polyline', { class: 'curve-line', points: path }),
      svg('circle', { class: 'curve-point', cx: x(last[0]), cy: y(last[1]), r: 3.2 }),
    );
  }
}

/** A number in about four digits. */
export function figure(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e6 || size < 1e-3)) return value.toExponential(2);
  return value.toFixed(size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3).replace('-', '−');
}
