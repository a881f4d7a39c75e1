/** The result of a run as `--json` and `batch` write it. */
import { type JsonValue, toJsonValue } from '../io/json-value.ts';
import { failure } from './failure.ts';
import type { Outcome } from './outcome.ts';

/** `{"ok":true,"value":V,"outputs":[V…]}`, or a failure. Throws if the value has no JSON form. */
export function resultOf(outcome: Outcome, outputs: readonly JsonValue[]): string {
  if ('value' in outcome) return JSON.stringify({ ok: true, value: toJsonValue(outcome.value), outputs });
  const { message, hint, file, line = null, column = null } = outcome.error;
  return failure(hint === undefined ? message : `${message} ${hint}`, { file, line, column });
}
