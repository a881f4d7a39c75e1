/** The result of a run as `--json` and `batch` write it. */
import { type JsonValue, toJsonValue } from '../io/json-value.ts';
import { WaymarkError } from '../runtime/errors.ts';
import { isStackOverflow } from '../runtime/signals.ts';
import { failure } from './failure.ts';
import type { Outcome } from './outcome.ts';

/** JavaScript's strings end at 2²⁹ characters; the rest is for the id that `batch` puts before a result. */
const LONGEST = 2 ** 29 - 2 ** 20;

/** `{"ok":true,"value":V,"outputs":[V…]}`, or a failure. Throws if the value has no JSON form. */
export function resultOf(outcome: Outcome, outputs: readonly JsonValue[]): string {
  if ('value' in outcome) return textOf({ ok: true, value: toJsonValue(outcome.value), outputs });
  const { message, hint, file, line = null, column = null } = outcome.error;
  return failure(hint === undefined ? message : `${message} ${hint}`, { file, line, column });
}

function textOf(result: object): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(result);
  } catch (error) {
    if (!(error instanceof RangeError) || isStackOverflow(error)) throw error;
  }
  if (text !== undefined && text.length <= LONGEST) return text;
  throw new WaymarkError(
    'The result cannot be written as JSON: it has more than 500 million characters. Return what is needed of it, such as a ' +
      'summary, or a part of the items or samples.',
  );
}
