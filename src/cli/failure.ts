/** The result of a run that failed, apart from `result.ts` because the main thread needs no more than this. */

/** Where in a program an error is; null where unknown. */
interface Place {
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
}

const nowhere: Place = { file: null, line: null, column: null };

/** `{"ok":false,"error":{"message","file","line","column"}}` */
export function failure(message: string, place: Place = nowhere): string {
  const { file, line, column } = place;
  return JSON.stringify({ ok: false, error: { message, file, line, column } });
}
