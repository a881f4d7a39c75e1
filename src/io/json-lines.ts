import { parseJson } from './json-text.ts';

/** A value for each line that is not empty; lines are counted from `first` in errors. */
export function parseJsonLines(caller: string, name: string, text: string, first = 1): unknown[] {
  return text.split('\n').flatMap((line, i) => (line.trim() === '' ? [] : [parseJson(caller, name, line, first + i)]));
}
