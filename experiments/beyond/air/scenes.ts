// Scenes of no, one or two digits of MNIST.
import { gaussian, randomInteger, type Tensor, Vector } from 'waymark';
import { type Digits, PIXELS, WIDTH } from '../digits.ts';

/** Of a scene, in pixels. */
export const SIDE = 50;
const MOST = 2;

export interface Scene {
  /** How many digits there are in it. */
  readonly count: number;
  /** From 0 to 1. */
  readonly pixels: Tensor;
}

/** A digit, made smaller, somewhere on a canvas, whose grey levels it is added to; false if there is no room for its ink. */
function place(canvas: number[], images: Uint8Array, digit: number): boolean {
  const shrunk = gaussian(1.3, 0.1);
  const size = Math.floor(WIDTH / shrunk);
  const [left, top] = [randomInteger(SIDE - size), randomInteger(SIDE - size)];
  const grey = (x: number, y: number): number =>
    x < 0 || y < 0 || x >= WIDTH || y >= WIDTH ? 0 : images[digit * PIXELS + y * WIDTH + x];
  let fits = true;
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      // Between four pixels of the digit.
      const [u, v] = [((x + 0.5) * WIDTH) / size - 0.5, ((y + 0.5) * WIDTH) / size - 0.5];
      const [i, j] = [Math.floor(u), Math.floor(v)];
      const [a, b] = [u - i, v - j];
      const above = (1 - a) * grey(i, j) + a * grey(i + 1, j);
      const below = (1 - a) * grey(i, j + 1) + a * grey(i + 1, j + 1);
      const at = (top + y) * SIDE + left + x;
      canvas[at] += (1 - b) * above + b * below;
      if (canvas[at] > 255) fits = false;
    }
  }
  return fits;
}

function scene({ images }: Digits): Scene {
  const count = randomInteger(MOST + 1);
  for (;;) {
    const canvas = new Array<number>(SIDE * SIDE).fill(0);
    let fits = true;
    for (let k = 0; k < count; k++) fits = place(canvas, images, randomInteger(images.length / PIXELS)) && fits;
    if (fits) return { count, pixels: Vector(canvas.map((grey) => grey / 255)) };
  }
}

export const scenesOf = (digits: Digits, many: number): Scene[] => {
  const made: Scene[] = [];
  while (made.length < many) made.push(scene(digits));
  return made;
};
