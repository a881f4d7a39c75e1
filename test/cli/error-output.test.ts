import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { ErrorOutput } from '../../src/cli/error-output.ts';

/** As Node 20 and 24 write them before they abort. */
const ACCOUNTS: readonly (readonly [string, string])[] = [
  [
    '\n\n#\n# Fatal error in , line 0\n# Fatal JavaScript invalid size error 169220804 (see crbug.com/1201626)\n#\n#\n',
    'Fatal JavaScript invalid size error 169220804 (see crbug.com/1201626)',
  ],
  [
    '\n<--- Last few GCs --->\n\n[1:0x1] 5 ms: Scavenge\n\nFATAL ERROR: invalid array length Allocation failed - JavaScript heap out of memory\n',
    'invalid array length Allocation failed - JavaScript heap out of memory',
  ],
];

test.each(ACCOUNTS)('%j is how V8 gives up', async (account, reason) => {
  for (const size of [1, 7, account.length]) {
    const stream = new PassThrough();
    const output = new ErrorOutput(stream);
    for (let i = 0; i < account.length; i += size) stream.write(account.slice(i, i + size));
    stream.end();
    await finished(stream);
    expect(output.lastWords).toBe(reason);
  }
});
