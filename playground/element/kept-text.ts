/** What readers have changed in boxes, kept by their browser until they take it back. */

const keyOf = (name: string): string => `waymark.box ${location.pathname} ${name}`;

export function keptText(name: string, original: string): string | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(name)) ?? 'null');
    const { text, of } = (kept ?? {}) as { text?: unknown; of?: unknown };
    // The author has changed the block since: theirs is what the page speaks of.
    return of === original && typeof text === 'string' ? text : undefined;
  } catch {
    return undefined;
  }
}

export function keepText(name: string, original: string, text: string): void {
  try {
    if (text === original) localStorage.removeItem(keyOf(name));
    else localStorage.setItem(keyOf(name), JSON.stringify({ text, of: original }));
  } catch {
    // It stays in the page.
  }
}
