/** The gallery: programs to begin with, each with a picture of what comes out. */
import type { Language } from '../sandbox/protocol.ts';

export interface Picture {
  readonly kind: 'bars' | 'density' | 'curve';
  /** Heights between 0 and 1. */
  readonly values: readonly number[];
}

export interface GalleryEntry {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly language: Language;
  readonly code: string;
  /** Names of the data files that it reads. */
  readonly files?: readonly string[];
  readonly picture?: Picture;
}

export interface Shelf {
  readonly title: string;
  readonly about: string;
  readonly entries: readonly GalleryEntry[];
}

export interface Gallery {
  readonly shelves: readonly Shelf[];
  /** Texts of data files, by name. */
  readonly files: Readonly<Record<string, string>>;
}

export async function loadGallery(base: string): Promise<Gallery> {
  const response = await fetch(new URL('gallery.json', base));
  if (!response.ok) throw new Error('The gallery cannot be loaded.');
  return (await response.json()) as Gallery;
}

export const entryOf = (gallery: Gallery, id: string): GalleryEntry | undefined =>
  gallery.shelves.flatMap(({ entries }) => entries).find((entry) => entry.id === id);

/** The data files of the entry that a program began as. */
export function filesOf(gallery: Gallery, id: string | undefined): Record<string, string> {
  const names = (id === undefined ? undefined : entryOf(gallery, id)?.files) ?? [];
  return Object.fromEntries(names.map((name) => [name, gallery.files[name] ?? '']));
}
