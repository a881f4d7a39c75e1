/** The gallery as the page loads it: texts of the programs, with the pictures that belong to them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Gallery, GalleryEntry, Picture } from '../gallery/gallery.ts';
import { SHELVES } from '../gallery/shelves.ts';

export function galleryData(top: string): Gallery {
  const kept = join(top, 'playground/gallery/pictures.json');
  const pictures: Record<string, Picture> = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : {};
  const files: Record<string, string> = {};
  const shelves = SHELVES.map(({ title, about, entries }) => ({
    title,
    about,
    entries: entries.map(([file, name, words]): GalleryEntry => {
      const code = readFileSync(join(top, 'examples', file), 'utf8');
      const id = file.replace(/\.\w+$/, '').replace('/', '-');
      const read = [...code.matchAll(/load(?:Data|QMRGraph)\('([^']+)'/g)].map(([, data]) => data);
      for (const data of read) files[data] = readFileSync(join(top, 'examples', file, '..', data), 'utf8');
      const language = file.endsWith('.ts') ? 'ts' : 'wppl';
      return {
        id,
        title: name,
        about: words,
        language,
        code,
        files: read.length > 0 ? read : undefined,
        picture: pictures[id],
      };
    }),
  }));
  return { shelves, files };
}
