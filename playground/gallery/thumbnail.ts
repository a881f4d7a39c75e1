/** The picture on a card: bars, a density, or a curve of training. */
import { svg } from '../results/dom.ts';
import type { Picture } from './gallery.ts';

const WIDTH = 220;
const HEIGHT = 92;
const MARGIN = 14;

export function thumbnail(picture: Picture | undefined): SVGElement {
  const box = svg('svg', {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    class: 'thumb',
    'aria-hidden': 'true',
    preserveAspectRatio: 'xMidYMid slice',
  });
  const { kind, values } = picture ?? { kind: 'density', values: [0, 0.1, 0.5, 1, 0.5, 0.1, 0] };
  const floor = HEIGHT - MARGIN;
  const y = (value: number) => floor - Math.max(0, Math.min(1, value)) * (HEIGHT - 2 * MARGIN);
  box.append(svg('line', { x1: MARGIN, x2: WIDTH - MARGIN, y1: floor + 0.5, y2: floor + 0.5, stroke: 'var(--line)' }));
  if (kind === 'bars') {
    const room = (WIDTH - 2 * MARGIN) / values.length;
    const width = Math.min(30, room * 0.72);
    values.forEach((value, i) => {
      const x = MARGIN + i * room + (room - width) / 2;
      box.append(
        svg('rect', { x, y: y(value), width, height: floor - y(value), rx: 2, fill: 'currentColor', opacity: 0.85 }),
      );
    });
    return box;
  }
  const x = (i: number) => MARGIN + (i / Math.max(1, values.length - 1)) * (WIDTH - 2 * MARGIN);
  const line = values.map((value, i) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`);
  if (kind === 'density') {
    const area = [`${x(0)},${floor}`, ...line, `${x(values.length - 1)},${floor}`].join(' ');
    box.append(svg('polygon', { points: area, fill: 'currentColor', opacity: 0.22 }));
  }
  box.append(
    svg('polyline', {
      points: line.join(' '),
      fill: 'none',
      stroke: 'currentColor',
      'stroke-width': 2,
      'stroke-linejoin': 'round',
    }),
  );
  return box;
}
