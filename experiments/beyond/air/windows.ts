// Windows of scenes: squares of any size and place, which are read from a scene and painted into one. What lies between pixels is a mixture
// of those around, so that size and place have gradients.
import { Matrix, maxPool, ones, T, type Tensor, Vector } from 'waymark';
import { SIDE } from './scenes.ts';

/** Of a window, in its own pixels. */
export const WINDOW = 20;

/** The middles of so many pixels, from −1 to 1. */
const middles = (many: number): Tensor => Vector(Array.from({ length: many }, (_, i) => (2 * i + 1) / many - 1));
/** In each row: 0, 1, 2, … */
const numbers = (rows: number, columns: number): Tensor =>
  Matrix(Array.from({ length: rows }, () => Array.from({ length: columns }, (_, j) => j)));

const inScene = middles(SIDE);
const inWindow = middles(WINDOW);
const sceneByWindow = numbers(SIDE, WINDOW);
const windowByScene = numbers(WINDOW, SIDE);
const windowOnes = ones([1, WINDOW]);
const sceneOnes = ones([1, SIDE]);

/** For places from −1 to 1, how much of each of so many pixels is there. */
const shares = (places: Tensor, pixels: number, one: Tensor, number: Tensor): Tensor => {
  const at = T.sub(T.mul(T.add(places, 1), pixels / 2), 0.5);
  return T.max(T.add(T.neg(T.abs(T.sub(T.dot(at, one), number))), 1), 0);
};

/** How many times a window fits into a scene, and where its middle is, from −1 to 1. */
export interface Place {
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
}

/** What of a scene is in a window. */
export function read(scene: Tensor, { zoom, x, y }: Place): Tensor {
  const along = (middle: number): Tensor =>
    shares(T.add(T.mul(inWindow, 1 / zoom), middle), SIDE, sceneOnes, windowByScene);
  const rows = T.dot(along(y), T.reshape(scene, [SIDE, SIDE]));
  return T.reshape(T.dot(rows, T.transpose(along(x))), [WINDOW * WINDOW, 1]);
}

/** A scene that is empty but for what is in a window. */
export function paint(content: Tensor, { zoom, x, y }: Place): Tensor {
  const along = (middle: number): Tensor =>
    shares(T.mul(T.sub(inScene, middle), zoom), WINDOW, windowOnes, sceneByWindow);
  const rows = T.dot(along(y), T.reshape(content, [WINDOW, WINDOW]));
  return T.reshape(T.dot(rows, T.transpose(along(x))), [SIDE * SIDE, 1]);
}

const HALF = SIDE / 2;
/** How many pixels there are in a scene of half the width and height. */
export const COARSE = HALF * HALF;
const brightest = maxPool({ size: 2 });

/** A scene of half the width and height, each pixel the brightest of four. */
export const coarse = (scene: Tensor): Tensor => T.reshape(brightest(T.reshape(scene, [1, SIDE, SIDE])), [COARSE, 1]);
