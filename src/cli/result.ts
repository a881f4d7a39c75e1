/** The result of a run as `--json` and `batch` write it. */
import type { JsonValue } from '../io/json-value.ts';

/** Where in a program an error is; null where unknown. */
export interface Place {
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
}

const nowhere: Place = { file: null, line: null, column: null };

/** `{"ok":true,"value":V,"outputs":[V…]}` */
export function success(value: JsonValue, outputs: readonly JsonValue[]): string {
  return JSON.stringify({ ok: true, value, outputs });
}

/** `{"ok":false,"error":{"message","file","line","column"}}` */
export function failure(message: string, place: Place = nowhere): string {
  const { file, line, column } = place;
  return JSON.stringify({ ok: false, error: { message, file, line, column } });
}
