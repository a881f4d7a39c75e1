/** A located error as a person reads it: what, where, the line itself with a caret, and the calls in progress. */
import { ANONYMOUS, type Frame, type Located } from './locate.ts';

/** Lines shown before and after the line of the error. */
const CONTEXT = 1;
/** Longer lines are cut, around the place of the error. */
const LONGEST_LINE = 100;
/** Frames shown of a stack without repetitions. */
const LONGEST_STACK = 10;
/** Calls that recur in cycles of up to this many functions are folded. */
const LONGEST_CYCLE = 5;

export function report(error: Located): string {
  const parts = [error.message];
  if (error.line !== undefined && error.column !== undefined) {
    const place = `${error.file}:${error.line}:${error.column}`;
    parts.push(error.source === undefined ? place : `${place}\n${excerpt(error.source, error.line, error.column)}`);
  } else parts.push(`In ${error.file}.`);
  if (error.hint !== undefined) parts.push(error.hint);
  // The innermost frame is the place itself; alone it says nothing new.
  if (error.frames.length > 1) parts.push(`Calls in progress, innermost first:\n${stack(error.frames)}`);
  return parts.join('\n\n');
}

function excerpt(source: string, line: number, column: number): string {
  const lines = source.split(/\r?\n/);
  const first = Math.max(1, line - CONTEXT);
  const last = Math.min(lines.length, line + CONTEXT);
  const width = String(last).length;
  const from = Math.max(0, column - 1 - LONGEST_LINE / 2);
  const shift = lines[line - 1].length > LONGEST_LINE ? from : 0;
  const out: string[] = [];
  for (let number = first; number <= last; number++) {
    const text = cut(lines[number - 1], shift);
    if (number !== line && text.trim() === '') continue;
    out.push(`  ${String(number).padStart(width)} | ${text}`.trimEnd());
    if (number !== line) continue;
    // Tabs are kept, so that the caret stands where the reader sees the column.
    const indent = lines[line - 1].slice(shift, column - 1).replace(/[^\t]/g, ' ');
    out.push(`  ${' '.repeat(width)} | ${shift > 0 ? ' ' : ''}${indent}^`);
  }
  return out.join('\n');
}

function cut(text: string, shift: number): string {
  const rest = text.slice(shift);
  const shown = rest.length > LONGEST_LINE ? `${rest.slice(0, LONGEST_LINE - 1)}…` : rest;
  return shift > 0 ? `…${shown}` : shown;
}

const place = ({ name, file, line, column }: Frame): string => {
  const where = `${file}:${line}:${column}`;
  return name === '' ? `  ${where}` : `  ${name} (${where})`;
};

const samePlace = (a: Frame, b: Frame): boolean =>
  a.name === b.name && a.file === b.file && a.line === b.line && a.column === b.column;

/** A function that recurs is recognised by its name, wherever in it the next call is made. */
const sameFunction = (a: Frame, b: Frame): boolean =>
  a.name === b.name && a.file === b.file && (a.name !== ANONYMOUS || samePlace(a, b));

/** Where the recurrence of the `period` functions from `at` on ends. */
function recurrenceEnd(frames: readonly Frame[], at: number, period: number): number {
  let end = at + period;
  while (end < frames.length && sameFunction(frames[end], frames[end - period])) end++;
  return end;
}

function stack(frames: readonly Frame[]): string {
  const lines: string[] = [];
  for (let i = 0; i < frames.length; ) {
    let period = 0;
    let end = i;
    while (period < LONGEST_CYCLE && (period === 0 || end - i < 3 * period)) end = recurrenceEnd(frames, i, ++period);
    if (end - i < 3 * period) {
      lines.push(place(frames[i++]));
      continue;
    }
    // The innermost round ends where the error is; the next shows where the recursion goes on.
    const cycle = frames.slice(i, i + period);
    const alike = cycle.every((frame, k) => samePlace(frame, frames[i + period + k]));
    const shown = alike ? period : 2 * period;
    for (const frame of frames.slice(i, i + shown)) lines.push(place(frame));
    lines.push(`  … ${end - i - shown} more`);
    i = end;
  }
  if (lines.length <= LONGEST_STACK) return lines.join('\n');
  const kept = lines.slice(0, LONGEST_STACK - 1);
  return [...kept, `  … ${lines.length - kept.length} more`].join('\n');
}
