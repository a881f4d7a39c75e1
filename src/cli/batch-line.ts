/** One line of input to `waymark batch`. */
import { describe } from '../runtime/describe.ts';
import { isSeed, SEED_KIND } from '../runtime/seed.ts';
import type { BatchProgram } from './jobs.ts';
import { randomSeed } from './settings.ts';

/** A line as read: its id, to be given back, and a program or what is wrong with the line. */
interface BatchLine {
  readonly id: unknown;
  readonly program: BatchProgram | { readonly problem: string };
}

/** An id is written back, and text of a value that is nested deeper than this costs too much for an id. */
const DEEPEST_ID = 100;

function isNestedBeyond(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isNestedBeyond(inner, levels - 1));
}

/** The text of an id in characters: results leave so much room for it. */
const LONGEST_ID = 2 ** 20 - 100;

/** Null stands for a text that is too long to be one. */
export function readBatchLine(text: string | null, lineNumber: number): BatchLine {
  const bad = (id: unknown, problem: string): BatchLine => ({
    id,
    program: { problem: `Line ${lineNumber} of the input: ${problem}` },
  });
  if (text === null) return bad(null, 'this is longer than the 500 million characters that a text may have.');
  let line: unknown;
  try {
    // The mark that some editors and shells put before a text.
    line = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    return bad(null, `this is not JSON (${(error as Error).message}). Write {"id": …, "code": "…", "seed": …}.`);
  }
  if (typeof line !== 'object' || line === null || Array.isArray(line)) {
    return bad(null, `expected an object {"id": …, "code": "…", "seed": …}, got ${describe(line)}.`);
  }
  const { id = null, code, seed = randomSeed() } = line as { id?: unknown; code?: unknown; seed?: unknown };
  if (isNestedBeyond(id, DEEPEST_ID)) return bad(null, `"id" may be nested ${DEEPEST_ID} deep at most.`);
  if (JSON.stringify(id).length > LONGEST_ID) return bad(null, '"id" may have a million characters at most.');
  if (typeof code !== 'string') return bad(id, `"code" must be the text of a program, got ${describe(code)}.`);
  if (!isSeed(seed)) return bad(id, `"seed" must be ${SEED_KIND}, got ${describe(seed)}.`);
  return { id, program: { code, seed, name: `line ${lineNumber}` } };
}
