/** How an operand of an elementwise operation is read, given its axes and those of the result. */
import type { Operand } from '../node.ts';

/** Element by element. */
export const OWN = 0;
/** One element throughout. */
export const SHARED = 1;
/** All its elements, over and over again: it lacks leading axes. */
export const REPEATED = 2;
/** Each of its elements several times in a row: it lacks trailing axes. */
export const STRETCHED = 3;
/** Anything else, through a table of offsets. */
export const THROUGH_TABLE = 4;

export function accessOf(out: Operand, input: Operand): number {
  if (input.data.length === out.data.length) return OWN;
  if (input.data.length === 1) return SHARED;
  // Axes from the last to the first. Where the result has length 1, nothing can be lacking.
  const lead = out.lanes ? 1 : 0;
  const inputLead = input.lanes ? 1 : 0;
  const rank = out.dims.length - lead;
  const inputRank = input.dims.length - inputLead;
  let before = -1;
  let changes = 0;
  let last = -1;
  for (let i = 1; i <= rank + lead; i++) {
    const isLaneAxis = i > rank;
    const length = out.dims[out.dims.length - i];
    if (length === 1) continue;
    const own = isLaneAxis
      ? input.lanes && input.dims[0] !== 1
      : i <= inputRank && input.dims[input.dims.length - i] !== 1;
    const now = own ? 1 : 0;
    if (before === -1) last = now;
    else if (now !== before) changes++;
    before = now;
  }
  if (changes > 1) return THROUGH_TABLE;
  return last === 1 ? REPEATED : STRETCHED;
}
