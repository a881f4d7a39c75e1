import { expect, test } from 'vitest';
import { linesOf } from '../../src/cli/lines.ts';

async function read(chunks: readonly string[], longest?: number): Promise<(string | null)[]> {
  async function* input() {
    for (const chunk of chunks) yield Buffer.from(chunk, 'latin1');
  }
  const lines: (string | null)[] = [];
  for await (const line of linesOf(input(), longest)) lines.push(line);
  return lines;
}

const bytes = (text: string): string => Buffer.from(text).toString('latin1');

test.each<[string, string[], (string | null)[]]>([
  ['nothing', [], []],
  ['an empty line', ['\n'], ['']],
  ['lines within a chunk', ['a\nb\n'], ['a', 'b']],
  ['lines over several chunks', ['a', 'b\nc', '', 'd', '\ne'], ['ab', 'cd', 'e']],
  ['ends as Windows writes them', ['a\r', '\nb\r\n\r\n'], ['a', 'b', '']],
  ['characters that are divided between chunks', [...bytes('é–𝄞\n')], ['é–𝄞']],
  ['separators that JSON may have in its texts', [bytes('a\u2028b\u2029c\u0085d\n')], ['a\u2028b\u2029c\u0085d']],
])('%s', async (_, chunks, lines) => {
  expect(await read(chunks)).toEqual(lines);
});

test('lines that are too long come as null, and others go on', async () => {
  expect(await read(['1234\n12345\n12', '345', '6\n123', '4\n12345'], 4)).toEqual(['1234', null, null, '1234', null]);
});
