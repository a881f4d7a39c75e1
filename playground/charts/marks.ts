/** What is where in a chart, as data: the page shows the words of what is pointed at, and gets nothing else of the drawing. */
import type { MarkPlace } from '../sandbox/protocol.ts';

/** As much of Vega's drawing as is read. */
interface Drawn {
  readonly marktype?: string;
  readonly role?: string;
  readonly items?: readonly Drawn[];
  readonly x?: number;
  readonly y?: number;
  readonly height?: number;
  readonly description?: string;
  readonly bounds?: { readonly x1: number; readonly y1: number; readonly x2: number; readonly y2: number };
}

/** Charts with more marks than this are looked at as a whole. */
const MOST_MARKS = 3000;

/** Marks of which all items are one shape: each stands for what is above and below it. */
const CURVES: readonly unknown[] = ['line', 'area', 'trail'];

/** The marks that say what they stand for. `svg` is the drawing, which says where its origin is. */
export function marksIn(root: unknown, svg: string): MarkPlace[] {
  const [, left = '0', top = '0'] = /<g[^>]*transform="translate\(([-\d.]+),([-\d.]+)\)"/.exec(svg) ?? [];
  const found: MarkPlace[] = [];
  const visit = (mark: Drawn, dx: number, dy: number, height: number): void => {
    const { marktype, role, items = [] } = mark;
    if (found.length > MOST_MARKS) return;
    if (marktype === 'group') {
      for (const group of items) {
        const [x, y] = [dx + (group.x ?? 0), dy + (group.y ?? 0)];
        for (const inner of group.items ?? []) visit(inner, x, y, group.height ?? height);
      }
    } else if (role === 'mark') {
      const places = CURVES.includes(marktype) ? strips(items, height) : items.map(box);
      for (const place of places) if (place.text) found.push({ ...place, x: dx + place.x, y: dy + place.y });
    }
  };
  visit(root as Drawn, Number(left), Number(top), 0);
  return found.length > MOST_MARKS ? [] : found;
}

function box({ bounds, description: text = '' }: Drawn): MarkPlace {
  if (bounds === undefined) return { x: 0, y: 0, width: 0, height: 0, text: '' };
  return { x: bounds.x1, y: bounds.y1, width: bounds.x2 - bounds.x1, height: bounds.y2 - bounds.y1, text };
}

/** Each point of a curve has the room up to half the way to its neighbours. */
function strips(items: readonly Drawn[], height: number): MarkPlace[] {
  const at = (i: number): number => items[Math.max(0, Math.min(items.length - 1, i))].x ?? 0;
  return items.map(({ description: text = '' }, i) => {
    const [from, to] = [(at(i - 1) + at(i)) / 2, (at(i) + at(i + 1)) / 2];
    return { x: Math.min(from, to), y: 0, width: Math.abs(to - from), height, text };
  });
}
