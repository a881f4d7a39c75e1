// Digits of MNIST for the problems of this folder: images as bytes and labels, from the files of a folder.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { argv, type Tensor, Vector } from 'waymark';

/** Of an image, in pixels. */
export const WIDTH = 28;
export const PIXELS = WIDTH * WIDTH;

const contents = (path: string): Uint8Array => {
  const found = [path, `${path}.gz`].find((file) => existsSync(file));
  if (found === undefined)
    throw new Error(`There is no ${path}, with or without .gz: give a folder that has it with --mnist DIR.`);
  const bytes = readFileSync(found);
  return found.endsWith('.gz') ? gunzipSync(bytes) : bytes;
};

/** What the program `data` of such a problem gives: files that must be there, and a fingerprint of what is in them. */
export function digitsData(description: string, needed: readonly string[]) {
  if (argv.folder === undefined) {
    throw new Error(`This problem needs MNIST (${needed.join(', ')}): give its folder with --mnist DIR.`);
  }
  const folder = String(argv.folder);
  const prints = needed.map((name) =>
    createHash('sha256')
      .update(contents(`${folder}/${name}`))
      .digest('hex'),
  );
  return { description, folder, fingerprint: prints.map((print) => print.slice(0, 16)).join(' ') };
}

/** The numbers of an IDX file of bytes, without its header. */
const idx = (path: string): Uint8Array => {
  const bytes = contents(path);
  return bytes.subarray(4 + 4 * bytes[3]);
};

const TRAIN = 'train-images-idx3-ubyte';
const PARTS = [1, 2, 3].map((part) => `train-images-${part}of3-idx3-ubyte`);

/** Grey levels of images one after the other, and the label of each. */
export interface Digits {
  readonly images: Uint8Array;
  readonly labels: Uint8Array;
}

/** The sixty thousand digits to learn from: one file, or three. */
export function trainDigits(folder: string): Digits {
  const whole = [TRAIN, `${TRAIN}.gz`].some((name) => existsSync(`${folder}/${name}`));
  const parts = (whole ? [TRAIN] : PARTS).map((name) => idx(`${folder}/${name}`));
  const images = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    images.set(part, at);
    at += part.length;
  }
  return { images, labels: idx(`${folder}/train-labels-idx1-ubyte`) };
}

export const testDigits = (folder: string): Digits => ({
  images: idx(`${folder}/t10k-images-idx3-ubyte`),
  labels: idx(`${folder}/t10k-labels-idx1-ubyte`),
});

/** The first images, pixels 0 or 1. */
export function binaryDigits({ images }: Digits, count: number): Tensor[] {
  const read: Tensor[] = [];
  for (let i = 0; i < count; i++) {
    const pixels: number[] = [];
    for (let pixel = 0; pixel < PIXELS; pixel++) pixels.push(images[i * PIXELS + pixel] >= 128 ? 1 : 0);
    read.push(Vector(pixels));
  }
  return read;
}

/** The first images of a file whose pixels were made binary once and for all: 98 bytes for each, the most significant bit first. */
export function staticDigits(folder: string, part: 'train' | 'valid' | 'test', most: number): Tensor[] {
  const bytes = contents(`${folder}/static-binarized-${part}.bits`);
  const each = PIXELS / 8;
  const read: Tensor[] = [];
  for (let i = 0; i < Math.min(most, bytes.length / each); i++) {
    const pixels: number[] = [];
    for (let pixel = 0; pixel < PIXELS; pixel++) pixels.push((bytes[i * each + (pixel >> 3)] >> (7 - (pixel & 7))) & 1);
    read.push(Vector(pixels));
  }
  return read;
}
