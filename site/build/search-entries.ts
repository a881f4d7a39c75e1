/** What the search looks through: each section of each page. */
import type { SearchEntry } from '../page/search.ts';
import type { Rendered } from './render.ts';
import { placeOf } from './site.ts';

/** The beginning of a section is enough to find it by. */
const LONGEST = 600;

export function searchEntries({ file, title, headings, source }: Rendered): SearchEntry[] {
  const url = placeOf(file);
  // Split at headings, but not at lines of code that look like such.
  const parts = source
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/^```[\s\S]*?^```$/gm, '')
    .split(/^#{1,6} .*$/m);
  return headings.map(({ text, anchor, level }, i) => ({
    page: title,
    heading: level === 1 ? '' : text,
    url: level === 1 ? url : `${url}#${anchor}`,
    text: plain(parts[i + 1] ?? '').slice(0, LONGEST),
  }));
}

function plain(markdown: string): string {
  return markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*|_>#-]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
