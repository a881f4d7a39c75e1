/** An error whose message is meant for the author of the program: what is wrong, and what to do about it. */
export class WaymarkError extends Error {
  override name = 'WaymarkError';
}

/** Distance in single-character edits (Levenshtein), enough to recognise a slip of the keyboard. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = previous[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(previous[j] + 1, current[j - 1] + 1, substitution));
    }
    previous = current;
  }
  return previous[b.length];
}

/** The known name a misspelt one most likely stands for, if any is close enough to suggest. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(name.length / 3)) + 1;
  let bestKind = Infinity;
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance > bestDistance || (best === undefined && distance === bestDistance)) continue;
    // Capitals tell kinds apart: gaussian draws, Gaussian makes a distribution.
    const kind = editDistance(name, candidate);
    if (distance < bestDistance || kind < bestKind) {
      best = candidate;
      bestDistance = distance;
      bestKind = kind;
    }
  }
  return best;
}

/** ` Did you mean 'x'?`, or nothing. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const suggestion = nearest(name, known);
  return suggestion === undefined ? '' : ` Did you mean '${suggestion}'?`;
}
