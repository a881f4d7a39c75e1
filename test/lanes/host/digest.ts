/** Numbers that stand for what rows are worth, so that inferences can weigh by them. */
import { type Chosen, plain } from './row.ts';

/** What is written for a row that is worth `v`, and what Node makes of it. */
export interface Digest {
  readonly text: string;
  of(value: unknown): number;
  /** True if it changes with the row's number as that does. */
  readonly smooth: boolean;
}

const isNumber = (value: unknown): boolean => typeof value === 'number' && Math.abs(value) < 1000;

/** Numbers are their own digests, truth values are 1 and 2, and anything else its place in a table of texts. */
export function digestOf(code: string, cases: readonly Chosen[]): Digest {
  const values = cases.map((chosen) => plain(code)(chosen));
  if (values.every(isNumber)) return { text: 'v', of: (value) => value as number, smooth: true };
  if (values.every((value) => typeof value === 'boolean')) {
    return { text: '(v ? 1 : 2)', of: (value) => (value ? 1 : 2), smooth: false };
  }
  const textOf = (value: unknown): string => JSON.stringify(value) ?? 'undefined';
  const table = [...new Set(values.map(textOf))];
  const text = table.includes('undefined')
    ? "(v === undefined ? 'undefined' : JSON.stringify(v))"
    : 'JSON.stringify(v)';
  return {
    text: `${JSON.stringify(table)}.indexOf(${text})`,
    of: (value) => table.indexOf(textOf(value)),
    smooth: false,
  };
}
