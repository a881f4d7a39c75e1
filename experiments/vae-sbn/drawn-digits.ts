// Digits as a pen would write them: strokes of each digit, put askew, bent and drawn with a pen of some width.
import { gaussian, randomInteger, uniform } from 'waymark';

const SIZE = 28;
const CENTRE = (SIZE - 1) / 2;

type Point = readonly [x: number, y: number];
type Stroke = readonly Point[];

/** Points on an ellipse from one angle to another, in turns; 0 is to the right, a quarter is down. */
function arc([x, y]: Point, [width, height]: Point, from: number, to: number): Stroke {
  const POINTS = 12;
  return Array.from({ length: POINTS + 1 }, (_, i) => {
    const angle = 2 * Math.PI * (from + ((to - from) * i) / POINTS);
    return [x + width * Math.cos(angle), y + height * Math.sin(angle)] as Point;
  });
}

/** The strokes of each digit, in a square from −1 to 1, y downwards. */
const DIGITS: readonly (readonly Stroke[])[] = [
  [arc([0, 0], [0.6, 1], 0, 1)],
  [[[-0.2, -0.7], [0.1, -1], [0.1, 1]]],
  [[...arc([0, -0.5], [0.6, 0.5], 0.5, 1.1), [-0.6, 1], [0.6, 1]]],
  [[...arc([0, -0.5], [0.55, 0.5], 0.55, 1.25), ...arc([0, 0.5], [0.6, 0.5], 0.75, 1.45)]],
  [[[0.3, 1], [0.3, -1], [-0.6, 0.4], [0.7, 0.4]]],
  [[[0.5, -1], [-0.4, -1], [-0.5, -0.1], ...arc([0, 0.4], [0.6, 0.6], 0.68, 1.4)]],
  [[[0.3, -1], [-0.4, -0.1], ...arc([0, 0.45], [0.55, 0.55], 0.5, 1.5)]],
  [[[-0.6, -1], [0.6, -1], [-0.1, 1]]],
  [arc([0, -0.5], [0.5, 0.5], 0.25, 1.25), arc([0, 0.5], [0.6, 0.5], -0.25, 0.75)],
  [[...arc([0, -0.45], [0.55, 0.55], 0, 1), [0.5, 0.3], [0.3, 1]]],
]; // biome-ignore format: one digit per line

/** A digit as its pixels, row by row, 0 for paper and 1 for ink. */
export function drawDigit(): Float64Array {
  const pixels = new Float64Array(SIZE * SIZE);
  const place = askew();
  const pen = uniform(0.8, 1.8);
  for (const stroke of DIGITS[randomInteger(DIGITS.length)]) {
    const points = stroke.map(place);
    for (let i = 1; i < points.length; i++) line(pixels, points[i - 1], points[i], pen);
  }
  return pixels;
}

/** From the square of the strokes to pixels: turned, slanted, stretched, moved, and not quite straight. */
function askew(): (point: Point) => Point {
  const turn = gaussian(0, 0.12);
  const slant = gaussian(0, 0.2);
  const [width, height] = [uniform(6.5, 9), uniform(8, 9.5)];
  const [right, down] = [gaussian(0, 0.8), gaussian(0, 0.8)];
  const [bendX, bendY] = [gaussian(0, 0.12), gaussian(0, 0.12)];
  return ([x, y]) => {
    const [u, v] = [width * (x - slant * y + bendX * y * y), height * (y + bendY * x * x)];
    return [
      CENTRE + right + u * Math.cos(turn) - v * Math.sin(turn),
      CENTRE + down + u * Math.sin(turn) + v * Math.cos(turn),
    ];
  };
}

/** Inks the pixels within half a pen's width of a line; the border is soft. */
function line(pixels: Float64Array, [x1, y1]: Point, [x2, y2]: Point, pen: number): void {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const squared = dx * dx + dy * dy || 1;
  const clip = (n: number) => Math.min(SIZE - 1, Math.max(0, n));
  for (let y = clip(Math.ceil(Math.min(y1, y2) - pen)); y <= clip(Math.floor(Math.max(y1, y2) + pen)); y++) {
    for (let x = clip(Math.ceil(Math.min(x1, x2) - pen)); x <= clip(Math.floor(Math.max(x1, x2) + pen)); x++) {
      const along = Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / squared));
      const distance = Math.hypot(x - x1 - along * dx, y - y1 - along * dy);
      const ink = Math.min(1, Math.max(0, pen - distance + 0.5));
      pixels[y * SIZE + x] = Math.max(pixels[y * SIZE + x], ink);
    }
  }
}
