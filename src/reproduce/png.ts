/** Small grey pictures as PNG files, for figures to contain. */
import { deflateSync } from 'node:zlib';
import { crc32 } from '../io/crc32.ts';

const SIGNATURE = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10);
const BYTE_DEPTH = 8;
const GREY = 0;

function chunk(type: string, content: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(content.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, content.length);
  bytes.set(Buffer.from(type, 'latin1'), 4);
  bytes.set(content, 8);
  view.setUint32(content.length + 8, crc32(bytes.subarray(4, content.length + 8)));
  return bytes;
}

/** Grey levels from 0 to 255, row by row, as a URL that holds the picture itself. */
export function pngUrl(levels: readonly number[], width: number): string {
  const height = levels.length / width;
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([BYTE_DEPTH, GREY], 8);
  const rows = new Uint8Array(height * (width + 1));
  // Each row starts with the number of a filter; 0 means that the levels stand as they are.
  for (let y = 0; y < height; y++) rows.set(levels.slice(y * width, (y + 1) * width), y * (width + 1) + 1);
  const parts = [SIGNATURE, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', new Uint8Array())];
  return `data:image/png;base64,${Buffer.concat(parts).toString('base64')}`;
}
