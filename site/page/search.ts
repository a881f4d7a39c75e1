/** The search: sections whose words are those that were typed, the best first. */

export interface SearchEntry {
  readonly page: string;
  /** Empty for the page as a whole. */
  readonly heading: string;
  readonly url: string;
  readonly text: string;
}

const MOST = 12;

/** How well an entry fits the words; 0 if one of them is nowhere in it. */
export function fitOf({ page, heading, text }: SearchEntry, words: readonly string[]): number {
  const places = [heading.toLowerCase(), page.toLowerCase(), text.toLowerCase()];
  let total = 0;
  for (const word of words) {
    const [inHeading, inPage, inText] = places.map((place) => rank(place, word));
    // The name of a page is the heading of the page as a whole.
    const best = 8 * inHeading + (heading === '' ? 8 : 4) * inPage + inText;
    if (best === 0) return 0;
    total += best;
  }
  return heading === '' ? total + 1 : total;
}

/** 3 for the whole of it, 2 for a word or the start of one, 1 for something within a word. */
function rank(place: string, word: string): number {
  if (place === word) return 3;
  const at = place.indexOf(word);
  if (at === -1) return 0;
  return new RegExp(`(?:^|[^\\p{L}\\p{N}])${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`, 'u').test(place) ? 2 : 1;
}

export function search(entries: readonly SearchEntry[], asked: string): SearchEntry[] {
  const words = asked
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return [];
  return entries
    .map((entry) => ({ entry, score: fitOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST)
    .map(({ entry }) => entry);
}
