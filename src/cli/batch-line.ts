/** One line of input to `waymark batch`. */
import { describe } from '../runtime/describe.ts';
import type { BatchProgram } from './jobs.ts';
import { randomSeed } from './settings.ts';

/** A line as read: its id, to be given back, and a program or what is wrong with the line. */
export interface BatchLine {
  readonly id: unknown;
  readonly program: BatchProgram | { readonly problem: string };
}

export function readBatchLine(text: string, lineNumber: number): BatchLine {
  const bad = (id: unknown, problem: string): BatchLine => ({
    id,
    program: { problem: `Line ${lineNumber} of the input: ${problem}` },
  });
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch (error) {
    return bad(null, `this is not JSON (${(error as Error).message}). Write {"id": …, "code": "…", "seed": …}.`);
  }
  if (typeof line !== 'object' || line === null || Array.isArray(line)) {
    return bad(null, `expected an object {"id": …, "code": "…", "seed": …}, got ${describe(line)}.`);
  }
  const { id = null, code, seed = randomSeed() } = line as { id?: unknown; code?: unknown; seed?: unknown };
  if (typeof code !== 'string') return bad(id, `"code" must be the text of a program, got ${describe(code)}.`);
  if (typeof seed !== 'number') return bad(id, `"seed" must be a number, got ${describe(seed)}.`);
  return { id, program: { code, seed, name: `line ${lineNumber}` } };
}
