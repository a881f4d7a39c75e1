/** The files of data that pages load: what the editor knows, and the gallery. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { galleryData } from './gallery-data.ts';
import { referenceData } from './reference-data.ts';
import { outDir } from './script.ts';

const top = fileURLToPath(new URL('../..', import.meta.url));

export function writeData(): void {
  mkdirSync(outDir, { recursive: true });
  const write = (name: string, value: unknown) => writeFileSync(join(outDir, name), JSON.stringify(value));
  write('reference.json', referenceData(join(top, 'docs/reference')));
  write('gallery.json', galleryData(top));
}
