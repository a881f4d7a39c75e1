/** Something thrown that is no error, as text. */
export function textOf(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return 'an object without a text';
  }
}

/** What an error says of itself; undefined where the program has put something else there than a text, or something that throws. */
export function wordOf(error: Error, field: 'message' | 'name' | 'stack'): string | undefined {
  try {
    const found: unknown = error[field];
    return typeof found === 'string' ? found : undefined;
  } catch {
    return undefined;
  }
}
