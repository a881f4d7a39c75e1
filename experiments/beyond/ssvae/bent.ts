// Digits as other hands might have drawn them: turned, leaned, stretched and moved. From few labels a network learns much more that way.
import { type Tensor, uniform, Vector } from 'waymark';
import { PIXELS, WIDTH } from '../digits.ts';

/** At most, in radians, as a share, and in pixels. */
const TURN = 0.25;
const LEAN = 0.2;
const STRETCH = 0.15;
const MOVE = 2;
const MIDDLE = (WIDTH - 1) / 2;

const upTo = (most: number): number => uniform(-most, most);

/** The same digit, drawn otherwise. */
function bent(image: Tensor): Tensor {
  const at = (x: number, y: number): number =>
    x >= 0 && y >= 0 && x < WIDTH && y < WIDTH ? image.data[y * WIDTH + x] : 0;
  /** Between the pixels around. */
  const between = (x: number, y: number): number => {
    const [left, top] = [Math.floor(x), Math.floor(y)];
    const [right, down] = [x - left, y - top];
    const row = (line: number) => (1 - right) * at(left, line) + right * at(left + 1, line);
    return (1 - down) * row(top) + down * row(top + 1);
  };
  const [turn, lean, wide, high, across, along] = [
    upTo(TURN),
    upTo(LEAN),
    1 + upTo(STRETCH),
    1 + upTo(STRETCH),
    upTo(MOVE),
    upTo(MOVE),
  ];
  const [cosine, sine] = [Math.cos(turn), Math.sin(turn)];
  const pixels: number[] = [];
  for (let pixel = 0; pixel < PIXELS; pixel++) {
    const x = (pixel % WIDTH) - MIDDLE - across;
    const y = Math.floor(pixel / WIDTH) - MIDDLE - along;
    const from = between((cosine * x + (sine + lean) * y) / wide + MIDDLE, (cosine * y - sine * x) / high + MIDDLE);
    pixels.push(from >= 0.5 ? 1 : 0);
  }
  return Vector(pixels);
}

/** So many of them. */
export const otherHands = (image: Tensor, count: number): Tensor[] => Array.from({ length: count }, () => bent(image));
