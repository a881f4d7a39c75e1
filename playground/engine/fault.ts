/** Errors as the page shows them. */
import type { Located } from '../../src/program/locate.ts';
import type { Fault } from '../sandbox/protocol.ts';

/** Calls that are shown of a stack. */
const MOST_CALLS = 12;

/** `linesBefore` are those of the programs that came before, which the page does not show. */
export function faultOf({ message, hint, line, column, frames }: Located, linesBefore: number): Fault {
  const own = (place: number | undefined): place is number => place !== undefined && place > linesBefore;
  const calls = frames
    .filter((frame) => own(frame.line))
    .slice(0, MOST_CALLS)
    .map((frame) => ({ name: frame.name, line: frame.line - linesBefore, column: frame.column }));
  // An error below a definition of an earlier program is shown where this one called it.
  const place = own(line) ? { line: line - linesBefore, column } : calls[0];
  const earlier = line !== undefined && !own(line);
  return { message, hint, line: place?.line, column: place?.column, calls, ...(earlier ? { earlier } : {}) };
}
