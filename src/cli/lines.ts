/**
 * Lines of stdin, for `waymark batch`. (Node's own reader fails at a line that is longer than a text can be, and takes U+2028 within a
 * line of JSON for its end.)
 */
import { constants } from 'node:buffer';

const NEWLINE = 10;

/** Those that are longer than `longest` bytes come as null. */
export async function* linesOf(
  input: AsyncIterable<Uint8Array>,
  longest = constants.MAX_STRING_LENGTH,
): AsyncGenerator<string | null> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const taken = (): string | null => {
    const line = length > longest ? null : Buffer.concat(parts).toString().replace(/\r$/, '');
    parts = [];
    length = 0;
    return line;
  };
  for await (const chunk of input) {
    for (let from = 0; from < chunk.length; ) {
      const found = chunk.indexOf(NEWLINE, from);
      const end = found === -1 ? chunk.length : found;
      length += end - from;
      if (length <= longest) parts.push(chunk.subarray(from, end));
      else parts = [];
      if (found !== -1) yield taken();
      from = end + 1;
    }
  }
  if (length > 0) yield taken();
}
